// Cells of a grid: where they are, what is done to them, what a ray meets.

export * from "./edits";
export * from "./faces";
export * from "./grid";
export * from "./layers";
export * from "./ray";
export * from "./room";
export * from "./strokes";
export * from "./whole";
