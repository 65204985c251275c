import assert from "node:assert/strict";
import test from "node:test";
import type { BodyData, PoseData } from "../src/messages";
import {
  exploded,
  heaviest,
  heldStill,
  labelled,
  later,
  momentAt,
  poseAt,
  secondsAfter,
  stepFrom,
  ticksOf,
} from "../src/solutions/timeline";

const still: [number, number, number] = [0, 0, 0];
const pose = (kind: PoseData["kind"], shifts: [number, number, number][], shown: boolean[], level = ""): PoseData => ({
  kind,
  shifts,
  shown,
  words: kind,
  level,
});
const body = (name: string, weight = 1, size = 1): BodyData => ({
  name,
  piece: 0,
  colour: "#fff",
  weight,
  edges: [],
  balls: [],
  radius: 0,
  necks: [],
  positions: [0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
});

// A moves right by 2 and away; then B and C come apart, without A.
const poses = [
  pose("start", [still, still, still], [true, true, true]),
  pose("part", [still, still, still], [true, true, true], "2"),
  pose("move", [[2, 0, 0], still, still], [true, true, true]),
  pose("away", [[9, 0, 0], still, still], [true, true, true]),
  pose("part", [[2, 0, 0], still, still], [false, true, true], "1"),
  pose("away", [[2, 0, 0], still, [0, 0, 7]], [false, true, true]),
];

test("half-way through a move a body is half-way, and poses are reached exactly", () => {
  assert.deepEqual(momentAt(poses, 2).shifts[0], [2, 0, 0]);
  assert.ok(Math.abs(momentAt(poses, 1 + 0.85 / 2).shifts[0]![0] - 1) < 1e-9);
  assert.deepEqual(momentAt(poses, 1.99).shifts[0], [2, 0, 0]); // a short rest at the end
  assert.deepEqual(momentAt(poses, 5).shifts, poses[5]!.shifts);
});

test("what was removed fades where it stands", () => {
  const { shifts, alphas } = momentAt(poses, 3.2);
  assert.deepEqual(shifts[0], [9, 0, 0]);
  assert.ok(alphas[0]! > 0 && alphas[0]! < 1);
  assert.deepEqual(alphas.slice(1), [1, 1]);
  assert.equal(momentAt(poses, 4).alphas[0], 0);
});

test("time goes on pose by pose and stops at either end", () => {
  assert.equal(later(poses, 0.5, 1e3), 1);
  assert.equal(later(poses, 1, 0.3 * secondsAfter(poses, 1)), 1.3);
  assert.equal(later(poses, 2, -1e3), 1);
  assert.equal(later(poses, 5, 1), 5);
  assert.equal(later(poses, 0, -1), 0);
  assert.ok(secondsAfter(poses, 2) > secondsAfter(poses, 1));
});

test("a step goes to the next pose, from a pose and from between two", () => {
  assert.deepEqual([stepFrom(1, 1, 5), stepFrom(1.4, 1, 5), stepFrom(5, 1, 5)], [2, 2, 5]);
  assert.deepEqual([stepFrom(1, -1, 5), stepFrom(1.4, -1, 5), stepFrom(0, -1, 5)], [0, 1, 0]);
  assert.deepEqual([poseAt(0, 5), poseAt(0.1, 5), poseAt(1, 5)], [0, 1, 1]);
});

test("separations are the big ticks and carry their level", () => {
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

test("texts over ticks never run into each other", () => {
  const ticks = Array.from({ length: 101 }, (_, at) => ({ pose: at, big: true, text: "12.3" }));
  const shown = labelled(ticks, 700);
  assert.ok(shown.length > 10 && shown.length < 22);
  assert.equal(labelled(ticks, 100_000).length, 101);
});

test("the heaviest is held still: by weight, then by room, among those that are there", () => {
  const bodies = [body("a"), body("b", 1, 2), body("c", 3)];
  assert.equal(heaviest(bodies, [true, true, true]), 2);
  assert.equal(heaviest(bodies, [true, true, false]), 1);
  assert.equal(heaviest(bodies, [true, false, false]), 0);
  assert.equal(heaviest(bodies, [false, false, false]), -1);
});

test("holding a body still moves the others the other way, and it never moves itself", () => {
  const bodies = [body("a", 9), body("b"), body("c")];
  const held = heldStill(bodies, poses, null);
  for (const at of [0, 1, 2, 3]) assert.deepEqual(held[at]!.shifts[0], still);
  assert.deepEqual(held[2]!.shifts[1], [-2, 0, 0]);
  assert.deepEqual(held[4]!.shifts[1], still); // A is gone: now it is B
  const chosen = heldStill(bodies, poses, 2);
  for (const { shifts } of chosen) assert.deepEqual(shifts[2], still);
  assert.deepEqual(chosen[5]!.shifts[1], [0, 0, -7]);
});

test("drawn apart, bodies go outwards from the middle of those that are seen", () => {
  const middles = [
    [0, 0, 0],
    [4, 0, 0],
    [99, 0, 0],
  ] as const;
  const moment = { shifts: [still, still, still], alphas: [1, 1, 0] };
  assert.deepEqual(exploded(moment, middles, 0.5).slice(0, 2), [
    [-1, 0, 0],
    [1, 0, 0],
  ]);
  assert.equal(exploded(moment, middles, 0), moment.shifts);
});
