import assert from "node:assert/strict";
import test from "node:test";
import { keys } from "../src/keys";
import { acts, nameOf } from "../src/shapes/acts";

/** What the list, the layer view and the pointer act on themselves. */
const elsewhere = ["Space", "Alt ↑", "Alt ↓", "F2", "Alt click", "Shift drag", "Right drag"];

test("every key of Shapes that the help sheet shows does something", () => {
  const shown = keys.filter(({ place }) => place === "shapes").flatMap(({ key }) => key.split(" / "));
  assert.ok(shown.length > 30);
  for (const key of shown) assert.ok(key in acts || elsewhere.includes(key), `nobody acts on ${key}`);
});

test("every key of Shapes that does something is shown", () => {
  const shown = new Set(keys.flatMap(({ key }) => key.split(" / ")));
  for (const key of Object.keys(acts)) assert.ok(shown.has(key), `${key} is in no help`);
});

test("no two lines of the help sheet give the same key another meaning in one place", () => {
  for (const place of ["shapes", "problem", "solutions"]) {
    const shown = keys
      .filter((key) => key.place === place || key.place === "everywhere")
      .flatMap(({ key }) => key.split(" / "));
    assert.deepEqual(shown, [...new Set(shown)]);
  }
});

test("keys are called as the help sheet calls them", () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  assert.equal(nameOf({ ...none, key: "a" }), "A");
  assert.equal(nameOf({ ...none, key: "Z", shiftKey: true }), "Shift Z");
  assert.equal(nameOf({ ...none, key: "c", metaKey: true }), "Ctrl C");
  assert.equal(nameOf({ ...none, key: "ArrowUp", altKey: true }), "Alt ↑");
  assert.equal(nameOf({ ...none, key: "+", shiftKey: true }), "+");
  assert.equal(nameOf({ ...none, key: "-" }), "−");
  assert.equal(nameOf({ ...none, key: "Backspace" }), "Delete");
});
