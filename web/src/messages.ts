// Written by write_messages.py from kumitate/studio/messages.py: change that, then `make messages`.

/** The version of all messages; a server with another one is not this page's. */
export const PROTOCOL: string = "c9fccd816fb9";

/** How the names of puzzle files end; .json and .json.gz may hold something else. */
export const PUZZLE_SUFFIXES = [".kumitate.json", ".kumitate.json.gz", ".xmpuzzle", ".scad", ".json", ".json.gz"] as const;
/** How the names of files to export end. */
export type Suffix = (typeof PUZZLE_SUFFIXES)[number] | ".stl" | ".3mf" | ".obj" | ".scad" | ".glb" | ".svg" | ".png" | ".gif" | ".apng" | ".html" | ".pdf" | ".csv" | ".txt" | ".dxf";

/** An option of how things are made; which of them act on a view in a file, by "SUFFIX VIEW". */
export type MakeName = "unit" | "inset" | "bevel" | "bevel_units" | "wall" | "drain" | "label" | "neck" | "bed" | "gap" | "each" | "split" | "width";
export interface MakeOption {
  readonly name: MakeName;
  readonly kind: "mm" | "sides" | "bed" | "flag" | "part" | "pixels";
  readonly help: string;
}
export const MAKE_OPTIONS: readonly MakeOption[] = [
  { name: "unit", kind: "sides", help: "Size of a cell. Default: chosen to suit the longest piece." },
  { name: "inset", kind: "mm", help: "Clearance on every face. Default: 0.07." },
  { name: "bevel", kind: "mm", help: "Bevel of the outer edges. Default: 0.5." },
  { name: "bevel_units", kind: "flag", help: "Bevel every cell." },
  { name: "wall", kind: "mm", help: "Make pieces hollow, with walls this thick." },
  { name: "drain", kind: "mm", help: "Add a drain hole this wide." },
  { name: "label", kind: "flag", help: "Engrave the names of the pieces." },
  { name: "neck", kind: "part", help: "Thickness of necks between balls; 1 is as thick as a ball." },
  { name: "bed", kind: "bed", help: "Size of the print bed (default 180x180) or laser sheet (default 300x200)." },
  { name: "gap", kind: "mm", help: "Gap between pieces on the bed. Default: 6." },
  { name: "each", kind: "flag", help: "Write one file per piece." },
  { name: "split", kind: "flag", help: "Split into parts that print without support." },
  { name: "width", kind: "pixels", help: "Width of a picture." },
];
export const EFFECTS: Readonly<Record<string, readonly MakeName[]>> = {".stl pieces": ["unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck", "bed", "gap", "each", "split"], ".stl assembly": ["unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck"], ".stl box": ["unit", "bed", "gap", "each"], ".3mf pieces": ["unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck", "bed", "gap", "each", "split"], ".3mf assembly": ["unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck"], ".3mf box": ["unit", "bed", "gap", "each"], ".obj pieces": ["unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck", "bed", "gap", "each", "split"], ".obj assembly": ["unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck"], ".obj box": ["unit", "bed", "gap", "each"], ".scad pieces": ["unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck", "bed", "gap", "each", "split"], ".scad assembly": ["unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck"], ".scad box": ["unit", "bed", "gap", "each"], ".glb steps": ["unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck"], ".glb assembly": ["unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck"], ".glb pieces": ["unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck"], ".svg sheets": ["unit", "inset", "bed"], ".svg sticks": ["unit", "inset"], ".png pieces": ["width"], ".png assembly": ["width"], ".png exploded": ["width"], ".png layers": ["width"], ".png steps": ["width"], ".gif steps": ["width"], ".apng steps": ["width"], ".csv sticks": ["unit", "inset"], ".txt sticks": ["unit", "inset"], ".dxf sheets": ["unit", "inset", "bed"]};

