import assert from "node:assert/strict";
import test from "node:test";
import { bind, gestures, nameOf, onEscape, press, shortcuts, type Acts } from "../src/keys";

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

/** Press a key while something has the focus that matches these selectors; whether the key was used. */
function pressed(
  key: string,
  { focus = "", dialog = false, ...held }: { focus?: string; dialog?: boolean; ctrlKey?: boolean } = {},
) {
  let used = false;
  const target = { closest: (selector: string) => (focus && selector.split(", ").includes(focus) ? {} : null) };
  const event = {
    ...none,
    ...held,
    key,
    target: target as unknown as Element,
    defaultPrevented: false,
    preventDefault: () => (used = true),
  };
  press(event, dialog);
  return used;
}

/** Bind the keys of the problem, and what was done with them. */
function bound(answer?: false) {
  const did: string[] = [];
  const act = (name: string) => () => (did.push(name), answer);
  return { did, stop: bind("problem", { "←": act("back"), "→": act("on"), Enter: act("pin") }) };
}

test("a key acts while it is bound, and is used up", () => {
  const { did, stop } = bound();
  assert.ok(pressed("ArrowLeft"));
  assert.ok(pressed("Enter"));
  assert.ok(!pressed("x"));
  stop();
  assert.ok(!pressed("ArrowLeft"));
  assert.deepEqual(did, ["back", "pin"]);
});

test("a key with nothing to do keeps its usual meaning", () => {
  const { did, stop } = bound(false);
  assert.ok(!pressed("Enter"));
  assert.deepEqual(did, ["pin"]);
  stop();
});

test("what has the focus comes first", () => {
  const { did, stop } = bound();
  assert.ok(!pressed("Enter", { focus: "button" }));
  assert.ok(!pressed("ArrowLeft", { focus: "textarea" }));
  assert.ok(!pressed("ArrowLeft", { focus: "input[type=range]:not(.time)" }));
  assert.deepEqual(did, []);
  assert.ok(pressed("ArrowLeft", { focus: "button" }));
  assert.ok(!pressed("ArrowRight", { dialog: true }));
  assert.deepEqual(did, ["back"]);
  stop();
});

test("Esc leaves what was begun last, also from a field", () => {
  const did: string[] = [];
  const stops = [onEscape(() => did.push("first")), onEscape(() => did.push("second")), onEscape(() => false)];
  assert.ok(pressed("Escape", { focus: "textarea" }));
  assert.deepEqual(did, ["second"]);
  stops.forEach((stop) => stop());
});

test("Ctrl S never saves the page itself, not even in a dialog", () => {
  assert.ok(pressed("s", { ctrlKey: true, dialog: true }));
});

test("no two shortcuts of a place have the same key", () => {
  for (const place of ["shapes", "problem", "solutions"] as const) {
    const rows = [...Object.keys(shortcuts.everywhere), ...Object.keys(shortcuts[place])];
    const keys = rows.flatMap((row) => row.split(" / "));
    assert.deepEqual(keys, [...new Set(keys)]);
    for (const what of Object.values({ ...shortcuts[place], ...gestures[place] })) assert.ok(what);
  }
});

test("keys are called as the help sheet calls them", () => {
  assert.equal(nameOf({ ...none, key: "a" }), "A");
  assert.equal(nameOf({ ...none, key: "Z", shiftKey: true }), "Shift Z");
  assert.equal(nameOf({ ...none, key: "c", metaKey: true }), "Ctrl C");
  assert.equal(nameOf({ ...none, key: "ArrowUp", altKey: true }), "Alt ↑");
  assert.equal(nameOf({ ...none, key: "+", shiftKey: true }), "+");
  assert.equal(nameOf({ ...none, key: "-" }), "−");
  assert.equal(nameOf({ ...none, key: "Backspace" }), "Delete");
});

test("a place that forgets a key, or has one that is not in the table, does not compile", () => {
  const act = () => {};
  // @ts-expect-error: Enter has no act
  const short: Acts<"problem"> = { "←": act, "→": act };
  // @ts-expect-error: the table has no Q
  const long: Acts<"problem"> = { "←": act, "→": act, Enter: act, Q: act };
  assert.ok(short && long);
});
