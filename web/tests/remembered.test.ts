import assert from "node:assert/strict";
import test from "node:test";
import { remembered } from "../src/state/remembered";

test("the same question about the same value is asked once", async () => {
  let asked = 0;
  const ask = remembered<object, number>();
  const count = () => Promise.resolve(++asked);
  const value = {};
  assert.equal(await ask(value, "a", count), 1);
  assert.equal(await ask(value, "a", count), 1);
  assert.equal(await ask(value, "b", count), 2);
  assert.equal(await ask({}, "a", count), 3);
});

test("what was refused is asked again", async () => {
  const ask = remembered<object, number>();
  const value = {};
  await assert.rejects(ask(value, "a", () => Promise.reject(new Error("no"))));
  assert.equal(await ask(value, "a", () => Promise.resolve(7)), 7);
});
