// Written by write_messages.py from kumitate/studio/messages.py: change that, then `make messages`.

/** A shape; pieces and goals name it by its id. */
export interface ShapeData {
  id: number;
  name: string;
  cells: [number, number, number, number, number, number][];
  weight: number;
}

/** How many copies of a piece may belong to a group. */
export interface GroupData {
  group: number;
  copies: number;
}

/** A shape that a problem uses, and how often. */
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

/** A face of a tile: its corners in order, and the cell beyond, seen from the tile's own. */
export interface SideData {
  normal: [number, number, number];
  ring: number[];
  beyond: [number, number, number, number];
}

/** A tile in space, seen from its lattice point. */
export interface TileData {
  corners: [number, number, number][];
  sides: SideData[];
  centre: [number, number, number];
  height: number;
  section: [number, number][];
  spot: [number, number, number];
}

/** A lattice vector by which a shape can be shifted, and what to call it. */
export interface WayData {
  name: string;
  shift: [number, number, number];
}

/** A turn about an axis of space, as far as the grid allows. */
export interface TurnData {
  axis: "x" | "y" | "z";
  degrees: number;
}

/** A grid as the page draws it: a cell's place is its lattice point in the basis, and a tile. */
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

/** A puzzle as it was found, or read from a file that was dropped on the page. */
export interface Opened {
  place: string;
  version: string;
  puzzle: PuzzleData;
  grid: GridData;
  writable: boolean;
  warnings: string[];
}

/** A new puzzle on a grid. */
export interface NewRequest {
  grid: string;
}

/** Save a puzzle; the version is the one it had when it was opened or last saved. */
export interface SaveRequest {
  place: string;
  version: string;
  puzzle: PuzzleData;
}

/** Where a puzzle lies now, in which version, and what its format could not keep. */
export interface Saved {
  place: string;
  version: string;
  warnings: string[];
}

/** Why a request was refused: what, where, and the way out. */
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

/** Some shapes, with ids from 0; the page gives them its own. */
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

/** What there is to say of a shape, in words, and the shape as text. */
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

/** A way out: what to call it, and the puzzle as it would be. */
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

/** All there is to say about a problem, faults first, and one line that sums it up. */
export interface CheckData {
  findings: FindingData[];
  line: string;
}

/** Where a piece can lie in the goal so that it covers a cell. */
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

/** How a problem is solved; the words are those of `kumitate.solve_into`. */
export interface SolveOptions {
  disassemble: boolean;
  mirrors: boolean;
  rotations: boolean;
  thorough: boolean;
  distinct_copies: boolean;
  fine: boolean;
  coordinate: boolean;
  keep: string;
  limit: number | null;
  threads: number;
}

/** Solve a problem, counted from 0; the same question again goes on with its run. */
export interface SolveRequest {
  puzzle: PuzzleData;
  problem?: number;
  options?: SolveOptions;
}

/** How far a run is; sent whenever that changes. */
export interface RunData {
  id: string;
  title: string;
  problem: number;
  state: "done" | "failed" | "limit" | "paused" | "running" | "starting";
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

/** Some rows of a run's solutions, from the first-th (counted from 0) that pass the filter. */
export interface PageRequest {
  first?: number;
  count?: number;
  order?: "found" | "level" | "moves" | "pieces";
  min_level?: number | null;
  max_level?: number | null;
  min_moves?: number | null;
  max_moves?: number | null;
  uses?: number[];
  lacks?: number[];
}

/** A solution in the list; its number is by which it can be asked for. */
export interface RowData {
  number: number;
  levels: string;
  moves: number | null;
  pieces: number[];
}

/** Some rows, and how many pass the filter in all. */
export interface PageData {
  total: number;
  rows: RowData[];
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

/** What the solutions of a run have in common. */
export interface StatisticsData {
  counted: number;
  total: number;
  levels: BarData[];
  moves: BarData[];
  positions: PositionsData[];
}

/** What moves as one, as triangles in space, or as balls joined by necks. */
export interface BodyData {
  name: string;
  piece: number;
  colour: string;
  weight: number;
  positions: number[];
  triangles: number[];
  edges: number[];
  balls: [number, number, number][];
  radius: number;
  necks: [number, number][];
}

/** A moment: where each body is, seen from where it lay at first, and whether it is there. */
export interface PoseData {
  shifts: [number, number, number][];
  shown: boolean[];
  words: string;
  kind: "away" | "move" | "part" | "start";
  level: string;
}

/** A solution, ready to be watched; from one pose to the next bodies slide on straight lines. */
export interface SolutionData {
  number: number;
  levels: string;
  moves: number | null;
  bodies: BodyData[];
  poses: PoseData[];
  text: string;
}

/** A file to take along: of a puzzle, or of a solution of a run. */
export interface ExportRequest {
  puzzle: PuzzleData;
  problem?: number;
  to?: string;
  show?: string;
  run?: string;
  number?: number;
  unit?: number | null;
  bevel?: number | null;
  inset?: number | null;
}
