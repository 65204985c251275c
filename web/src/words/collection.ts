// The words of a collection in the studio; those of its cards are in cards.ts.

export const said = {
  open: "Open",
  openHint: "Open this puzzle in the editor",
  export: "Export",
  exportHint: "Files to print, cut or send",
} as const;
