import assert from "node:assert/strict";
import test from "node:test";
import { DEFAULT_OPTIONS, type RunData } from "../src/messages";
import { GROUPS, reasonAgainst, requestFor } from "../src/parts/export";
import { allCells, barsOf, namesOf } from "../src/solutions/layers";
import { duration, optionsText, outcomeOf, took } from "../src/solutions/outcome";
import { filters, noFilter, pagesOf, ROW, scrollFor, TALL, toggled, windowOf, withPiece } from "../src/solutions/rows";

const options = { ...DEFAULT_OPTIONS, disassemble: true };

// ---- long lists ----

test("only the rows in view are drawn, each where it belongs", () => {
  const { first, end, top, height } = windowOf(10 * ROW + 5, 8 * ROW, 50_000);
  assert.deepEqual([first, top, height], [10, 10 * ROW, 50_000 * ROW]);
  assert.ok(end - first <= 11);
  assert.deepEqual(windowOf(0, 400, 0), { first: 0, end: 0, top: 0, height: 0 });
  assert.equal(windowOf(1e9, 400, 100).end, 100);
});

test("a list taller than any browser draws still reaches its last row", () => {
  const total = 4_000_000;
  const { height } = windowOf(0, 400, total);
  assert.ok(height < 17_000_000);
  const { first, end, top } = windowOf(height - 400, 400, total);
  assert.equal(end, total);
  assert.ok(Math.abs(top + (total - first) * ROW - height) < 1); // its lower edge is the list's
  for (let scrolled = 0; scrolled < height; scrolled += 99_991) {
    const seen = windowOf(scrolled, 400, total);
    assert.ok(seen.top <= scrolled && seen.top > scrolled - ROW && seen.end - seen.first < 15);
  }
});

test("scrolling to a row brings it into view, and no farther", () => {
  for (const total of [1000, 3_000_000]) {
    for (const row of [0, 7, 500, total - 1]) {
      const to = scrollFor(row, 300 * ROW, 10 * ROW, total);
      const { first, end } = windowOf(to, 10 * ROW, total);
      assert.ok(first <= row && row < end, `${row} of ${total}`);
      assert.ok(Math.abs(scrollFor(row, to, 10 * ROW, total) - to) < 1e-6);
    }
  }
});

test("rows lie on pages of a hundred", () => {
  assert.deepEqual(pagesOf({ first: 95, end: 101 }), [0, 1]);
  assert.deepEqual(pagesOf({ first: 200, end: 300 }), [2]);
  assert.deepEqual(pagesOf({ first: 0, end: 0 }), []);
  assert.equal(filters(noFilter), false);
  assert.equal(filters({ ...noFilter, order: "level" }), false);
  assert.ok(filters({ ...noFilter, min_level: 0 }) && filters({ ...noFilter, lacks: [2] }));
});

// ---- runs in words ----

const run = (change: Partial<RunData>): RunData => ({
  id: "r",
  title: "",
  problem: 0,
  state: "done",
  options,
  assemblies: 240,
  solutions: 240,
  kept: 240,
  rigid: 0,
  stuck: 0,
  given_up: 0,
  fraction: 1,
  seconds: 0.42,
  seconds_left: null,
  levels: {},
  message: "",
  ...change,
});

test("times are said as people say them", () => {
  assert.deepEqual([0.2, 7, 42, 200, 7000, 2e5, 1e9].map(duration), [
    "less than a second",
    "a few seconds",
    "about 40 seconds",
    "about 3 minutes",
    "about 2 hours",
    "about 2 days",
    "years",
  ]);
  assert.deepEqual([0.421, 3.14, 59.4, 200, 3725].map(took), ["0.42 s", "3.1 s", "59 s", "3 min 20 s", "1 h 2 min"]);
});

test("every ending has its words and its way on", () => {
  assert.equal(outcomeOf(run({ state: "running" })), null);
  assert.equal(outcomeOf(run({}))!.text, "Found all 240 solutions in 0.42 s.");
  assert.equal(outcomeOf(run({ assemblies: 1, solutions: 1 }))!.text, "Found 1 solution, the only one, in 0.42 s.");
  const some = outcomeOf(run({ assemblies: 10, solutions: 3, rigid: 5, stuck: 1, given_up: 1 }))!;
  assert.match(
    some.text,
    /^Found all 3 solutions \(of 10 assemblies\) in .* 5 are rigid: .* 1 moves, .* 1 was given up/,
  );
  const none = outcomeOf(run({ assemblies: 2, solutions: 0, rigid: 2 }))!;
  assert.deepEqual([none.kind, none.offer], ["warn", "assemblies"]);
  assert.match(none.text, /2 assemblies, but none comes apart. 2 are rigid/);
  assert.equal(
    outcomeOf(run({ assemblies: 0, solutions: 0, message: "the volumes differ" }))!.text,
    "The volumes differ.",
  );
  assert.match(outcomeOf(run({ assemblies: 0, solutions: 0 }))!.text, /no assembly/);
  assert.equal(outcomeOf(run({ state: "limit", solutions: 5 }))!.offer, "all");
  assert.deepEqual(outcomeOf(run({ state: "failed", message: "the disk is full" })), {
    kind: "bad",
    text: "The disk is full.",
    offer: "again",
  });
});

