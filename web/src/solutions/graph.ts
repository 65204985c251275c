// The graph of a solution's states as a picture: a band for each distance from the assembly, a dot for each state, and
// the ways that lead from one to another. A band of many states has several lines of them. All of it is pure.

import type { Position } from "../hand/rules";
import { actOf, type SlideOn } from "../hand/ways";
import type { Pose } from "../scene/motion";
import type { EdgeData, StatesData } from "../messages";
import { EPSILON, length, minus, plus, times, ZERO, type Vector } from "../vector";

export type Kind = "start" | "exit" | "dead" | "between";
export type Spot = readonly [x: number, y: number];

export interface Band {
  readonly depth: number;
  readonly top: number;
  readonly height: number;
  readonly states: readonly number[]; // from left to right
}
export interface Picture {
  readonly spots: readonly Spot[]; // of each state
  readonly bands: readonly Band[];
  readonly radius: number; // of a dot
  readonly height: number;
}

const [LEAST, MOST] = [11, 30]; // pixels between two dots
const BETWEEN = 18; // two bands
export const MARGIN = 44; // at the left, for the distances

/** For each state the edges that meet there. */
export function meetings({ states, edges }: Pick<StatesData, "states" | "edges">): readonly (readonly EdgeData[])[] {
  const met: EdgeData[][] = states.map(() => []);
  for (const edge of edges) for (const end of edge.ends) met[end]!.push(edge);
  return met;
}

export const otherEnd = ({ ends }: EdgeData, state: number) => (ends[0] === state ? ends[1] : ends[0]);

/** Where to draw the states in a picture of this width: each below the middle of those that lead to it. */
export function pictureOf(data: Pick<StatesData, "states" | "edges" | "depths">, width: number): Picture {
  const { depths } = data;
  const layers: number[][] = Array.from({ length: Math.max(-1, ...depths) + 1 }, () => []);
  depths.forEach((depth, state) => layers[depth]!.push(state));
  const met = meetings(data);
  const room = Math.max(MOST, width - MARGIN - MOST / 2);
  const gap = Math.min(MOST, Math.max(LEAST, room / Math.max(1, ...layers.map(({ length }) => length))));
  const fitting = Math.max(1, Math.floor(room / gap));
  const spots: Spot[] = depths.map(() => [0, 0]);
  const middleAbove = (state: number) => {
    const above = met[state]!.map((edge) => otherEnd(edge, state)).filter((each) => depths[each]! < depths[state]!);
    return above.reduce((sum, each) => sum + spots[each]![0], 0) / Math.max(1, above.length);
  };
  let top = BETWEEN / 2;
  const bands = layers.map((layer, depth): Band => {
    const middles = new Map(layer.map((state) => [state, middleAbove(state)]));
    const states = layer.toSorted((a, b) => middles.get(a)! - middles.get(b)! || a - b);
    const lines = Math.ceil(states.length / fitting);
    const columns = Math.ceil(states.length / lines);
    const left = MARGIN + (room - (columns - 1) * gap) / 2;
    states.forEach((state, n) => {
      spots[state] = [left + Math.floor(n / lines) * gap, top + gap / 2 + (n % lines) * gap];
    });
    const band = { depth, top, height: lines * gap, states };
    top += lines * gap + BETWEEN;
    return band;
  });
  return { spots, bands, radius: gap * 0.3, height: top - BETWEEN / 2 };
}

const MOST_EDGES = 1500; // more make a picture black

/** The edges to draw: all or, of very many, the first that leads to each state. */
export function drawnEdges({ edges, depths }: Pick<StatesData, "edges" | "depths">): readonly EdgeData[] {
  if (edges.length <= MOST_EDGES) return edges;
  const reached = new Set<number>();
  return edges.filter(({ ends: [a, b] }) => {
    const [near, far] = depths[a]! < depths[b]! ? [a, b] : [b, a];
    return depths[near] !== depths[far] && !reached.has(far) && reached.add(far);
  });
}

/** What each state is, by its number. */
export function kindsOf({ states, exits, dead_ends }: Pick<StatesData, "states" | "exits" | "dead_ends">): Kind[] {
  const kinds = states.map((): Kind => "between");
  for (const state of dead_ends) kinds[state] = "dead";
  for (const state of exits) kinds[state] = "exit";
  if (kinds[0] === "between") kinds[0] = "start";
  return kinds;
}

