import assert from "node:assert/strict";
import test from "node:test";
import { aimed, seenWay } from "../src/hand/aim";
import {
  comesOff,
  isOver,
  movesOf,
  newGame,
  onBench,
  posesOf,
  positionOf,
  pushed,
  rulesIn,
  slid,
  takenOff,
  undone,
} from "../src/hand/game";
import type { Game } from "../src/hand/game";
import { Builder } from "../src/hand/builder";
import { fittingOf } from "../src/hand/fitting";
import { Hand, type Grip } from "../src/hand/hand";
import { rulesOf, type Cell } from "../src/hand/rules";
import { knownFrom, nearestWay, type Hint } from "../src/hand/ways";
import { Player } from "../src/player/player";
import { picked } from "../src/scene/pick";
import type { Form } from "../src/scene/form";
import type { Pose } from "../src/scene/motion";
import { WORLD, type Matrix, type Vector } from "../src/vector";
import examples from "./slides.json";

interface Example {
  name: string;
  bodies: { name: string; cells: Cell[] }[];
  steps: Grip[];
  level: number | null;
}
const puzzles = examples as unknown as Example[];
const rulesFor = ({ bodies, steps }: Example) =>
  rulesOf(
    bodies.map(({ cells }) => cells),
    steps,
  );
const all = ({ bodies }: Example) => bodies.map((_, n) => n);
const still = ({ bodies }: Example): Vector[] => bodies.map(() => [0, 0, 0]);
const rod = puzzles.find(({ name }) => name === "rod")!;
const burr = puzzles.find(({ name }) => name === "six-piece-burr")!;
const games = (game: ReturnType<typeof pushed>): Game => {
  assert.ok(!("blockers" in game), "it is blocked");
  return game;
};
const doing = (game: Game, hint: Hint): Game => {
  assert.ok("step" in hint);
  for (let unit = 0; unit < hint.units; unit++) game = slid(game, hint.moving, hint.step);
  return game;
};
const RIGHT = 0;
const LEFT = 1;
const UP = 4;

test("the nearest way takes as many moves as the search says", () => {
  for (const puzzle of puzzles) {
    const way = nearestWay(rulesFor(puzzle), still(puzzle), all(puzzle), () => false);
    assert.equal(way?.moves ?? null, puzzle.level, puzzle.name);
  }
});

test("hints take every example apart, one move nearer each time", () => {
  for (const puzzle of puzzles.filter(({ level }) => level !== null)) {
    let game = newGame(rulesFor(puzzle), puzzle.bodies.length);
    let before = Infinity;
    for (let n = 0; !isOver(game); n++) {
      assert.ok(n < 100, puzzle.name);
      const hint = nearestWay(rulesIn(game), positionOf(game), onBench(game), () => false);
      assert.ok(hint, puzzle.name);
      assert.ok(hint.moves < before);
      game = doing(game, hint);
      before = hint.moves;
      if (hint.moves === 1) [game, before] = [takenOff(game, 3), Infinity];
    }
    assert.ok(posesOf(game).length > puzzle.bodies.length);
  }
});

test("a known solution is followed, and led back to", () => {
  const rules = rulesFor(burr);
  let game = newGame(rules, burr.bodies.length);
  const whole: Game[] = [game];
  while (!isOver(game)) {
    const hint = nearestWay(rules, positionOf(game), onBench(game), () => false)!;
    game = doing(game, hint);
    if (hint.moves === 1) game = takenOff(game, 3);
    whole.push(game);
  }
  const known = knownFrom(rules, posesOf(game));
  const never = () => true; // no time to search
  for (const each of whole.slice(0, -1)) {
    assert.ok(nearestWay(rules, positionOf(each), onBench(each), never, known));
  }
  const [first] = [...known.values()];
  const astray = all(burr).flatMap((body) =>
    burr.steps.flatMap((_, step) => {
      const next = pushed(whole[0]!, body, step);
      return "blockers" in next ? [] : [next];
    }),
  );
  for (const each of astray) {
    const back = nearestWay(rules, positionOf(each), onBench(each), () => false, known)!;
    assert.ok(back.moves <= first!.moves + 1);
  }
});

