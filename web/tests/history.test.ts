import assert from "node:assert/strict";
import test from "node:test";
import { begun, done, redone, undone } from "../src/history";

test("what was done is undone and done again, by name", () => {
  const history = done(done(begun("a"), "write b", "b"), "write c", "c");
  assert.equal(history.past.at(-1)?.name, "write c");
  const back = undone(undone(history));
  assert.equal(back.now, "a");
  assert.deepEqual(redone(redone(back)), history);
  assert.equal(undone(back), back);
});

test("a stroke of the brush is one thing to undo", () => {
  let history = begun(0);
  for (const n of [1, 2, 3]) history = done(history, `colour ${n} cells`, n, "stroke 1");
  assert.equal(history.past.length, 1);
  assert.equal(history.past[0]?.name, "colour 3 cells");
  assert.equal(undone(history).now, 0);
  assert.equal(done(history, "colour 1 cell", 4, "stroke 2").past.length, 2);
});

test("what is done after an undo replaces the future", () => {
  const history = done(undone(done(begun("a"), "b", "b")), "c", "c");
  assert.equal(history.future.length, 0);
  assert.equal(undone(history).now, "a");
});
