// What is dragged within the page: a shape from the shelf, or a piece of the problem. A browser hides
// the data of a drag until it is dropped, and what can take it wants to say so before.

type Dragged = { readonly shape: number } | { readonly piece: number };

class Drag {
  what = $state.raw<Dragged | null>(null);
}
export const drag = new Drag();

/** Begin to drag, from `ondragstart`. */
export function begin(event: DragEvent, what: Dragged): void {
  drag.what = what;
  event.dataTransfer?.setData("text/plain", "");
  if (event.dataTransfer) event.dataTransfer.effectAllowed = "copyMove";
}

export const end = () => (drag.what = null);

/** Handlers for something that takes what is dragged, if `takes` says so. */
export function target(takes: (what: Dragged) => boolean, drop: (what: Dragged, event: DragEvent) => void) {
  const over = (event: DragEvent) => {
    if (drag.what && takes(drag.what)) event.preventDefault();
  };
  return {
    ondragenter: over,
    ondragover: over,
    ondrop: (event: DragEvent) => {
      const { what } = drag;
      if (!what || !takes(what)) return;
      event.preventDefault();
      event.stopPropagation();
      end();
      drop(what, event);
    },
  };
}
