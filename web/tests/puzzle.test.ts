import assert from "node:assert/strict";
import test from "node:test";
import type { PuzzleData } from "../src/messages";
import { GOAL, pieceColour, shapeColour } from "../src/palette";
import { emptyProblem, labelOf, moved, usersOf, withColour, withoutColour, withShapesOf } from "../src/puzzle";
import cases from "./identities.json";
import { empty } from "./puzzles";

const puzzle: PuzzleData = {
  ...empty,
  colours: ["#ff0000", "#00ff00"],
  shapes: [
    {
      id: 4,
      name: "box",
      cells: [
        [0, 0, 0, 0, 0, 1],
        [1, 0, 0, 0, 1, 2],
      ],
      weight: 1,
    },
    { id: 2, name: "rod", cells: [[0, 0, 0, 0, 0, 0]], weight: 3 },
    { id: 7, name: "", cells: [], weight: 1 },
  ],
  problems: [
    {
      ...emptyProblem(),
      goal: 4,
      pieces: [{ shape: 2, min: 1, max: 1, groups: [] }],
      allowed: [
        [1, 2],
        [2, 2],
      ],
    },
  ],
};

test("shapes move in the list and keep their ids", () => {
  assert.deepEqual(
    moved(puzzle.shapes, 2, 0).map(({ id }) => id),
    [7, 4, 2],
  );
  assert.deepEqual(
    moved(puzzle.shapes, 0, 1).map(({ id }) => id),
    [2, 4, 7],
  );
});

test("a shape knows which problems use it, and has the colour of its piece", () => {
  assert.deepEqual(usersOf(puzzle, 4), [{ name: "1", goal: true }]);
  assert.deepEqual(usersOf(puzzle, 7), []);
  assert.deepEqual(
    [4, 2, 7].map((id) => shapeColour(puzzle, id)),
    [GOAL, pieceColour(0), pieceColour(1)],
  );
});

test("shapes have the names and colours that the server gives them (tests/model/test_identity.py)", () => {
  for (const { names, problems, identities } of cases) {
    const asked: PuzzleData = {
      ...puzzle,
      shapes: names.map((name, at) => ({ id: 10 * at, name, cells: [], weight: 1 })),
      problems: problems.map(({ goal, pieces }) => ({
        ...emptyProblem(),
        goal: 10 * goal,
        pieces: pieces.map((at) => ({ shape: 10 * at, min: 1, max: 1, groups: [] })),
      })),
    };
    assert.deepEqual(
      asked.shapes.map(({ id }) => [labelOf(asked, id), shapeColour(asked, id)]),
      identities.map(([name, number]) => [name, typeof number === "number" ? pieceColour(number) : GOAL]),
    );
  }
});

test("shapes of another puzzle come with the colours they need", () => {
  const other: PuzzleData = { ...puzzle, colours: ["#0000ff", "#00FF00"] };
  const both = withShapesOf(puzzle, other);
  assert.deepEqual(both.colours, ["#ff0000", "#00ff00", "#0000ff"]);
  assert.deepEqual(
    both.shapes.map(({ id }) => id),
    [4, 2, 7, 8, 9, 10],
  );
  assert.deepEqual(both.shapes[3]!.cells, [
    [0, 0, 0, 0, 0, 3],
    [1, 0, 0, 0, 1, 2],
  ]);
});

test("without a colour its cells are neutral and the others keep theirs", () => {
  const less = withoutColour(puzzle, 1);
  assert.deepEqual(less.colours, ["#00ff00"]);
  assert.deepEqual(less.shapes[0]!.cells, [
    [0, 0, 0, 0, 0, 0],
    [1, 0, 0, 0, 1, 1],
  ]);
  assert.equal(less.shapes[1], puzzle.shapes[1]);
  assert.deepEqual(less.problems[0]!.allowed, [[1, 1]]);
  assert.deepEqual(withColour(puzzle, 3, "#123456").colours.at(-1), "#123456");
  assert.deepEqual(withColour(puzzle, 1, "#123456").colours, ["#123456", "#00ff00"]);
});