/** What may be wished of a new puzzle; what may be maximised; the families of goals. */
export type WishName = "pieces" | "holes" | "maximise" | "unique" | "level" | "smallest" | "largest" | "notchable" | "millable" | "printable" | "different" | "identical" | "symmetric" | "keep" | "home" | "no_turns" | "seed";
export interface WishOption {
  readonly name: WishName;
  readonly kind: "flag" | "count" | "range" | "names" | "part";
  readonly help: string;
}
export const WISHES: readonly WishOption[] = [
  { name: "pieces", kind: "count", help: "Number of pieces to design. Default: 4 for a box." },
  { name: "holes", kind: "range", help: "Number of cells inside that stay empty, or a range such as 0..8." },
  { name: "maximise", kind: "names", help: "What to maximise, most important first; separate by commas, or repeat the option." },
  { name: "unique", kind: "flag", help: "Exactly one assembly comes apart." },
  { name: "level", kind: "count", help: "Lowest level to accept." },
  { name: "smallest", kind: "count", help: "Fewest cells in a piece." },
  { name: "largest", kind: "count", help: "Most cells in a piece." },
  { name: "notchable", kind: "flag", help: "A saw can make every piece." },
  { name: "millable", kind: "flag", help: "A milling cutter can make every piece." },
  { name: "printable", kind: "flag", help: "Every piece prints without support." },
  { name: "different", kind: "flag", help: "No two pieces are the same." },
  { name: "identical", kind: "flag", help: "All pieces are the same." },
  { name: "symmetric", kind: "flag", help: "Every piece is symmetric." },
  { name: "keep", kind: "names", help: "A piece that must not change; may be repeated." },
  { name: "home", kind: "names", help: "A drawing of the cells that one piece may use; repeat it for each piece." },
  { name: "no_turns", kind: "part", help: "Turns open it no sooner than slides, at this tolerance, a part of a cell such as 0.02." },
  { name: "seed", kind: "count", help: "Seed of the random choices. Default: 0." },
];
export type ObjectiveName = "level" | "moves" | "dead-ends" | "false-assemblies" | "fewest-holes" | "most-holes" | "first-piece" | "turns" | "smallest";
export const OBJECTIVES: readonly { readonly name: ObjectiveName; readonly help: string }[] = [
  { name: "level", help: "Moves to the first separation, in the easiest solution." },
  { name: "moves", help: "All moves to take everything apart." },
  { name: "dead-ends", help: "States that can be left in one direction only, before anything separates." },
  { name: "false-assemblies", help: "Assemblies that do not come apart." },
  { name: "fewest-holes", help: "The fewer cells stay empty, the better." },
  { name: "most-holes", help: "The more cells stay empty, the better." },
  { name: "first-piece", help: "Moves until a single piece is out." },
  { name: "turns", help: "Moves that are turns." },
  { name: "smallest", help: "Cells of the smallest piece." },
];
export type FamilyName = "cube" | "burr6" | "burr18" | "board-burr" | "box" | "cage" | "pyramid" | "rhombic" | "tray" | "antislide";

/** What the card of a puzzle in a collection says. */
export interface FoundCard {
  number: number;
  sample: number;
  title: string;
  comment: string;
  level: number;
  levels: string;
  moves: number;
  pieces: number[];
  holes: number;
  assemblies: number | null;
  solutions: number | null;
  picture: string;
}

/** The first event of a stream. */
export interface HelloData {
  protocol: string;
}

/** A shape; pieces and goals refer to it by its id. */
export interface ShapeData {
  id: number;
  name: string;
  cells: [number, number, number, number, number, number][];
  weight: number;
  colour: string;
}

/** How many copies of a piece may belong to a group. */
export interface GroupData {
  group: number;
  copies: number;
}

/** A shape that a problem uses, and how many copies. */
export interface PieceData {
  shape: number;
  min: number;
  max: number;
  groups: GroupData[];
}

/** A piece (which of the problem's, counted from 0) turned and shifted into the goal. */
export interface PlacementData {
  piece: number;
  turn: number;
  shift: [number, number, number];
}

