import assert from "node:assert/strict";
import test from "node:test";
import type { PuzzleData, ShapeData } from "../src/messages";
import { GOAL, pieceColour, shapeColour } from "../src/palette";
import { freshColour } from "../src/shapes/fresh";
import {
  chosenColours,
  emptyProblem,
  labelOf,
  moved,
  usersOf,
  withColour,
  withoutColour,
  withShapesOf,
} from "../src/puzzle";
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
      colour: "",
    },
    { id: 2, name: "rod", cells: [[0, 0, 0, 0, 0, 0]], weight: 3, colour: "" },
    { id: 7, name: "", cells: [], weight: 1, colour: "" },
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
  for (const { names, colours, problems, identities } of cases) {
    const asked: PuzzleData = {
      ...puzzle,
      shapes: names.map((name, at) => ({ id: 10 * at, name, cells: [], weight: 1, colour: colours?.[at] ?? "" })),
      problems: problems.map(({ goal, pieces }) => ({
        ...emptyProblem(),
        goal: 10 * goal,
        pieces: pieces.map((at) => ({ shape: 10 * at, min: 1, max: 1, groups: [] })),
      })),
    };
    assert.deepEqual(
      asked.shapes.map(({ id }) => [labelOf(asked, id), shapeColour(asked, id)]),
      identities.map(([name, look]) => [name, typeof look === "number" ? pieceColour(look) : (look ?? GOAL)]),
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

test("the server is told which colours were chosen for the pieces", () => {
  const [box, rod, dot] = puzzle.shapes as [ShapeData, ShapeData, ShapeData];
  const painted = { ...puzzle, shapes: [box, { ...rod, colour: "#aabbcc" }, dot] };
  assert.equal(chosenColours(painted, 0), "#aabbcc");
  assert.equal(chosenColours(puzzle, 0), "");
});

test("a new colour is not mistaken for one that is there", () => {
  const [red, nearlyRed, blue] = ["#c82828", "#cc2222", "#2b6cb0"] as const;
  assert.equal(freshColour([red, blue], []), red);
  assert.equal(freshColour([red, blue], [nearlyRed]), blue);
  assert.equal(freshColour([red, blue], [blue]), red);
  assert.equal(freshColour([red, blue], [nearlyRed, blue]), red); // not one of them, if only just
});
