// Files that are dragged over something, and dropped there.

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;

/** Handlers for something that takes files, and whether some are over it now. Whatever lies around it hears nothing. */
export function fileDrop(take: (files: readonly File[]) => void) {
  let depth = $state(0); // dragging enters a child before it leaves the parent
  const dragged = (by: 1 | -1) => (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.stopPropagation();
    depth += by;
  };
  return {
    get over() {
      return depth > 0;
    },
    heard: {
      ondragenter: dragged(1),
      ondragleave: dragged(-1),
      ondragover: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
      ondrop: (event: DragEvent) => {
        depth = 0;
        if (!hasFiles(event) || event.defaultPrevented) return;
        event.preventDefault();
        take([...(event.dataTransfer?.files ?? [])]);
      },
    },
  };
}
