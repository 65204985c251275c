import assert from "node:assert/strict";
import test from "node:test";
import { drawn, sampleOf } from "../src/parts/drawing";
import { choices, chosen, latest } from "../src/home/gallery";
import type { Card, HomeData } from "../src/messages";
import { grids } from "./grids";

const card = (title: string, part: Partial<Card> = {}): Card => ({
  place: `library/${title}`,
  title,
  designer: "",
  grid: "cubes",
  kind: "packing",
  pieces: 1,
  problems: 1,
  known: "",
  collection: false,
  modified: null,
  picture: "",
  error: "",
  ...part,
});
const cards = [
  card("Soma cube", { designer: "Piet Hein", known: "240 assemblies" }),
  card("Känel burr", { kind: "burr" }),
  card("Pyramid", { kind: "balls", grid: "spheres" }),
];

test("every word must be somewhere, whatever its accents and capitals", () => {
  const found = (text: string) => chosen(cards, { text, kind: "", grid: "" }).map(({ title }) => title);
  assert.deepEqual(found("PIET soma"), ["Soma cube"]);
  assert.deepEqual(found("kanel"), ["Känel burr"]);
  assert.deepEqual(found("soma burr"), []);
  assert.equal(found("  ").length, 3);
  assert.deepEqual(chosen(cards, { text: "", kind: "balls", grid: "spheres" }), [cards[2]]);
});

test("choices come from the cards, and one alone is no choice", () => {
  const home = (library: Card[]): HomeData => ({ library, folder: [], folder_name: "x", grids: [], more: 0 });
  assert.deepEqual(choices(home(cards), "grid"), ["cubes", "spheres"]);
  assert.deepEqual(choices(home(cards.slice(0, 2)), "grid"), []);
});

test("the folder's last saved come first", () => {
  const some = [
    card("a", { modified: 1 }),
    card("bad", { modified: 9, error: "no" }),
    card("b", { modified: 3 }),
    card("c"),
  ];
  assert.deepEqual(
    latest(some).map(({ title }) => title),
    ["b", "a", "c", "bad"],
  );
});

test("a cube is drawn as three rhombs, four balls as four discs, and every grid as something", () => {
  const sides = (key: string) => drawn(grids[key]!, sampleOf(grids[key]!)).patches;
  assert.deepEqual(
    sides("cubes").map(({ points }) => points.length),
    [4, 4, 4],
  );
  assert.equal(sides("spheres").length, 4);
  for (const key of Object.keys(grids)) {
    const { patches, box } = drawn(grids[key]!, sampleOf(grids[key]!));
    assert.ok(patches.length >= 3, key);
    const [x, y, width, height] = box.split(" ").map(Number) as [number, number, number, number];
    for (const { points } of patches)
      for (const [px, py] of points) assert.ok(px >= x && px <= x + width && py >= y && py <= y + height, key);
  }
});

test("what turns stays in a box of one size, and after a full turn is as before", () => {
  for (const key of Object.keys(grids)) {
    const grid = grids[key]!;
    const at = (angle: number) => drawn(grid, sampleOf(grid), angle, true);
    const sizes = new Set<string>();
    for (let angle = 0; angle < 6.2; angle += 0.3) {
      const { patches, box } = at(angle);
      const [x, y, width, height] = box.split(" ").map(Number) as [number, number, number, number];
      sizes.add(width.toFixed(6));
      for (const { points, radius } of patches)
        for (const [px, py] of points)
          assert.ok(px - radius >= x && px + radius <= x + width && py - radius >= y && py + radius <= y + height, key);
    }
    assert.equal(sizes.size, 1, key);
    const places = (angle: number) =>
      at(angle)
        .patches.map(({ points }) => points.map(([x, y]) => `${(x + 9).toFixed(6)} ${(y + 9).toFixed(6)}`).join())
        .sort();
    assert.deepEqual(places(2 * Math.PI), places(0), key);
    assert.notDeepEqual(places(1), places(0), key);
  }
});