/** Fill the goal with the pieces; `allowed` pairs a piece's colour with a goal's. */
export interface ProblemData {
  name: string;
  goal: number | null;
  pieces: PieceData[];
  allowed: [number, number][];
  max_holes: number | null;
  pinned: PlacementData[];
  forbidden: PlacementData[];
}

/** A whole puzzle, as the page edits it. */
export interface PuzzleData {
  grid: string;
  title: string;
  designer: string;
  comment: string;
  popup: boolean;
  colours: string[];
  shapes: ShapeData[];
  problems: ProblemData[];
}

/** A face of a tile: its corners in order, and the cell beyond, relative to the tile's own. */
export interface SideData {
  normal: [number, number, number];
  ring: number[];
  beyond: [number, number, number, number];
}

/** A tile in space, relative to its lattice point. */
export interface TileData {
  corners: [number, number, number][];
  sides: SideData[];
  centre: [number, number, number];
  height: number;
  section: [number, number][];
  spot: [number, number, number];
}

/** A lattice vector by which a shape can be shifted, and its name. */
export interface WayData {
  name: string;
  shift: [number, number, number];
}

/** The smallest turn about an axis of space that the grid allows. */
export interface TurnData {
  axis: "x" | "y" | "z";
  degrees: number;
}

/** A grid as the page draws it: a cell is a lattice point, in the basis, and a tile. */
export interface GridData {
  key: string;
  name: string;
  basis: [[number, number, number], [number, number, number], [number, number, number]];
  tiles: TileData[];
  radius: number;
  page: [[number, number, number], [number, number, number], [number, number, number]];
  turns: TurnData[];
  mirrors: ("x" | "y" | "z")[];
  shifts: WayData[];
  steps: number;
}

/** A puzzle in the gallery. Its place is library/NAME or folder/PATH. */
export interface Card {
  place: string;
  title: string;
  designer: string;
  grid: string;
  kind: "balls" | "burr" | "flat" | "interlocking" | "packing";
  pieces: number;
  problems: number;
  known: string;
  collection: boolean;
  modified: number | null;
  picture: string;
  error: string;
}

/** The gallery. */
export interface HomeData {
  library: Card[];
  folder: Card[];
  folder_name: string;
  grids: GridData[];
  more: number;
}

/** A puzzle that was opened, or read from a file that was dropped on the page. */
export interface Opened {
  place: string;
  version: string;
  puzzle: PuzzleData;
  grid: GridData;
  writable: boolean;
  warnings: string[];
  kept: string[];
}

/** Some of the puzzles in a collection, the best first. */
export interface CollectionData {
  place: string;
  total: number;
  cards: FoundCard[];
}

/** A new puzzle on a grid. */
export interface NewRequest {
  grid: string;
}

/** A puzzle drawn again in the cells of another grid. */
export interface RegridRequest {
  puzzle: PuzzleData;
  grid: string;
}

/** Save a puzzle; the version is the one it had when it was opened or last saved. */
export interface SaveRequest {
  place: string;
  version: string;
  puzzle: PuzzleData;
  kept?: string[];
}

/** Where a puzzle was saved, its version, and what its format could not keep. */
export interface Saved {
  place: string;
  version: string;
  warnings: string[];
}

/** Keep changes of a puzzle that are not saved, as one tab has made them. */
export interface DraftRequest {
  place: string;
  version: string;
  writable: boolean;
  puzzle: PuzzleData;
  time: number;
  tab: string;
  before?: string;
}

/** What is known of a draft in a list. */
export interface DraftCard {
  id: string;
  place: string;
  version: string;
  title: string;
  grid: string;
  shapes: number;
  time: number;
  tab: string;
}

/** All drafts, the latest first. */
export interface DraftsData {
  drafts: DraftCard[];
}

/** A draft: the puzzle with its changes. */
export interface DraftData {
  opened: Opened;
  time: number;
  tab: string;
}

/** Why a request was rejected: what is wrong, where, and the way out. */
export interface ErrorData {
  message: string;
  reason: "conflict" | "forbidden" | "large" | "missing" | "ours" | "question";
}

