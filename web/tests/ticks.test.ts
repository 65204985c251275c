import assert from "node:assert/strict";
import test from "node:test";
import type { PoseData } from "../src/messages";
import { heldBack, labelled, movesTo, ticksOf } from "../src/solutions/ticks";

const pose = (kind: PoseData["kind"], level = ""): PoseData => ({
  kind,
  level,
  shifts: [],
  shown: [],
  words: kind,
  turns: [],
  turning: null,
});

test("separations are the big ticks and carry their level", () => {
  const poses = [pose("start"), pose("part", "2"), pose("move"), pose("away"), pose("part", "1"), pose("away")];
  const ticks = ticksOf(poses);
  assert.equal(ticks.length, poses.length);
  assert.deepEqual(
    ticks.filter(({ big }) => big).map(({ pose: at, text }) => [at, text]),
    [
      [1, "2"],
      [4, "1"],
    ],
  );
});

test("turns are marked", () => {
  const ticks = ticksOf([pose("start"), pose("part", "1R1"), pose("turn"), pose("away")]);
  assert.deepEqual(
    ticks.map(({ turn }) => turn),
    [false, false, true, false],
  );
});

test("texts over ticks never run into each other", () => {
  const ticks = Array.from({ length: 101 }, (_, at) => ({ pose: at, big: true, turn: false, text: "12.3" }));
  const shown = labelled(ticks, 700);
  assert.ok(shown.length > 10 && shown.length < 22);
  assert.equal(labelled(ticks, 100_000).length, 101);
});

test("moves are counted, not the headings of parts", () => {
  const poses = [pose("start"), pose("part", "2"), pose("move"), pose("away"), pose("part", "1"), pose("turn")];
  assert.deepEqual(
    poses.map((_, n) => movesTo(poses, n)),
    [0, 0, 1, 2, 2, 3],
  );
});

test("a body that is said to move, but is held still, is noticed", () => {
  const at = (x: number, y: number) => ({
    shown: [true, true],
    shifts: [[x, 0, 0] as const, [y, 0, 0] as const],
  });
  assert.equal(heldBack([at(0, 0), at(1, 0)], [at(0, 0), at(0, -1)], 1), 0);
  assert.equal(heldBack([at(0, 0), at(1, 0)], [at(0, 0), at(1, 0)], 1), -1);
  assert.equal(heldBack([at(0, 0)], [at(0, 0)], 0), -1);
});