test("a piece that cannot move says what is in its way", () => {
  const push = pushed(newGame(rulesFor(rod), 2), 1, UP);
  assert.deepEqual(push, { blockers: [0] });
});

test("steps of the same pieces are one move, and a step back takes one back", () => {
  let game = newGame(rulesFor(rod), 2);
  game = games(pushed(games(pushed(game, 1, RIGHT)), 1, RIGHT));
  assert.deepEqual(movesOf(game), [{ moving: [1], step: RIGHT, units: 2, away: 0 }]);
  assert.equal(posesOf(game).length, 3);
  game = games(pushed(game, 1, LEFT));
  assert.equal((movesOf(game)[0] as { units: number }).units, 1);
  assert.equal(movesOf(games(pushed(game, 1, LEFT))).length, 0);
  assert.equal(movesOf(undone(game)).length, 0);
});

test("what can go on for ever comes off, and what is left alone is the end", () => {
  const game = games(pushed(newGame(rulesFor(rod), 2), 1, RIGHT));
  assert.ok(comesOff(game));
  const over = takenOff(game, 4);
  assert.ok(isOver(over));
  assert.deepEqual(posesOf(over).at(-2)!.shifts[1], [5, 0, 0]);
  assert.ok(!isOver(undone(over)));
});

test("a drag means the step that looks most like it", () => {
  const ways = burr.steps.map(({ way }) => seenWay(way, WORLD, 20));
  assert.deepEqual(
    aimed([41, 3], ways, 20).map(({ step, units }) => [step, units]),
    [[RIGHT, 2]],
  );
  assert.deepEqual(aimed([2, 1], ways, 20), []);
});

function handOf(puzzle: Example, shortest: number | null = null, solution: (Pose & { words?: string })[] = []) {
  const forms = puzzle.bodies.map(({ cells }): Form => {
    const positions = cells.flatMap(([x, y, z]) => [x, y, z, x + 1, y + 1, z + 1]);
    return { positions, triangles: [], edges: [], balls: [], radius: 0, necks: [] };
  });
  let changes = 0;
  const hand = new Hand({ ...puzzle, forms, shortest, solution }, () => changes++);
  return { hand, changes: () => changes };
}

test("dragging back takes the move back, letting go lets it come off", () => {
  const { hand } = handOf(rod, 1);
  hand.grab(1);
  hand.drag([30, 0], WORLD, 10);
  assert.equal(hand.moves, 1);
  hand.drag([0, 0], WORLD, 10);
  assert.equal(hand.moves, 0);
  hand.drag([0, -30], WORLD, 10); // up the screen: to the back
  assert.deepEqual(hand.state.blockers, [0]);
  assert.match(hand.state.words, /blocked by A/);
  hand.drag([30, 0], WORLD, 10);
  hand.release();
  assert.ok(hand.over);
  assert.match(hand.state.words, /in 1 move! No known way is shorter/);
});

test("hints can be followed to the end, and every move can be undone", async () => {
  const { hand, changes } = handOf(burr);
  for (let n = 0; !hand.over; n++) {
    assert.ok(n < 100);
    await hand.hint();
    assert.ok(hand.state.hint, hand.state.words);
    assert.ok(hand.lit.length);
    hand.follow();
  }
  assert.ok(changes() > 10);
  while (hand.moves) hand.undo();
  assert.deepEqual(positionOf(hand.state.game), still(burr));
});

test("buttons push the chosen piece only", () => {
  const { hand } = handOf(rod);
  hand.push(RIGHT);
  assert.equal(hand.moves, 0);
  hand.choose(1);
  hand.push(RIGHT);
  assert.ok(hand.over);
  hand.restart();
  assert.equal(hand.moves, 0);
});

