import assert from "node:assert/strict";
import test from "node:test";
import { choices, chosen } from "../src/cards/choose";
import type { FoundCard } from "../src/messages";

const card = (number: number, level: number, pieces: number[], part: Partial<FoundCard> = {}): FoundCard => ({
  number,
  sample: 100 - number,
  title: "",
  comment: "",
  level,
  levels: `${level}`,
  moves: level,
  pieces,
  holes: 0,
  assemblies: 1,
  solutions: 1,
  picture: "",
  ...part,
});
const cards = [
  card(1, 5, [3, 9], { holes: 2 }),
  card(2, 4, [4, 4, 4], { moves: 12, solutions: 2 }),
  card(3, 4, [5, 7], { solutions: null }),
  card(4, 2, [4, 8], { holes: 1 }),
];
const numbers = (found: readonly FoundCard[]) => found.map(({ number }) => number);

test("cards pass if everything wished for is true", () => {
  assert.deepEqual(numbers(chosen(cards, {})), [1, 2, 3, 4]);
  assert.deepEqual(numbers(chosen(cards, { level: 4 })), [1, 2, 3]);
  assert.deepEqual(numbers(chosen(cards, { pieces: 2 })), [1, 3, 4]);
  assert.deepEqual(numbers(chosen(cards, { smallest: 4 })), [2, 3, 4]);
  assert.deepEqual(numbers(chosen(cards, { holes: 1 })), [2, 3, 4]);
  assert.deepEqual(numbers(chosen(cards, { solutions: 1 })), [1, 4]);
  assert.deepEqual(numbers(chosen(cards, { level: 4, pieces: 2, holes: 0 })), [3]);
});

test("equal cards stay the best first", () => {
  assert.deepEqual(numbers(chosen(cards, {}, "moves")), [2, 1, 3, 4]);
  assert.deepEqual(numbers(chosen(cards, {}, "holes")), [2, 3, 4, 1]);
  assert.deepEqual(numbers(chosen(cards, {}, "pieces")), [1, 3, 4, 2]);
  assert.deepEqual(numbers(chosen(cards, {}, "smallest")), [3, 2, 4, 1]);
  assert.deepEqual(numbers(chosen(cards, {}, "sample")), [4, 3, 2, 1]);
});

test("a filter offers only what leaves some cards out", () => {
  assert.deepEqual(choices(cards, "level"), [4, 5]);
  assert.deepEqual(choices(cards, "pieces"), [2, 3]);
  assert.deepEqual(choices(cards, "smallest"), [4, 5]);
  assert.deepEqual(choices(cards, "holes"), [0, 1]);
  assert.deepEqual(choices(cards, "solutions"), [1]);
  assert.deepEqual(choices(cards.slice(3), "level"), []);
  assert.deepEqual(choices([cards[0]!, cards[3]!], "solutions"), []);
});
