// The words of the workshop.

import type { MakeName } from "../messages";
import { amount, numeral } from "./amount";

export const said = {
  panes: { list: "What to make", view: "Preview", more: "Material and time" },
  what: "What to make",
  things: {
    pieces: ["Pieces to print", "On print beds, each on the side it stands best on."],
    assembly: ["The assembled puzzle", "One model of the solution."],
    box: ["A box with a lid", "For the goal of the problem."],
    sheets: ["Laser sheets", "Outlines of every layer, and a tray."],
    sticks: ["Sticks of wood", "A cut list, and a plan of every notch."],
    booklet: ["A booklet", "Cover, pieces, and how they go together."],
    film: ["Pictures and film", "Of the solution, as you turn it."],
  },
  options: "Options",
  option: {
    unit: "Cell size",
    inset: "Clearance",
    bevel: "Bevel",
    bevel_units: "Bevel every cell",
    wall: "Hollow, with walls of",
    drain: "Drain hole",
    label: "Engrave the names",
    neck: "Necks",
    bed: "Bed",
    gap: "Gap",
    each: "A file for each piece",
    split: "Split to print without support",
    width: "Width",
  } satisfies Record<MakeName, string>,
  sheetSize: "Sheet",
  units: { mm: "mm", sides: "mm", bed: "mm", part: "of a ball", pixels: "pixels", flag: "" },
  usual: "default",
  invalid: {
    mm: "Enter a length such as 0.4.",
    sides: "Enter one length, or three such as 15 x 15 x 20.",
    bed: "Enter two lengths such as 220 x 220.",
    part: "Enter a number such as 0.5.",
    pixels: "Enter a whole number.",
    flag: "",
  },
  reset: "Reset the options",
  format: "Format",
  download: "Download",
  preview: "Preview",
  previewOf: (thing: string) => `Preview: ${thing}`,
  asking: "Making a preview …",
  plate: (number: number, count: number) => `Plate ${number} of ${count}`,
  page: (number: number, count: number) => `Page ${number} of ${count}`,
  facts: "Material and time",
  plates: (count: number) => amount(count, "plate"),
  solids: (count: number) => amount(count, "solid"),
  pages: (count: number) => amount(count, "page"),
  sheetCount: (count: number) => amount(count, "sheet"),
  cells: (sides: readonly number[]) => `cells of ${sides.join(" x ")} mm`,
  volume: (cubic: number) => `${decimal(cubic / 1000)} cm³`,
  material: "Material",
  materials: [
    ["PLA", 1.24],
    ["PETG", 1.27],
    ["ABS", 1.04],
    ["Nylon", 1.14],
    ["Resin", 1.15],
    ["Beech", 0.72],
    ["Brass", 8.5],
  ],
  other: "Other",
  density: "Density",
  densityUnit: "g/cm³",
  flow: "Printer lays down",
  flowUnit: "mm³/s",
  speed: "Laser cuts",
  speedUnit: "mm/s",
  grams: (grams: number) => `${decimal(grams)} g, printed solid`,
  printTime: (seconds: number) => `${duration(seconds)} of extrusion, printed solid`,
  printNote: "Infill takes less, travel and heating take more: only a slicer knows the whole time.",
  cut: (mm: number) => `${decimal(mm / 1000)} m to cut`,
  engraved: (mm: number) => `${decimal(mm / 1000)} m to engrave`,
  cutTime: (seconds: number) => `${duration(seconds)} of cutting, without travel`,
  stock: (mm: number) => `${decimal(mm / 1000)} m of stock, saw cuts included`,
  noSolution: "This shows a solution: solve the puzzle first.",
  noPieces: "There are no pieces yet.",
  toSolutions: "Go to Solutions",
  film: {
    view: "3D view of the solution",
    time: "Time",
    apart: "Pull apart",
    picture: "Picture",
    transparent: "without a background",
    png: "Save as PNG",
    svg: "Save as SVG",
    svgHint: "Sharp lines, in parallel projection",
    film: "Film",
    record: (kind: string) => `Film as ${kind}`,
    recordHint: "Plays the solution from the start and films it. You can turn the view meanwhile.",
    stop: "Stop filming",
    filming: "Filming …",
    none: "This browser cannot film.",
    noMotion: "The solution was not taken apart, so there is nothing to film.",
  },
} as const;

/** Two or three digits that matter: 0.42, 3.1, 27. */
function decimal(value: number): string {
  return value < 10 ? value.toFixed(value < 1 ? 2 : 1) : numeral(Math.round(value));
}

/** A time in the words of a clock: 40 s, 12 min, 2 h 5 min. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${numeral(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}
