import assert from "node:assert/strict";
import test from "node:test";
import { Hand, type Grip } from "../src/hand/hand";
import type { Cell } from "../src/hand/rules";
import type { EdgeData } from "../src/messages";
import {
  drawnEdges,
  finderOf,
  kindsOf,
  MARGIN,
  markOf,
  neighbour,
  otherEnd,
  pictureOf,
  positionsOf,
  stateAt,
  wayTo,
} from "../src/solutions/graph";
import { ZERO, type Vector } from "../src/vector";
import examples from "./slides.json";

const LEFT = 1;
const steps = [
  { by: [1, 0, 0], way: [2, 0, 0] },
  { by: [-1, 0, 0], way: [-2, 0, 0] },
] as const;
const edge = (a: number, b: number, step = 0, units = 1): EdgeData => ({ ends: [a, b], moving: [1], step, units });
const at = (x: number): [number, number, number][] => [
  [0, 0, 0],
  [x, 0, 0],
];
// 0 - 1 - 3, 0 - 2; and 2 - 3 closes a ring. 4 hangs on 3, 5 on nothing.
const graph = {
  states: [0, 1, -1, 2, 3, 9].map(at),
  depths: [0, 1, 1, 2, 3, 3],
  exits: [4],
  dead_ends: [2],
  edges: [edge(0, 1), edge(0, 2, LEFT), edge(1, 3), edge(2, 3, 0, 3), edge(3, 4)],
};

test("every state lies in the band of its distance, within the picture, and no two on one spot", () => {
  for (const width of [200, 300, 2000]) {
    const many = 500;
    const states = Array.from({ length: many + 1 }, (_, n) => at(n));
    const edges = states.slice(1).map((_, n) => edge(0, n + 1));
    const depths = states.map((_, n) => Math.min(1, n));
    const { spots, bands, height, radius } = pictureOf({ states, edges, depths }, width);
    assert.equal(new Set(spots.map(String)).size, many + 1);
    spots.forEach(([x, y], state) => {
      const band = bands[depths[state]!]!;
      assert.ok(band.states.includes(state));
      assert.ok(y - radius >= band.top && y + radius <= band.top + band.height, `${state} at ${width}`);
      assert.ok(x - radius >= MARGIN / 2 && x + radius <= width, `${x} of ${width}`);
    });
    assert.ok(height >= bands.at(-1)!.top + bands.at(-1)!.height);
  }
});

test("a state lies below those that lead to it", () => {
  const { bands } = pictureOf(graph, 300);
  assert.deepEqual(
    bands.map(({ states }) => states),
    [[0], [1, 2], [3], [5, 4]],
  );
});

test("of very many edges one to each state is drawn", () => {
  assert.equal(drawnEdges(graph).length, graph.edges.length);
  const depths = Array.from({ length: 61 }, (_, n) => (n ? 1 + (n % 2) : 0));
  const edges = depths.flatMap((_, a) => depths.slice(0, a).map((_, b) => edge(b, a)));
  const drawn = drawnEdges({ edges, depths });
  assert.equal(drawn.length, 60);
  assert.ok(drawn.every(({ ends: [a, b] }) => depths[a] !== depths[b]));
  assert.equal(new Set(drawn.map(({ ends: [a, b] }) => (depths[a]! > depths[b]! ? a : b))).size, 60);
});

test("exits, dead ends and the assembly are told apart, by their outlines too", () => {
  assert.deepEqual(kindsOf(graph), ["start", "between", "dead", "between", "exit", "between"]);
  const outlines = ["start", "between", "dead", "exit"].map((kind) => markOf(kind, 4));
  assert.equal(new Set(outlines).size, 4);
  assert.equal(kindsOf({ states: [at(0)], exits: [0], dead_ends: [] })[0], "exit");
});