/** A shape changed as a whole; it stays about where it was. */
export interface ChangeRequest {
  grid: string;
  shape: ShapeData;
  how: "mirror" | "origin" | "scale" | "shrink" | "turn";
  axis?: "x" | "y" | "z";
  back?: boolean;
  by?: number;
}

/** A shape drawn as text, layers side by side, or burr sticks by von Känel's numbers. */
export interface TextRequest {
  grid: string;
  text: string;
  name?: string;
}

/** Some shapes, with ids from 0; the page gives them new ids. */
export interface ShapesData {
  shapes: ShapeData[];
  warnings: string[];
}

/** A question about one shape. */
export interface ShapeRequest {
  grid: string;
  shape: ShapeData;
  colour?: string;
  colours?: string[];
}

/** Sentences about a shape, and the shape as text. */
export interface FactsData {
  sentences: string[];
  text: string;
  size: [number, number, number];
}

/** A question about a problem of a puzzle, counted from 0. */
export interface ProblemRequest {
  puzzle: PuzzleData;
  problem?: number;
}

/** A suggested fix: its name, and the puzzle after it. */
export interface FixData {
  name: string;
  puzzle: PuzzleData;
}

/** One sentence about a problem; a fault rules out every assembly. */
export interface FindingData {
  fault: boolean;
  text: string;
  fixes: FixData[];
}

/** All findings about a problem, faults first, and a one-line summary. */
export interface CheckData {
  findings: FindingData[];
  line: string;
}

/** Ask whether turns open a problem, counted from 0, sooner than slides alone. */
export interface ShortcutsRequest {
  puzzle: PuzzleData;
  problem?: number;
  tolerance?: number;
}

/** The first shortcuts, a sentence each, one sentence on what was tried, and a page to save. */
export interface ShortcutsData {
  shortcuts: string[];
  line: string;
  page: string;
}

/** Ask for the placements of a piece that cover a cell of the goal. */
export interface PlacementsRequest {
  puzzle: PuzzleData;
  problem: number;
  piece: number;
  cell?: [number, number, number, number] | null;
}

/** A placement and the cells it covers. */
export interface PlacedData {
  placement: PlacementData;
  cells: [number, number, number, number, number, number][];
}

/** Placements that can be pinned or forbidden. */
export interface PlacementsData {
  placements: PlacedData[];
}

/** How to solve a problem; the names are those of `kumitate.solve_into`. */
export interface SolveOptions {
  mirrors: boolean;
  rotations: boolean;
  thorough: boolean;
  distinct_copies: boolean;
  fine: boolean;
  coordinate: boolean;
  turns: number | null;
  max_states: number | null;
  max_moves: number | null;
  disassemble: boolean;
  keep: string;
  limit: number | null;
  threads: number;
}

/** Solve a problem, counted from 0; the same request again resumes its run. */
export interface SolveRequest {
  puzzle: PuzzleData;
  problem?: number;
  options?: SolveOptions;
}

/** The progress of a run; sent whenever it changes. */
export interface RunData {
  id: string;
  title: string;
  problem: number;
  state: "chosen" | "done" | "failed" | "limit" | "paused" | "running" | "starting";
  options: SolveOptions;
  assemblies: number;
  solutions: number | null;
  kept: number;
  rigid: number;
  stuck: number;
  given_up: number;
  fraction: number;
  seconds: number;
  seconds_left: number | null;
  levels: Record<string, number>;
  message: string;
}

/** Runs, the latest first. */
export interface RunsData {
  runs: RunData[];
}

/** A run with the size of its files; its problem is the one in its own puzzle. */
export interface SearchData {
  run: RunData;
  size: number;
}

/** The runs of a folder, the last written first. */
export interface SearchesData {
  searches: SearchData[];
  more: number;
  size: number;
}

/** Where the puzzle of a run is, and which of its problems was solved, counted from 0. */
export interface WhereData {
  place: string;
  problem: number;
}

