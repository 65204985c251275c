import assert from "node:assert/strict";
import test from "node:test";
import type { PoseData } from "../src/messages";
import { fatesOf, fillAlike, waiting } from "../src/solutions/compare";

const body = (name: string, piece: number, ...xs: number[]) => ({
  name,
  piece,
  cells: xs.map((x): [number, number, number, number] => [x, 0, 0, 0]),
});

test("pieces are told apart by where they lie, whatever the order of their cells", () => {
  const one = [body("A", 0, 0, 1), body("B", 1, 2, 3), body("C", 2, 4)];
  const other = [body("A", 0, 1, 0), body("B", 1, 3, 4), body("C", 2, 2)];
  assert.deepEqual(fatesOf(one, other), ["alike", "elsewhere", "elsewhere"]);
  assert.deepEqual(fatesOf(one, one), ["alike", "alike", "alike"]);
});

test("copies of a piece may swap", () => {
  const one = [body("A.1", 0, 0), body("A.2", 0, 1), body("A.3", 0, 2)];
  const other = [body("A.1", 0, 1), body("A.2", 0, 0), body("A.3", 0, 5)];
  assert.deepEqual(fatesOf(one, other), ["alike", "alike", "elsewhere"]);
});

test("what the other solution lacks is only in one, and what it has twice as often is elsewhere", () => {
  const one = [body("A", 0, 0), body("B", 1, 1)];
  const other = [body("A.1", 0, 7), body("A.2", 0, 8)];
  assert.deepEqual(fatesOf(one, other), ["elsewhere", "only"]);
  assert.deepEqual(fatesOf(other, one), ["elsewhere", "only"]);
});

test("pieces of other problems are known by their names", () => {
  assert.deepEqual(fatesOf([body("T.1", 4, 0), body("L", 5, 1)], [body("L", 0, 1), body("T.1", 1, 9)]), [
    "elsewhere",
    "alike",
  ]);
});

test("two solutions may fill other cells", () => {
  assert.ok(fillAlike([body("A", 0, 0, 1), body("B", 1, 2)], [body("A", 0, 2, 1), body("B", 1, 0)]));
  assert.ok(!fillAlike([body("A", 0, 0)], [body("A", 0, 1)]));
  assert.ok(!fillAlike([body("A", 0, 0)], [body("A", 0, 0, 1)]));
});

test("the shorter motion waits at its end for the longer one", () => {
  const pose = (kind: PoseData["kind"], level = ""): PoseData => ({
    kind,
    level,
    words: "P slides out",
    shifts: [],
    shown: [],
    turns: [],
    turning: null,
  });
  const short = [pose("start"), pose("part", "1"), pose("away")];
  const long = waiting(short, 5, "Already apart.");
  assert.deepEqual(
    long.map(({ kind, level, words }) => [kind, level, words]).slice(3),
    Array.from({ length: 2 }, () => ["start", "", "Already apart."]),
  );
  assert.equal(waiting(short, 2, ""), short);
  assert.deepEqual(waiting([], 4, ""), []);
});
