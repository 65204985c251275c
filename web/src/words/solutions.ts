// The words of Solutions.

import { amount, numeral } from "./amount";

export const said = {
  panes: {
    list: "Solutions",
    view: "View",
    more: "Pieces",
  },
  // Solving.
  problem: "Problem",
  problemName: (name: string, number: number) => name || `Problem ${number}`,
  solve: "Solve",
  solveAnew: "Solve again",
  solveSo: "Solve with these options",
  findAll: "Find all",
  pause: "Pause",
  resume: "Resume",
  discard: "Discard",
  starting: "Starting …",
  assemblies: (count: number) => amount(count, "assembly", "assemblies"),
  solutions: (count: number) => amount(count, "solution"),
  progress: "Progress of the solve",
  left: (time: string) => `${time} left`,
  unknownLeft: "estimating the time left",
  paused: "Paused",
  lessThanASecond: "less than a second",
  aFewSeconds: "a few seconds",
  about: (time: string) => `about ${time}`,
  years: "years",
  options: "Options",
  stopTitle: "Discard this solve?",
  stopText: (found: string) => `This deletes what was found so far: ${found}.`,
  pauseText: "If you pause instead, it is kept, and you can resume at any time.",
  stopAndDrop: "Discard",
  pauseInstead: "Pause instead",
  stale: "These solutions belong to an earlier version of the puzzle.",
  results: "Results",
  ways: {
    plain: "default",
    disassemble: "assemblies only",
    mirrors: "mirror images counted separately",
    rotations: "rotations and mirror images counted separately",
    thorough: "thorough",
    distinct_copies: "copies counted separately",
    fine: "half steps",
    coordinate: "coordinate motion",
    turns: (tolerance: number) => (tolerance ? `turns with a tolerance of ${tolerance}` : "turns"),
    keep: { best: "keep best by level:", "best-moves": "keep best by moves:", every: "keep one of every" } as Record<
      string,
      string
    >,
    limit: (count: number) => `at most ${numeral(count)}`,
  },
  option: {
    disassemble: ["Take apart", "Find out how each assembly comes apart. Only those that do count as solutions."],
    mirrors: ["Count mirror images separately", "An assembly and its mirror image are two."],
    rotations: [
      "Count rotations and mirror images separately",
      "Count an assembly once for each way to turn or mirror it.",
    ],
    thorough: ["Thorough comparison", "Count an assembly once even if optional cells let it lie in several places."],
    distinct_copies: ["Count copies separately", "Swapping two identical pieces gives another assembly."],
    fine: ["Half steps", "Pieces may also stop halfway between two positions."],
    coordinate: [
      "Coordinate motion",
      "If no other move works, let several pieces move at once in different directions.",
    ],
  },
  turns: "Turns",
  noTurns: "not allowed",
  alsoTurns: "allowed",
  tolerance: "Tolerance of turns",
  toleranceHint: "tolerance, as a part of a cell (0: a perfect fit)",
  keep: "Keep",
  keepAll: "all solutions",
  keepBest: "the best by level",
  keepBestMoves: "the best by moves",
  keepHow: "How many to keep",
  limit: "Stop after",
  limitHint: "leave empty to find all",
  limitUnit: "solutions",
  threads: "Threads",
  threadsHint: (cores: number) => `this computer has ${amount(cores, "core")}`,

  // How it ended.
  done: (found: string, time: string) => `Found all ${found} in ${time}.`,
  doneOne: (found: string, time: string) => `Found ${found}, the only one, in ${time}.`,
  ofAssemblies: (assemblies: string) => `(of ${assemblies})`,
  noAssembly: "There is no assembly: the pieces cannot fill the goal.",
  noneApart: (assemblies: string) => `${assemblies}, but none comes apart.`,
  rigid: (count: number) => `${numeral(count)} ${count === 1 ? "is" : "are"} rigid: nothing can move.`,
  stuck: (count: number) => `${numeral(count)} ${count === 1 ? "moves" : "move"}, but no piece ever comes free.`,
  givenUp: (count: number) =>
    `${numeral(count)} ${count === 1 ? "was" : "were"} given up: too many positions to search.`,
  noneApartTitle: "It does not come apart",
  showAssemblies: "Show the assemblies",
  tryCoordinate: "Try coordinate motion",
  tryTurns: "Try turns",
  limitReached: (found: string) => `The first ${found}. There may be more.`,
  failedTitle: "The solve failed",
  failed: "It ended for an unknown reason.",
  tryAgain: "Try again",
  dropAndSolve: "Discard and solve again",

  // Chosen solutions.
  chosen: (count: number) => (count ? `${amount(count, "solution")}, chosen or saved.` : "All solutions were deleted."),
  chosenRun: "chosen",
  undoChoice: "Undo the last change",
  inFile: "in the file",
  keptInFile: "Saved in the puzzle's file.",
  keptSoon: "Will be in the file when you save.",
  notKept: "Not in the puzzle's file.",
  keepInFile: "Save with the puzzle",
  edit: "Edit",
  editList: "Edit the list",
  keepThese: "Keep only these",
  deleteThese: "Delete these",
  keepUnique: "Remove look-alikes",
  deleteAll: "Delete all",
  deleteBefore: "Delete before",
  deleteAt: "Delete this one",
  deleteAfter: "Delete after",

  // The list.
  goTo: "Go to no.",
  pictures: "Pictures",
  noSuchNumber: "The list has no solution with this number.",
  here: "Piece here",
  hereWhat: "What lies there",
  hereHint: "Click the cells that it must cover.",
  colour: (number: number) => `colour ${number}`,
  noColour: "no colour",
  alone: "Only piece sets with one solution",
  onlySet: (names: string) => `Only with ${names}`,
  anySet: "Any set",
  list: "List",
  statistics: "Statistics",
  compare: "Compare",
  states: "States",
  views: "Solutions as",
  listOf: "Solutions",
  sort: "Sort by",
  number: "No.",
  level: "Level",
  moves: "Moves",
  pieces: "Pieces",
  sortBy: (column: string) => `Sort by ${column}, highest first`,
  sortFound: "In the order found",
  filter: "Filter",
  filterOn: "Filter (on)",
  from: "from",
  to: "to",
  uses: "Pieces used",
  any: "any",
  must: "used",
  mustNot: "not used",
  clear: "Clear the filter",
  totalFiltered: (passed: number, all: number) => `${numeral(passed)} of ${amount(all, "solution")}`,
  more: (count: number) => `Show ${amount(count, "new solution")}`,
  changed: "Show the new best",
  loading: "…",
  nonePass: "No solutions match this filter.",

  // Comparing.
  compareWith: "Compare …",
  compareHint: "Put this solution beside others",
  compareStop: "Stop comparing",
  compareThis: (number: number) => `Compare solution ${numeral(number)} with others`,
  compareIntro:
    "See two solutions side by side, and what differs. The one that you choose first stays beside every other that you choose in the list, also in another problem or another version of the puzzle.",
  compareOther: "Compare with no.",
  compareSame: "This is the same solution. Choose another one in the list.",
  besideView: "The pieces of the other solution in 3D",
  ofPuzzle: (solution: string, title: string) => `${solution} · ${title}`,
  differs: (count: number, all: number) =>
    count
      ? count === all
        ? `All ${amount(count, "piece")} lie elsewhere.`
        : `${numeral(count)} of ${amount(all, "piece")} ${count === 1 ? "lies" : "lie"} elsewhere.`
      : "Every piece lies in the same place.",
  asTheyLie: "Each is compared as it lies: a solution that lies turned or mirrored differs.",
  otherCells: "The two fill different cells.",
  alike: "in the same place",
  elsewhere: "elsewhere",
  onlyIn: (number: number) => `only in solution ${numeral(number)}`,
  fact: "Solution",
  apartAlready: "Already apart.",
  outlineAlike: "Outline what lies alike",

  // States.
  statesOf: "States of the pieces",
  loadingStates: "Looking for all states …",
  statesCount: (count: number, far: number, whole: boolean) =>
    whole
      ? `${amount(count, "state")}, up to ${amount(far, "move")} from the assembly.`
      : `The nearest ${numeral(count)} states, up to ${amount(far, "move")} from the assembly. There are more, so dead ends are not marked.`,
  rigidState: "The assembly is the only state: no piece can move by itself.",
  exits: (count: number, whole: boolean) =>
    count
      ? `${amount(count, "exit")}, where something comes off.`
      : whole
        ? "No exit: by sliding, nothing ever comes off."
        : "No exit among them: by sliding, nothing comes off so soon.",
  deadEnds: (count: number) => amount(count, "dead end"),
  someEdges: "One way to each state is drawn, and all that lead on from the state you point at.",
  slidesOnly: "These are slides by whole cells; turns, half steps and coordinate motion are not drawn.",
  statesHint: "Click a state, or go to it with the arrow keys and press Enter: the pieces slide there.",
  farAway: (depth: number) => (depth ? `${amount(depth, "move")} from the assembly` : "the assembly"),
  state: (number: number, depth: string, kind: "start" | "exit" | "dead" | "between") =>
    `State ${numeral(number)}: ${depth}${{ start: "", between: "", exit: ", an exit", dead: ", a dead end" }[kind]}`,
  leadOn: (count: number) => `${amount(count, "move")} lead${count === 1 ? "s" : ""} to other states.`,
  takenAway: "Something can be taken away here.",
  youAreHere: "You are here.",
  cameOff: "Something has come off; the states are those before.",
  seeState: "Show it in the view",
  marks: {
    start: "the assembly",
    exit: "exit",
    dead: "dead end",
    here: "where you are",
    yours: "your way",
    known: "the solution's way",
  },

  // Nothing there yet.
  emptyTitle: "Not solved yet",
  empty:
    "Press Solve to find every way to put this puzzle together, and how it comes apart. Solutions appear here while the search runs; you can keep working in the meantime.",
  noProblemTitle: "Nothing to solve yet",
  noProblem: "Set up a problem first: which pieces fill which goal.",
  toProblem: "Go to Problem",
  refusedTitle: "This cannot be solved yet",
  searching: "Searching for the first solution …",
  searchingMore: "It will be shown here as soon as it is found.",
  nothingTitle: "No solution",
  nothing: "Go back to the problem: the check there says what might be wrong.",
  kept0: "Nothing was kept, so there is nothing to list.",

  // Watching.
  solutionWord: "Solution",
  levelWord: "level",
  movesWord: "moves",
  solution: (number: number) => `Solution ${numeral(number)}`,
  levelIs: (levels: string) => `level ${levels}`,
  movesIs: (count: number) => amount(count, "move"),
  notApart: "Assembly only; it was not taken apart",
  view: "The pieces in 3D",
  player: "Player",
  play: "Play",
  stopPlaying: "Pause",
  start: "Start",
  back: "Back",
  next: "Next",
  end: "End",
  time: "Time",
  at: (pose: number, last: number) => `${pose} of ${last}`,
  atStart: "Assembled.",
  speed: "Speed",
  explode: "Explode",
  parts: "Pieces",
  looks: { solid: "solid", outline: "outline", hidden: "hidden" },
  chipHint: "Click to switch between solid, outline and hidden",
  save: "Save this solution …",
  pickedPiece: (name: string) => `Piece ${name}`,
  solo: "Only this",
  showAll: "Show all",
  hide: "Hide",
  holdStill: "Hold still",
  onlyHere: (name: string) => `Only solutions with ${name} here`,
  unpick: "Deselect",
  cellColours: "Colours of cells",
  heldNote: (name: string) => `(${name} is held still: the rest moves the other way)`,
  allSolid: "All solid",
  allOutline: "All outline",
  hold: "Fixed piece",
  holdAutomatic: (name: string) => `heaviest (${name})`,
  asText: "As text",

  // Statistics.
  levels: "Levels",
  allMoves: "Total moves",
  histogram: (what: string, low: number, high: number) =>
    `${what}, from ${low} to ${high}; the table below has the numbers`,
  bar: (value: string, count: number) => `${value}: ${amount(count, "solution")}`,
  count: "Solutions",
  asTable: "As a table",
  counted: (counted: number, total: number, unfinished: boolean) =>
    counted < total
      ? `Based on the first ${numeral(counted)} of ${amount(total, "solution")}.`
      : unfinished
        ? `Based on ${amount(total, "solution")}.`
        : total === 1
          ? "Based on the only solution."
          : `Based on all ${amount(total, "solution")}.`,
  unfinished: "There may be more: these may not be typical of all.",
  pickCell: "Click a cell to list the solutions with the piece there.",
  sets: "Piece sets",
  setsOf: (count: number, alone: number) =>
    `${amount(count, "set")} of pieces; ${alone === 1 ? "1 has" : `${numeral(alone)} have`} a single solution.`,
  showAlone: "List sets with one solution",
  moreSets: (count: number) => `and ${numeral(count)} more`,
  refresh: "Update",
  where: "Where each piece goes",
  whose: "Piece",
  layer: (number: number) => `Layer ${number}`,
  cellShare: (count: number, total: number) => `${numeral(count)} of ${amount(total, "solution")}`,
  never: "never here",
  always: "in every solution",
  shade: "The darker a cell, the more solutions have the piece there.",
  placements: (count: number, unfinished: boolean) =>
    count === 1
      ? unfinished
        ? "So far it is in the same place."
        : "It is always in the same place."
      : `It is found in ${numeral(count)} different places${unfinished ? " so far" : ""}.`,
  favourite: (count: number, total: number) => `The most common one: ${numeral(count)} of ${numeral(total)}.`,
  cell: "Cell",
  nothingToCount: "There is nothing to count yet.",

  keys: {
    Space: "Play or pause",
    "← / →": "One move back or forward",
    "Home / End": "Go to the start or the end",
    E: "Explode or reassemble",
    F: "Fit the view",
  },
  /** What a list or a view does by itself. */
  gestures: {
    "↑ / ↓": "In the list: previous or next solution",
    "← / → / ↑ / ↓ / Enter": "Among the states: choose one, and slide the pieces there",
  },
} as const;