/** A cell of the goal, and what must cover it: a piece, or one of its shape; or a colour. */
export interface HereData {
  cell: [number, number, number, number];
  piece: number | null;
  colour: number | null;
}

/** Which solutions to list, and in which order. */
export interface FilterData {
  order?: "found" | "level" | "moves" | "pieces";
  min_level?: number | null;
  max_level?: number | null;
  min_moves?: number | null;
  max_moves?: number | null;
  uses?: number[];
  lacks?: number[];
  copies?: number[] | null;
  alone?: boolean;
  here?: HereData[];
}

/** Ask for `count` of the solutions that pass the filter, from index `first` on. */
export interface PageRequest extends FilterData {
  first?: number;
  count?: number;
  find?: number;
}

/** Choose solutions: keep, or delete, some rows of the list from index `first` on. */
export interface ChooseRequest extends FilterData {
  act?: "delete" | "keep" | "unique";
  first?: number;
  count?: number | null;
}

/** Make each solution that passes the filter a piece of a new puzzle: its pieces, joined. */
export interface ShapesOfRequest extends FilterData {
  pieces?: number[];
  connected?: boolean;
  mirrors?: boolean;
}

/** Look for one assembly of a problem, or pack as many pieces, or fill as many cells, as fit. */
export interface OneRequest {
  puzzle: PuzzleData;
  problem?: number;
  what?: "cells" | "first" | "pieces";
  seconds?: number;
}

/** What was found, in words: an assembly as a run, or a packing as a puzzle of its own. */
export interface OneData {
  words: string;
  run: RunData | null;
  packed: Opened | null;
}

/** A solution in the list; ask for it by its number. */
export interface RowData {
  number: number;
  levels: string;
  moves: number | null;
  pieces: number[];
}

/** Some rows, the total number that pass the filter, and where the one looked for is. */
export interface PageData {
  total: number;
  rows: RowData[];
  found: number | null;
}

/** A bar of a histogram. */
export interface BarData {
  value: number;
  count: number;
}

/** How many solutions have a piece on each cell of the goal. */
export interface PositionsData {
  piece: number;
  name: string;
  colour: string;
  cells: [number, number, number, number, number][];
  placements: number[];
}

/** How many solutions use a set of pieces. */
export interface SetData {
  copies: number[];
  count: number;
}

/** What the solutions of a run have in common. */
export interface StatisticsData {
  counted: number;
  total: number;
  levels: BarData[];
  moves: BarData[];
  positions: PositionsData[];
  sets: SetData[];
  set_count: number;
  alone: number;
}

/** Look for new puzzles, and keep them in a collection of the folder. */
export interface DesignRequest {
  way?: "burrs" | "cuts" | "design" | "improve" | "pieces";
  goal?: string;
  puzzle?: PuzzleData | null;
  problem?: number;
  wish?: Record<string, boolean | number | (number | string)[]>;
  seconds?: number | null;
  threads?: number;
}

/** How far a collection is; sent whenever it changes. */
export interface DesignData {
  place: string;
  what: string;
  state: "done" | "elsewhere" | "failed" | "limit" | "paused" | "running" | "starting";
  designed: boolean;
  samples: number;
  found: number;
  best: string;
  seconds: number;
  saved: number;
  message: string;
}

/** The collections of the folder, the last written first. */
export interface DesignsData {
  designs: DesignData[];
}

/** Pause or resume what fills a collection. */
export interface DesignActRequest {
  place: string;
  act: "pause" | "resume";
  threads?: number;
}

/** The colour of a cell, painted on a side of a piece: a convex polygon; or on a whole ball. */
export interface PatchData {
  colour: number;
  ring: number[];
}

/** What a piece looks like wherever it lies: triangles, or balls joined by necks. */
export interface FormData {
  positions: number[];
  triangles: number[];
  edges: number[];
  balls: [number, number, number][];
  radius: number;
  necks: [number, number][];
  open_parts: number[];
  patches: PatchData[];
}

