// The words of the help sheet: what each key does, by place.

/** "Ctrl Z" is pressed together, "1 / 2" means one or the other. */
export const shortcuts = {
  shapes: {
    A: "Add cells",
    R: "Remove cells",
    O: "Make cells optional",
    C: "Paint cells",
    S: "Select cells",
    V: "Look: drag to turn the view",
    D: "Cell by cell",
    U: "Whole cubes, on grids with several kinds of cells",
    K: "Columns",
    B: "Boxes",
    L: "Lines",
    F: "Fill",
    "X / Y / Z": "Mirror drawing across x, y or z",
    "Shift X / Shift Y / Shift Z": "Turn about x, y or z",
    "← / → / ↑ / ↓": "Shift the shape or the selection (in the layer view: move the cursor)",
    "PageUp / PageDown": "Shift up or down",
    "+ / −": "Go up or down a layer",
    H: "Hide layers above",
    "Ctrl A": "Select all cells",
    "Ctrl C / Ctrl X / Ctrl V": "Copy, cut, paste",
    Enter: "Put down what is being pasted",
    Delete: "Delete the selected cells",
    N: "New shape",
    Home: "Fit the view",
  },
  problem: {
    "← / →": "While pinning: previous or next placement",
    Enter: "While pinning: pin the piece as shown",
  },
  solutions: {
    Space: "Play or pause",
    "← / →": "One move back or forward",
    "Home / End": "Go to the start or the end",
    E: "Explode or reassemble",
    F: "Fit the view",
  },
  hand: {
    "N / Shift N": "Choose the next piece, or the one before",
    "← / → / ↑ / ↓": "Push the chosen piece to the left, right, back or front",
    "PageUp / PageDown": "Push it up or down",
    T: "Turn it, where the solution does",
    H: "Ask for a hint, then do it",
    "Delete / Ctrl Z": "Undo the last move",
  },
} as const;

/** What a list or a view does by itself when it has the focus or the pointer. */
export const gestures = {
  shapes: {
    "Enter / Space": "In the layer view: draw at the cursor",
    "Alt ↑ / Alt ↓": "In the list: move the shape",
    F2: "In the list: rename the shape",
    "Alt click": "Remove a cell",
    "Shift drag": "Draw a box with any tool",
    "Right drag": "Turn the view",
  },
  solutions: {
    "↑ / ↓": "In the list: previous or next solution",
    "← / → / ↑ / ↓ / Enter": "Among the states: choose one, and slide the pieces there",
  },
} as const;
