import assert from "node:assert/strict";
import test from "node:test";
import { canPause, canResume, listed } from "../src/home/searches";
import { DEFAULT_OPTIONS, type RunData } from "../src/messages";
import { said } from "../src/words/home";

const run = (id: string, state: RunData["state"]): RunData => ({
  id,
  title: "",
  problem: 0,
  state,
  options: DEFAULT_OPTIONS,
  assemblies: 0,
  solutions: null,
  kept: 0,
  rigid: 0,
  stuck: 0,
  given_up: 0,
  fraction: 0,
  seconds: 0,
  seconds_left: null,
  levels: {},
  message: "",
});

test("what goes on comes first, what has ended last, and news replace what was known", () => {
  const searches = (["done", "paused", "running", "chosen", "limit"] as const).map((state) => ({
    run: run(state, state),
    size: 1,
  }));
  const ids = (heard: Record<string, RunData>) => listed(searches, heard).map(({ run: { id } }) => id);
  assert.deepEqual(ids({}), ["running", "paused", "limit", "done", "chosen"]);
  assert.deepEqual(ids({ done: run("done", "running") }), ["done", "running", "paused", "limit", "chosen"]);
});

test("what runs can be paused, what has not ended can be resumed, and nothing both", () => {
  const states = ["starting", "running", "paused", "limit", "failed", "done", "chosen"] as const;
  const runs = states.map((state) => run("r", state));
  assert.deepEqual(runs.map(canPause), [true, true, false, false, false, false, false]);
  assert.deepEqual(runs.map(canResume), [false, false, true, true, true, false, false]);
  assert.ok(states.every((state) => said.searchState[state]));
});

test("sizes are told in kB and MB", () => {
  assert.deepEqual([0, 1, 81_920, 1_200_000, 3_456_789_000].map(said.size), [
    "0 kB",
    "1 kB",
    "82 kB",
    "1.2 MB",
    "3,456.8 MB",
  ]);
});