/** The outline of a dot: other shapes for what matters, since not everybody sees colours. */
export function markOf(kind: string, radius: number): string {
  const far = 1.35 * radius;
  if (kind === "start") return `M${-far} ${-far}H${far}V${far}H${-far}Z`;
  if (kind === "exit") return `M0 ${-1.25 * far}L${1.1 * far} ${far}H${-1.1 * far}Z`;
  if (kind === "dead") return `M${-far} ${-far}L${far} ${far}M${-far} ${far}L${far} ${-far}`;
  return `M${-radius} 0A${radius} ${radius} 0 1 0 ${radius} 0A${radius} ${radius} 0 1 0 ${-radius} 0Z`;
}

/** The state nearest to a point, -1 if none is within reach. */
export function stateAt({ spots }: Pick<Picture, "spots">, [x, y]: Spot, reach: number): number {
  let [best, least] = [-1, reach];
  spots.forEach((spot, state) => {
    const far = Math.hypot(spot[0] - x, spot[1] - y);
    if (far <= least) [best, least] = [state, far];
  });
  return best;
}

/** The state that an arrow key leads to: along its band, or the nearest of the next one. */
export function neighbour({ bands, spots }: Picture, depths: readonly number[], state: number, key: string): number {
  const depth = depths[state] ?? 0;
  const band = bands[depth];
  if (!band) return -1;
  const across = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (across) return band.states[band.states.indexOf(state) + across] ?? state;
  const down = { ArrowUp: -1, ArrowDown: 1 }[key];
  const [x] = spots[state]!;
  const far = (each: number) => Math.abs(spots[each]![0] - x);
  const next = (down && bands[depth + down]?.states) || [];
  return next.reduce((best, each) => (best === state || far(each) < far(best) ? each : best), state);
}

// ---- ways ----

/** Which state a position is, -1 if it is not among them. */
export function finderOf(states: StatesData["states"]): (at: Position) => number {
  const numbers = new Map(states.map((state, n) => [keyOf(state), n]));
  return (at) => numbers.get(keyOf(at)) ?? -1;
}
const keyOf = (at: Position) => at.map((each) => minus(each, at[0]!).join()).join(";"); // seen from the first body

/** The slides of a shortest way from a state to another; null if none leads there. */
export function wayTo(
  data: Pick<StatesData, "states" | "edges">,
  steps: readonly { readonly by: Vector }[],
  from: number,
  to: number,
): SlideOn[] | null {
  const met = meetings(data);
  const by = new Map<number, EdgeData | null>([[from, null]]);
  for (const state of by.keys()) {
    if (by.has(to)) break;
    for (const edge of met[state]!) {
      const there = otherEnd(edge, state);
      if (!by.has(there)) by.set(there, edge);
    }
  }
  if (!by.has(to)) return null;
  const way: SlideOn[] = [];
  for (let state = to; ;) {
    const edge = by.get(state);
    if (!edge) return way.reverse();
    const back = edge.ends[0] === state;
    way.push({ moving: edge.moving, step: back ? opposite(steps, edge.step) : edge.step, units: edge.units });
    state = otherEnd(edge, state);
  }
}

function opposite(steps: readonly { readonly by: Vector }[], step: number): number {
  const back = steps[step]!.by.map((part) => -part || 0).join();
  return steps.findIndex(({ by }) => by.join() === back);
}

/** The position at each pose of a motion until something turns, comes off or stops between the cells. */
export function positionsOf(
  steps: readonly { readonly by: Vector; readonly way: Vector }[],
  poses: readonly (Pose & { readonly words?: string })[],
): Position[] {
  const found: Position[] = poses.slice(0, 1).map(({ shifts }) => shifts.map(() => ZERO));
  for (const [n, pose] of poses.slice(1).entries()) {
    const before = poses[n]!;
    const act = actOf({ steps }, before, pose) ?? { moving: [], step: 0, units: 0 };
    if ("turning" in act || pose.shown.some((shown) => !shown)) break;
    const { by, way } = steps[act.step]!;
    const slid = (body: number) => (act.moving.includes(body) ? act.units : 0);
    const astray = (shift: Vector, body: number) =>
      length(minus(minus(shift, before.shifts[body]!), times(slid(body), way))) > EPSILON;
    if (pose.shifts.some(astray)) break;
    found.push(found.at(-1)!.map((at, body) => plus(at, times(slid(body), by))));
  }
  return found;
}