/** A direction in which pieces slide, and for each tile the cells that it comes through. */
export interface StepData {
  by: [number, number, number];
  way: [number, number, number];
  words: string;
  swept: [number, number, number, number][][];
}

/** What the pieces of a run's problem look like, in their order, and how they may slide. */
export interface FormsData {
  forms: FormData[];
  steps: StepData[];
}

/** What moves as one: a piece, turned by the rows of a matrix and put at its place. */
export interface BodyData {
  name: string;
  piece: number;
  colour: string;
  weight: number;
  turn: [[number, number, number], [number, number, number], [number, number, number]];
  at: [number, number, number];
  cells: [number, number, number, number][];
}

/** Where a point of turning bodies is on their way, and by how many radians they have turned. */
export interface StopData {
  at: [number, number, number];
  angle: number;
}

/** Bodies that turn together from stop to stop, counter-clockwise seen from the axis's tip. */
export interface TurningData {
  bodies: number[];
  axis: [number, number, number];
  route: StopData[];
}

/** A moment: where each body is, seen from where it lay at first, and whether it is visible. */
export interface PoseData {
  shifts: [number, number, number][];
  shown: boolean[];
  words: string;
  kind: "away" | "move" | "part" | "start" | "turn";
  level: string;
  turns: [[number, number, number], [number, number, number], [number, number, number]][];
  turning: TurningData | null;
}

/** A solution, ready to play; between two poses, bodies slide straight or turn. */
export interface SolutionData {
  number: number;
  levels: string;
  moves: number | null;
  bodies: BodyData[];
  poses: PoseData[];
  text: string;
}

/** Ask for the next move from a position of those bodies of a solution that are together. */
export interface HintRequest {
  at: [number, number, number][];
  among: number[];
}

/** The next move, and how many it takes until something comes off; or why there is none. */
export interface HintData {
  outcome: "stuck" | "unknown" | "way";
  moving: number[];
  step: number;
  units: number;
  moves: number;
}

/** A move that leads from one state to another, and so back. */
export interface EdgeData {
  ends: [number, number];
  moving: number[];
  step: number;
  units: number;
}

/** The states of a solution that are reached before anything comes off, nearest first. */
export interface StatesData {
  states: [number, number, number][][];
  depths: number[];
  exits: number[];
  dead_ends: number[];
  edges: EdgeData[];
  whole: boolean;
}

/** Export a puzzle, or a solution of it, to a file. */
export interface ExportRequest {
  puzzle: PuzzleData;
  problem?: number;
  to?: string;
  show?: string;
  run?: string;
  number?: number;
  kept?: string;
  make?: Record<string, boolean | number | number[]>;
}

/** A closed mesh in millimetres. */
export interface SolidData {
  name: string;
  colour: string;
  positions: number[];
  triangles: number[];
  volume: number;
}

/** A solid on a plate, which of them and where. */
export interface LaidData {
  solid: number;
  at: [number, number, number];
}

/** What an export would make: plates of solids on a bed, or drawings, or text; lengths in mm. */
export interface PreviewData {
  unit: number[];
  bed: [number, number] | null;
  plates: LaidData[][];
  solids: SolidData[];
  drawings: string[];
  text: string;
  cut: number;
  engraved: number;
  stock: number;
  warnings: string[];
}

/** Ask for a drawing of a solution's bodies at these places, seen by a camera. */
export interface ViewRequest {
  places: [[[number, number, number], [number, number, number], [number, number, number]], [number, number, number]][];
  shown: boolean[];
  axes: [[number, number, number], [number, number, number], [number, number, number]];
}

export const DEFAULT_OPTIONS: SolveOptions = {
  "mirrors": false,
  "rotations": false,
  "thorough": false,
  "distinct_copies": false,
  "fine": false,
  "coordinate": false,
  "turns": null,
  "max_states": null,
  "max_moves": null,
  "disassemble": false,
  "keep": "all",
  "limit": null,
  "threads": 1
};
