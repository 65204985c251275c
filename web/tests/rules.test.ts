import assert from "node:assert/strict";
import test from "node:test";
import type { ProblemData, PuzzleData } from "../src/messages";
import { emptyProblem, moved } from "../src/puzzle";
import * as rules from "../src/problem/rules";
import { empty } from "./puzzles";

const puzzle: PuzzleData = {
  ...empty,
  colours: ["#ff0000", "#00ff00", "#0000ff"],
  shapes: [
    {
      id: 0,
      name: "bar",
      weight: 1,
      colour: "",
      cells: [
        [0, 0, 0, 0, 0, 2],
        [1, 0, 0, 0, 0, 0],
      ],
    },
    { id: 5, name: "dot", weight: 1, colour: "", cells: [[0, 0, 0, 0, 0, 1]] },
    {
      id: 9,
      name: "goal",
      weight: 1,
      colour: "",
      cells: [
        [0, 0, 0, 0, 0, 2],
        [1, 0, 0, 0, 0, 3],
        [2, 0, 0, 0, 0, 0],
      ],
    },
  ],
};
const problem: ProblemData = { ...emptyProblem(), goal: 9, pieces: [{ shape: 0, min: 1, max: 2, groups: [] }] };

test("a range is read however people write it, and nothing else is", () => {
  for (const text of ["0-3", "0–3", " 0 .. 3 ", "0…3", "0 to 3"])
    assert.deepEqual(rules.readRange(text), { min: 0, max: 3 }, text);
  assert.deepEqual(rules.readRange("2"), { min: 2, max: 2 });
  for (const text of ["", "x", "3-1", "-1", "1.5", "2000000", "1-2-3"]) assert.equal(rules.readRange(text), null, text);
  for (const range of [
    { min: 2, max: 2 },
    { min: 0, max: 3 },
  ])
    assert.deepEqual(rules.readRange(rules.rangeText(range)), range);
});

test("a stepper moves a number, or the upper end of a range, never below 0", () => {
  assert.deepEqual(rules.stepped({ min: 1, max: 1 }, 1), { min: 2, max: 2 });
  assert.deepEqual(rules.stepped({ min: 0, max: 0 }, -1), { min: 0, max: 0 });
  assert.deepEqual(rules.stepped({ min: 0, max: 3 }, -1), { min: 0, max: 2 });
  assert.deepEqual(rules.stepped({ min: 2, max: 3 }, -1), { min: 2, max: 2 });
});

test("a shape used twice is one piece with a copy more; others are those not used", () => {
  const twice = rules.withShapeUsed(rules.withShapeUsed(problem, 5), 5);
  assert.deepEqual(
    twice.pieces.map(({ shape, min, max }) => [shape, min, max]),
    [
      [0, 1, 2],
      [5, 2, 2],
    ],
  );
  assert.deepEqual(rules.others(puzzle, problem), [5]);
  assert.deepEqual(rules.amounts(puzzle, twice), { pieces: { min: 3, max: 4 }, cells: { min: 4, max: 6 } });
});

test("the matrix has the colours of pieces and goal, neutral left out, and pairs allowed before", () => {
  assert.deepEqual(rules.meeting(puzzle, problem), { pieces: [2], goal: [2, 3] });
  const odd = rules.withAllowed(problem, [1, 3], true);
  assert.deepEqual(rules.meeting(puzzle, odd), { pieces: [1, 2], goal: [2, 3] });
  assert.ok(rules.allows(odd, [1, 3]) && !rules.allows(odd, [3, 1]));
  assert.deepEqual(rules.withAllowed(odd, [1, 3], false).allowed, []);
});

test("one thing of a list moves, the rest keeps its order", () => {
  assert.deepEqual(moved(["a", "b", "c", "d"], 0, 2), ["b", "c", "a", "d"]);
  assert.deepEqual(moved(["a", "b", "c", "d"], 3, 0), ["d", "a", "b", "c"]);
});

test("a placement goes, whether it was pinned or forbidden; others stay", () => {
  const pin = (piece: number, turn: number) => ({ piece, turn, shift: [0, 1, 2] as [number, number, number] });
  const problem: ProblemData = { ...emptyProblem(), pinned: [pin(0, 3), pin(1, 3)], forbidden: [pin(0, 3), pin(0, 4)] };
  assert.deepEqual(rules.withoutPin(problem, pin(0, 3)), { pinned: [pin(1, 3)], forbidden: [pin(0, 4)] });
});
