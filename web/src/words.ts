// Every word of the page, in one place, so that it can be said in another language. What the server
// says (facts, findings, errors) comes as sentences of its own.

const amount = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

export const words = {
  amount,
  kumiki: "kumiki",
  places: { shapes: "Shapes", problem: "Problem", solutions: "Solutions" },
  header: {
    home: "All puzzles",
    untitled: "Untitled puzzle",
    title: "Title of the puzzle",
    saved: "saved",
    unsaved: "not saved",
    readOnly: "from the library; saving makes a copy",
    save: "Save",
    saveAs: "Save as",
    undo: (name: string) => `Undo: ${name}`,
    redo: (name: string) => `Redo: ${name}`,
    nothingToUndo: "Nothing to undo",
    nothingToRedo: "Nothing to redo",
    export: "Export",
    share: "Share",
    help: "Keys",
    light: "Light",
    dark: "Dark",
  },
  home: {},
  shapes: {},
  problem: {},
  solutions: {},
  stage: {
    view: "3D view",
    front: "front", back: "back", left: "left", right: "right", top: "top", bottom: "bottom",
    fit: "Fit",
    perspective: "Perspective",
    parallel: "Parallel",
  },
  help: {},
  close: "Close",
  cancel: "Cancel",
  restored: "Changes that were not saved are back.",
  discard: "Discard them",
} as const;