test("a run is told from another by how it was asked for", () => {
  assert.equal(optionsText(options), "default");
  assert.equal(
    optionsText({ ...options, disassemble: false, mirrors: true, keep: "best:50", limit: 1000 }),
    "assemblies only, mirror images counted separately, keep best by level: 50, at most 1,000",
  );
  assert.equal(optionsText({ ...options, turns: 0 }), "turns");
  assert.equal(optionsText({ ...options, turns: 0.1 }), "turns with a tolerance of 0.1");
});

// ---- statistics ----

test("a histogram has few bars and loses no solution", () => {
  const values = Array.from({ length: 90 }, (_, n) => ({ value: 3 + n, count: n }));
  const bars = barsOf(values);
  assert.ok(bars.length <= 24);
  assert.equal(
    bars.reduce((sum, { count }) => sum + count, 0),
    (89 * 90) / 2,
  );
  assert.deepEqual(
    barsOf([
      { value: 2, count: 5 },
      { value: 4, count: 1 },
    ]),
    [
      { from: 2, to: 2, count: 5 },
      { from: 3, to: 3, count: 0 },
      { from: 4, to: 4, count: 1 },
    ],
  );
  assert.deepEqual(barsOf([]), []);
});

// ---- files ----

test("what needs a solution says so, and names its run only then", () => {
  const there = { pieces: true, solution: false, apart: false, fresh: true };
  const kinds = GROUPS.flatMap((group) => group.kinds);
  assert.ok(
    kinds
      .filter(({ needs }) => needs === "solution" || needs === "apart")
      .every(({ needs }) => reasonAgainst(needs, there)),
  );
  assert.equal(reasonAgainst("apart", { ...there, solution: true, apart: true }), "");
  const asked = { puzzle: { grid: "cubes" } as never, problem: 0 };
  const watched = { run: "abc", number: 7 };
  const requests = kinds.map((kind) => requestFor(kind, asked, watched, {}));
  assert.deepEqual(requests.find(({ to }) => to === ".gif")!.run, "abc");
  assert.deepEqual(requests.find(({ to }) => to === ".3mf")!.run, "");
});

test("cells that a piece never covers are drawn, too", () => {
  const piece = (cells: [number, number, number, number, number][]) => ({
    piece: 0,
    name: "",
    colour: "",
    cells,
    placements: [],
  });
  const [one, other] = [
    piece([[1, 0, 0, 0, 4]]),
    piece([
      [0, 0, 0, 0, 9],
      [1, 0, 0, 0, 5],
    ]),
  ];
  assert.deepEqual(allCells([one, other], one), [
    [0, 0, 0, 0, 0],
    [1, 0, 0, 0, 4],
  ]);
});

test("rows with pictures are taller, and fewer are drawn", () => {
  const { first, end, top } = windowOf(10 * TALL, 4 * TALL, 500, TALL);
  assert.deepEqual([first, top], [10, 10 * TALL]);
  assert.ok(end <= 16);
  assert.equal(scrollFor(20, 0, 4 * TALL, 500, TALL), 17 * TALL);
});

test("a wish for a cell comes and goes, and a piece lies in one place only", () => {
  const wish = { cell: [0, 1, 2, 0] as [number, number, number, number], piece: 3, colour: null };
  const once = toggled(noFilter, wish);
  assert.ok(filters(once));
  assert.deepEqual(toggled(once, { ...wish, cell: [0, 1, 2, 0] }), noFilter);
  const lying = withPiece(once, 3, [
    [0, 0, 0, 0],
    [1, 0, 0, 0],
  ]);
  assert.deepEqual(
    lying.here.map(({ cell }) => cell[0]),
    [0, 1],
  );
  assert.ok(filters({ ...noFilter, alone: true }) && filters({ ...noFilter, copies: [1] }));
  assert.equal(namesOf([1, 0, 2], ["A", "B", "C"]), "A 2×C");
});
