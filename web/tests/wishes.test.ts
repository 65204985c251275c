import assert from "node:assert/strict";
import test from "node:test";
import {
  canBeRandom,
  goalsFor,
  inWords,
  requestFor,
  valueOf,
  wayOf,
  wishesFor,
  type Choices,
} from "../src/design/wishes";
import { WISHES, type ProblemData, type PuzzleData } from "../src/messages";
import { emptyProblem } from "../src/puzzle";

const wish = (name: string) => WISHES.find((one) => one.name === name)!;
const choices: Choices = { goal: "block", size: "", random: false, typed: {}, seconds: 120 };
const problem: ProblemData = { ...emptyProblem(), goal: 0 };
const nobody = { title: "", designer: "", comment: "", popup: false };
const puzzle: PuzzleData = { grid: "cubes", ...nobody, colours: [], shapes: [], problems: [problem] };

test("numbers and ranges are read however people write them, and nothing else is", () => {
  for (const text of ["0..8", "0-8", " 0 – 8 ", "0 to 8"]) assert.deepEqual(valueOf(wish("holes"), text), [0, 8], text);
  assert.equal(valueOf(wish("holes"), "3"), 3);
  assert.equal(valueOf(wish("pieces"), " 4 "), 4);
  assert.equal(valueOf(wish("no_turns"), "0,02"), 0.02);
  for (const [name, text] of [
    ["pieces", "0..8"],
    ["pieces", "4.5"],
    ["pieces", "-1"],
    ["holes", "8..0"],
    ["holes", "few"],
    ["level", "1e9"],
    ["no_turns", "."],
  ] as const)
    assert.equal(valueOf(wish(name), text), null, text);
  for (const empty of ["", "  ", undefined, false, []]) assert.equal(valueOf(wish("pieces"), empty), undefined);
  assert.deepEqual(valueOf(wish("maximise"), ["moves"]), ["moves"]);
});

test("the puzzle that is open is offered as a goal, as far as it is one", () => {
  assert.equal(goalsFor(undefined)[0], "block");
  assert.deepEqual(goalsFor(problem).slice(0, 2), ["goal", "block"]);
  const full = { ...problem, pieces: [{ shape: 0, min: 1, max: 1, groups: [] }] };
  assert.deepEqual(goalsFor(full).slice(0, 3), ["improve", "goal", "block"]);
});

test("puzzles are drawn at random only where that can be done, and then have fewer wishes", () => {
  assert.equal(wayOf({ goal: "block", random: true }), "cuts");
  assert.equal(wayOf({ goal: "improve", random: true }), "pieces");
  assert.equal(wayOf({ goal: "burr6", random: true }), "burrs");
  assert.equal(wayOf({ goal: "tray", random: true }), "design");
  assert.equal(wayOf({ goal: "improve", random: false }), "improve");
  const names = (goal: Choices["goal"], random: boolean) => wishesFor({ goal, random }).map(({ name }) => name);
  assert.deepEqual(names("block", true), ["pieces", "holes", "unique", "level", "smallest", "seed"]);
  assert.deepEqual(
    names("improve", false),
    WISHES.map(({ name }) => name).filter((name) => name !== "home"), // drawn on the command line
  );
  assert.ok(!names("block", false).includes("keep"));
  assert.ok(!canBeRandom("cage"));
});

test("a request has the goal, and the wishes that have an effect", () => {
  const typed = { pieces: "4", unique: true, keep: ["A"], holes: "" };
  const asked = requestFor({ ...choices, typed }, "4x4x4", 3, null);
  assert.deepEqual(asked, {
    way: "design",
    goal: "4x4x4",
    wish: { pieces: 4, unique: true },
    seconds: 120,
    threads: 3,
  });
  assert.equal(requestFor({ ...choices, size: "3 × 4 x 5" }, "4x4x4", 1, null)?.goal, "3x4x5");
  assert.equal(requestFor({ ...choices, goal: "tray", size: "6x8" }, "6x6", 1, null)?.goal, "tray/6x8");
  assert.equal(requestFor({ ...choices, goal: "tray" }, "6x6", 1, null)?.goal, "tray");
  const mine = requestFor({ ...choices, goal: "improve", typed, seconds: 0 }, "", 1, { puzzle, problem: 0 });
  assert.deepEqual([mine?.puzzle, mine?.seconds, mine?.wish?.["keep"]], [puzzle, null, ["A"]]);
  assert.equal(requestFor({ ...choices, typed: { pieces: "four" } }, "", 1, null), null);
});

test("the server's options are called as in the form", () => {
  assert.equal(
    inWords("leave out --keep and --no-turns; use --several"),
    "leave out “Keep” and “No turns”; use “several”",
  );
});
