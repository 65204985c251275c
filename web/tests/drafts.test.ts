import assert from "node:assert/strict";
import test from "node:test";
import * as drafts from "../src/drafts";
import { looseDrafts } from "../src/home/gallery";
import type { DraftCard, DraftRequest } from "../src/messages";

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

const draft = (title: string, time = 1): DraftRequest => ({
  place: "",
  version: "",
  writable: false,
  puzzle: { grid: "cubes", title, designer: "", comment: "", popup: false, colours: [], shapes: [], problems: [] },
  time,
  tab: "a",
});

test("a puzzle is known by its place, or as new with the id of its draft", () => {
  const key = drafts.freshKey();
  assert.ok(drafts.isNew(key));
  assert.equal(drafts.keyOf(drafts.idOf(key)), key);
  assert.ok(!drafts.isNew("folder/soma.kumitate.json"));
  assert.match(drafts.freshId(), /^[0-9a-z]+$/);
});

test("the outbox keeps drafts until they are sent, beside other things", () => {
  const store = memory();
  store.setItem("theme", "dark");
  assert.ok(drafts.keep(store, "one", draft("first")));
  assert.ok(drafts.keep(store, "two", draft("second")));
  assert.deepEqual(
    drafts.waiting(store).map(({ id, draft }) => [id, draft.puzzle.title]),
    [
      ["one", "first"],
      ["two", "second"],
    ],
  );
  drafts.drop(store, "one");
  assert.deepEqual(
    drafts.waiting(store).map(({ id }) => id),
    ["two"],
  );
  assert.equal(store.getItem("theme"), "dark");
});

test("what was drawn while a draft was on its way stays in the outbox", () => {
  const store = memory();
  drafts.keep(store, "one", draft("later", 2));
  drafts.drop(store, "one", 1);
  assert.equal(drafts.waiting(store).length, 1);
  drafts.drop(store, "one", 2);
  assert.equal(drafts.waiting(store).length, 0);
});

test("without room nothing is kept", () => {
  assert.ok(!drafts.keep(memory(10), "one", draft("long")));
});

test("what cannot be read is thrown out", () => {
  const store = memory();
  store.setItem("draft:bad", '{"place": ');
  drafts.keep(store, "good", draft("good"));
  assert.deepEqual(
    drafts.waiting(store).map(({ id }) => id),
    ["good"],
  );
  assert.equal(store.getItem("draft:bad"), null);
});

test("the gallery lists drafts without a place, and all but the latest of a place", () => {
  const card = (id: string, place: string) => ({ id, place }) as DraftCard;
  const all = [
    card("1", "folder/a"),
    card("2", ""),
    card("3", "folder/a"),
    card("4", "folder/b"),
    card("5", ""),
    card("6", "site/c"),
  ];
  assert.deepEqual(
    looseDrafts(all).map(({ id }) => id),
    ["2", "3", "5", "6"],
  );
});
