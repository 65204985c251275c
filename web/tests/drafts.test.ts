import assert from "node:assert/strict";
import test from "node:test";
import * as drafts from "../src/drafts";
import type { Opened } from "../src/messages";
import { cubes } from "./grids";

/** A store like the browser's, that can be full. */
function memory(room = Infinity): drafts.Store {
  const all = new Map<string, string>();
  return {
    get length() {
      return all.size;
    },
    key: (at) => [...all.keys()][at] ?? null,
    getItem: (key) => all.get(key) ?? null,
    removeItem: (key) => void all.delete(key),
    setItem(key, value) {
      if (value.length > room) throw new DOMException("full", "QuotaExceededError");
      all.set(key, value);
    },
  };
}

const opened = (title: string): Opened => ({
  place: "",
  version: "",
  writable: false,
  warnings: [],
  grid: cubes,
  puzzle: { grid: "cubes", title, designer: "", comment: "", popup: false, colours: [], shapes: [], problems: [] },
});

test("a draft that was kept comes back as it was", () => {
  const store = memory();
  assert.ok(drafts.keep(store, "folder/a.kumitate.json", opened("A"), 7));
  const draft = drafts.kept(store, "folder/a.kumitate.json");
  assert.deepEqual(draft, { opened: opened("A"), time: 7 });
  drafts.drop(store, "folder/a.kumitate.json");
  assert.equal(drafts.kept(store, "folder/a.kumitate.json"), null);
});

test("damaged drafts are told from absent ones", () => {
  const store = memory();
  for (const text of ["{", "null", "{}", '{"time": 1, "opened": {"version": "", "puzzle": {"grid": "cubes"}}}']) {
    store.setItem("draft:x", text);
    assert.equal(drafts.kept(store, "x"), "damaged", text);
  }
});

test("a full store says so and keeps what was there", () => {
  const store = memory(JSON.stringify({ opened: opened("A"), time: 1 }).length);
  assert.ok(drafts.keep(store, "x", opened("A"), 1));
  assert.ok(!drafts.keep(store, "x", opened("a longer title"), 2));
  assert.equal((drafts.kept(store, "x") as drafts.Draft).opened.puzzle.title, "A");
});

test("puzzles that lie nowhere are listed, the latest first", () => {
  const store = memory();
  store.setItem("theme", "dark");
  drafts.keep(store, "folder/a", opened("A"), 9);
  drafts.keep(store, drafts.keyOf("one"), opened("B"), 1);
  drafts.keep(store, drafts.keyOf("two"), opened("C"), 2);
  store.setItem("draft:new/broken", "{");
  assert.deepEqual(
    drafts.newOnes(store).map(({ key }) => drafts.idOf(key)),
    ["two", "one"],
  );
  assert.ok(drafts.isNew(drafts.freshKey()) && !drafts.isNew("folder/new"));
});

test("what was changed after a save began is a draft of what was saved", () => {
  const [store, made] = [memory(), { place: "folder/a.kumitate.json", version: "v2" }];
  drafts.keep(store, "new/1", opened("later"), 7);
  drafts.savedMeanwhile(store, "new/1", opened("sooner").puzzle, made);
  assert.equal(drafts.kept(store, "new/1"), null);
  const draft = drafts.kept(store, made.place) as drafts.Draft;
  assert.deepEqual([draft.opened.puzzle.title, draft.opened.version, draft.opened.writable], ["later", "v2", true]);

  drafts.savedMeanwhile(store, made.place, opened("later").puzzle, { ...made, version: "v3" });
  assert.equal(drafts.kept(store, made.place), null);
});