test("a click finds the nearest state within reach", () => {
  const picture = pictureOf(graph, 300);
  picture.spots.forEach(([x, y], state) => assert.equal(stateAt(picture, [x + 3, y - 3], 24), state));
  assert.equal(stateAt(picture, [-100, 0], 24), -1);
});

test("arrow keys go along a band and to the nearest state of the next, and stop at the ends", () => {
  const picture = pictureOf(graph, 300);
  const go = (state: number, key: string) => neighbour(picture, graph.depths, state, key);
  assert.deepEqual([go(1, "ArrowRight"), go(2, "ArrowLeft"), go(1, "ArrowLeft"), go(2, "ArrowRight")], [2, 1, 1, 2]);
  assert.deepEqual([go(1, "ArrowDown"), go(3, "ArrowDown"), go(0, "ArrowUp"), go(4, "ArrowDown")], [3, 5, 0, 4]);
});

test("a way goes along edges, back too, and there is none to what hangs on nothing", () => {
  assert.deepEqual(wayTo(graph, steps, 0, 3), [
    { moving: [1], step: 0, units: 1 },
    { moving: [1], step: 0, units: 1 },
  ]);
  assert.deepEqual(wayTo(graph, steps, 3, 2), [{ moving: [1], step: LEFT, units: 3 }]);
  assert.deepEqual(wayTo(graph, steps, 2, 2), []);
  assert.equal(wayTo(graph, steps, 0, 5), null);
  assert.equal(otherEnd(edge(3, 7), 7), 3);
});

test("a position is a state wherever all of it is", () => {
  const find = finderOf(graph.states);
  assert.equal(find([ZERO, [2, 0, 0]]), 3);
  assert.equal(
    find([
      [-2, 5, 1],
      [0, 5, 1],
    ] as Vector[]),
    3,
  );
  assert.equal(find([ZERO, [0, 1, 0]]), -1);
});

test("the positions of a motion end where something leaves the grid, turns or comes off", () => {
  const pose = (x: number, shown = [true, true]) => ({ shifts: [ZERO, [x, 0, 0] as const], shown });
  const ends = (poses: Parameters<typeof positionsOf>[1]) => positionsOf(steps, poses).map((each) => each[1]![0]);
  assert.deepEqual(ends([pose(0), pose(2), pose(2), pose(6)]), [0, 1, 1, 3]);
  assert.deepEqual(ends([pose(0), pose(2), pose(2, [true, false]), pose(4)]), [0, 1]);
  assert.deepEqual(ends([pose(0), pose(1)]), [0]); // half a step
  assert.deepEqual(positionsOf(steps, []), []);
});

test("a hand slides to a state, and on from where it was", () => {
  const rod = examples.find(({ name }) => name === "rod")! as unknown as {
    bodies: { name: string; cells: Cell[] }[];
    steps: Grip[];
  };
  const forms = rod.bodies.map(({ cells }) => ({
    positions: cells.flatMap(([x, y, z]) => [x, y, z, x + 1, y + 1, z + 1]),
    triangles: [],
    edges: [],
    balls: [],
    radius: 0,
    necks: [],
    patches: [],
  }));
  const hand = new Hand({ ...rod, forms, solution: [], shortest: 1 }, () => {});
  const along = rod.steps.findIndex((_, step) => {
    hand.restart();
    hand.choose(1);
    hand.push(step);
    return hand.moves === 1;
  });
  hand.restart();
  const back = rod.steps.findIndex(({ by }) => by.every((part, n) => part === -rod.steps[along]!.by[n]!));
  const slide = (step: number, units: number) => ({ moving: [1], step, units });
  hand.slideOn(1, [slide(along, 2)]);
  assert.deepEqual([hand.moves, hand.trail.length], [1, 2]);
  hand.slideOn(2, [slide(back, 1)]); // which takes back a part of the move
  assert.deepEqual(
    hand.trail.map((each) => each[1]),
    [ZERO, rod.steps[along]!.by],
  );
  hand.slideOn(1, []);
  assert.equal(hand.moves, 0);
});