test("a bar turns where the solution turns it, and comes off turned", async () => {
  // A post, and a bar of two cubes beside it that turns about the edge between its cubes and the post.
  const turning = {
    bodies: [1],
    axis: [0, 0, 1] as Vector,
    route: [0, Math.PI / 2].map((angle) => ({ at: [1, 1, 0] as Vector, angle })),
  };
  const quarter: Matrix = [
    [0, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ];
  const pose = (bar: Vector, turns?: Matrix[]): Pose => ({ shifts: [[0, 0, 0], bar], shown: [true, true], turns });
  const solution = [
    pose([0, 0, 0]),
    { ...pose([2, 0, 0], [WORLD, quarter]), turning, words: "B turns a quarter" },
    pose([9, 0, 0], [WORLD, quarter]),
  ];
  const bodies = [
    { name: "A", cells: [[0, 0, 0, 0]] as Cell[] },
    { name: "B", cells: [[1, 0, 0, 0], [2, 0, 0, 0]] as Cell[] }, // prettier-ignore
  ];
  const { hand } = handOf({ ...rod, bodies }, 2, solution);
  assert.equal(hand.turn, null); // nothing is chosen
  hand.choose(1);
  assert.ok(hand.turn);
  await hand.hint();
  assert.match(hand.state.words, /B turns a quarter: 2 moves/);
  hand.follow();
  assert.deepEqual(hand.poses.at(-1)!.shifts[1], [2, 0, 0]);
  assert.deepEqual(hand.poses.at(-1)!.turns![1], quarter);
  hand.choose(1);
  hand.push(2); // to the back: the bar lies along y now, right of the post
  assert.equal(hand.moves, 2);
  hand.undo();
  hand.undo();
  assert.equal(hand.moves, 0);
  assert.deepEqual(hand.poses.at(-1)!.turns![1], WORLD);
});

test("how far it is to the next separation is said after every move", async () => {
  for (const puzzle of puzzles.filter(({ level }) => level)) {
    const { hand } = handOf(puzzle);
    await hand.hint();
    assert.match(hand.state.distance, new RegExp(`^You are ${puzzle.level} moves? from the first separation`));
    hand.follow();
    await hand.hint();
    const left =
      puzzle.level! > 1 ? `^You are ${puzzle.level! - 1} moves? from the first` : hand.over ? "^$" : "from the next";
    assert.match(hand.state.distance, new RegExp(left), puzzle.name);
  }
});

test("keys choose pieces in turn and push them along the nearest step", () => {
  const { hand } = handOf(rod);
  hand.chooseNext(-1);
  assert.equal(hand.state.chosen, 1);
  hand.chooseNext(1);
  hand.chooseNext(1);
  assert.equal(hand.state.chosen, 1);
  hand.pushToward([1, 0.2, 0]);
  assert.ok(hand.over);
});

test("a player follows a motion whose end changes, and goes back where it must", () => {
  const player = new Player();
  const pose = (x: number) => ({ shifts: [[x, 0, 0] as Vector], shown: [true] });
  player.put([pose(0)]);
  player.lead([pose(0), pose(1), pose(2)]);
  assert.equal(player.state.goal, 2);
  for (let n = 0; n < 200; n++) player.advance(0.1);
  player.lead([pose(0), pose(1)]);
  assert.deepEqual([player.state.time, player.state.goal, player.last], [2, 1, 2]); // on its way back
  player.lead([pose(0), pose(1), pose(5)]);
  assert.deepEqual([player.state.time, player.state.goal], [1, 2]);
});

test("the nearest body under the pointer is picked", () => {
  const square: Form = {
    positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
    triangles: [0, 1, 2, 0, 2, 3],
    edges: [],
    balls: [],
    radius: 0,
    necks: [],
  };
  const ball: Form = { ...square, positions: [], triangles: [], balls: [[0.5, 0.5, 2]], radius: 0.4 };
  const places = [0, 0].map(() => ({ turn: WORLD, shift: [0, 0, 0] as Vector }));
  const from = (x: number, y: number) => ({ origin: [x, y, 9] as Vector, direction: [0, 0, -1] as Vector });
  const pick = (x: number, y: number, there = (_: number) => true) => picked([square, ball], places, there, from(x, y));
  assert.deepEqual([pick(0.5, 0.5), pick(0.05, 0.05), pick(2, 2)], [1, 0, -1]);
  assert.equal(
    pick(0.5, 0.5, (body) => body === 0),
    0,
  );
});

// ---- putting together ----

/** A board of 3 x 2 squares: an L of four and a domino. */
function builderOf() {
  const turns = [0, 1, 2, 3].map((n): Matrix => {
    const [c, s] = [[1, 0, -1, 0][n]!, [0, 1, 0, -1][n]!];
    return [
      [c, -s, 0],
      [s, c, 0],
      [0, 0, 1],
    ];
  });
  const lattice = { basis: WORLD, centre: [0.5, 0.5, 0.5] as Vector, turns };
  const cells: Cell[][] = [
    [[0, 0, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [0, 1, 0, 0]], // prettier-ignore
    [[1, 1, 0, 0], [2, 1, 0, 0]], // prettier-ignore
  ];
  const bodies = cells.map((each, n) => ({ name: "LD"[n]!, cells: each }));
  const forms = cells.map((each): Form => {
    const positions = each.flatMap(([x, y, z]) => [x, y, z, x + 1, y + 1, z + 1]);
    return { positions, triangles: [], edges: [], balls: [], radius: 0, necks: [] };
  });
  return new Builder({ bodies, forms, lattice }, () => {});
}

/** Drag a piece so that it would lie `off` from where it lies in the solution, and let go. */
function dropAt(builder: Builder, body: number, off: Vector): void {
  const upright = builder.state.turns[body] === 0;
  assert.ok(upright, "turn it first");
  const from = builder.poses[0]!.shifts[body]!;
  builder.grab(body);
  builder.drag([10 * (off[0] - from[0]), -10 * (off[1] - from[1])], WORLD, 10);
  builder.release(WORLD);
}
const turnUpright = (builder: Builder, body: number) => {
  builder.choose(body);
  for (let n = 0; n < 4 && builder.state.turns[body]; n++) builder.turnIt();
};

test("pieces fit a goal in every place and turn, each once", () => {
  const domino = fittingOf(
    [
      [[0, 0], [1, 0]].map(([x, y]) => [x!, y!, 0]), // prettier-ignore
      [[0, 1], [1, 1]].map(([x, y]) => [x!, y!, 0]), // prettier-ignore
    ],
    { basis: WORLD, centre: [0.5, 0.5, 0.5], turns: [WORLD, [[0, -1, 0], [1, 0, 0], [0, 0, 1]]] }, // prettier-ignore
  );
  assert.deepEqual(
    domino.ways.map((ways) => ways.length),
    [2, 2],
  );
  assert.equal(domino.fits(0, 0).length + domino.fits(0, 1).length, 4);
});

test("a drop where it fits stays, others are refused and say why", () => {
  const builder = builderOf();
  turnUpright(builder, 0);
  turnUpright(builder, 1);
  dropAt(builder, 0, [0.2, 0.1, 0]);
  assert.ok(builder.isPlaced(0), builder.state.words);
  dropAt(builder, 1, [-0.9, 0, 0]); // on the L, one to the left of its own place
  assert.deepEqual(builder.state.blockers, [0]);
  assert.match(builder.state.words, /D does not fit there: L is in the way/);
  dropAt(builder, 1, [1.6, 0, 0]);
  assert.match(builder.state.words, /stick out/);
  dropAt(builder, 1, [9, 9, 0]);
  assert.match(builder.state.words, /goes back/);
  dropAt(builder, 1, [0.1, 0, 0]);
  assert.ok(builder.over);
  assert.equal(builder.state.words, "Solved!");
});

test("hints lead to the end, and say what cannot stay", async () => {
  const builder = builderOf();
  turnUpright(builder, 1);
  builder.turnIt();
  builder.placeNext(); // upright at the side, where the L does not fit any more
  assert.ok(builder.isPlaced(1));
  while (!builder.over) {
    await builder.hint();
    if (builder.state.hint) builder.hintOrFollow();
    else {
      assert.match(builder.state.words, /take D out/);
      builder.takeOut();
    }
  }
  assert.match(builder.state.words, /Solved, with 3 hints!/);
});

test("on a card pieces are given, and stay", () => {
  const builder = builderOf();
  builder.deal(3, 1);
  const [given] = builder.state.placed;
  assert.match(builder.state.words, /Card 3: 1 piece is given/);
  builder.grab(given!.body);
  assert.equal(builder.state.chosen, -1);
  assert.ok(!builder.dragging);
  builder.deal(3, 99);
  assert.equal(builder.state.placed.length, 1);
});
