// The words of a collection in the studio; those of its cards are in cards.ts.

export const said = {
  open: "Open",
  openHint: "Open this puzzle in the editor",
  export: "Export",
  exportHint: "Files to print, cut or send",
  empty: "This search has not found a puzzle yet.",
} as const;
