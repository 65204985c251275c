import assert from "node:assert/strict";
import test from "node:test";
import { filmKinds } from "../src/make/film";
import { givenOf, gramsOf, optionsFor, THINGS, valueOf, volumeOf } from "../src/make/making";
import { EFFECTS, MAKE_OPTIONS, type PreviewData } from "../src/messages";
import { duration } from "../src/words/make";

const option = (name: string) => MAKE_OPTIONS.find((one) => one.name === name)!;
const thing = (name: string) => THINGS.find((one) => one.name === name)!;

test("lengths are read however people write them, and nothing else is", () => {
  for (const text of ["180x200", "180 x 200", "180 × 200", "180*200", " 180  200 "])
    assert.deepEqual(valueOf(option("bed"), text), [180, 200], text);
  assert.equal(valueOf(option("inset"), "0,1"), 0.1);
  assert.equal(valueOf(option("unit"), "15"), 15);
  assert.deepEqual(valueOf(option("unit"), "15x15x20"), [15, 15, 20]);
  assert.equal(valueOf(option("width"), "800"), 800);
  for (const [name, text] of [
    ["bed", "180"],
    ["bed", "1x2x3"],
    ["unit", "15x20"],
    ["inset", "thick"],
    ["inset", "1x2"],
    ["width", "1.5"],
    ["wall", "Infinity"],
  ] as const)
    assert.equal(valueOf(option(name), text), null, text);
  for (const empty of ["", "  ", undefined, false]) assert.equal(valueOf(option("wall"), empty), undefined);
});

test("only options that act are offered and sent", () => {
  const names = (what: string, to: string, balls = false) => optionsFor(thing(what), to, balls).map(({ name }) => name);
  assert.deepEqual(names("sheets", ".dxf"), ["unit", "inset", "bed"]);
  assert.deepEqual(names("box", ".3mf"), ["unit", "bed", "gap", "each"]);
  assert.ok(names("pieces", ".stl", true).includes("neck"));
  assert.ok(!names("pieces", ".stl", true).includes("bevel"));
  assert.ok(!names("pieces", ".stl").includes("neck"));
  const sheets = optionsFor(thing("sheets"), ".svg", false);
  assert.deepEqual(givenOf(sheets, { unit: "12", wall: "2", bed: "" }), { unit: 12 });
  assert.equal(givenOf(sheets, { unit: "?" }), null);
});

test("every thing has its options in the table, whatever the format", () => {
  for (const { name, formats } of THINGS)
    for (const to of formats) assert.ok(name === "booklet" || EFFECTS[`${to} ${name}`]?.length, `${to} ${name}`);
});

test("material is what lies on the plates, copies too", () => {
  const solid = { name: "", colour: "", positions: [], triangles: [] };
  const solids = [
    { ...solid, volume: 1000 },
    { ...solid, volume: 500 },
  ];
  const at: [number, number, number] = [0, 0, 0];
  const plates = [
    [
      { solid: 0, at },
      { solid: 0, at },
    ],
    [{ solid: 1, at }],
  ];
  assert.equal(volumeOf({ solids, plates } as unknown as PreviewData), 2500);
  assert.equal(gramsOf(2500, 1.24), 3.1);
});

test("times are told in seconds, minutes, hours", () => {
  assert.deepEqual([40, 89.6, 720, 7500].map(duration), ["40 s", "90 s", "12 min", "2 h 5 min"]);
});

test("one kind of film for each suffix that the browser can encode", () => {
  assert.deepEqual(
    filmKinds(() => false),
    [],
  );
  assert.deepEqual(
    filmKinds((type) => type.startsWith("video/webm")).map(({ type }) => type),
    ["video/webm;codecs=vp9"],
  );
  assert.deepEqual(
    filmKinds(() => true).map(({ suffix }) => suffix),
    [".mp4", ".webm"],
  );
});
