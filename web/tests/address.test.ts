import assert from "node:assert/strict";
import test from "node:test";
import { hashOf, isCollection, isFound, targetOf } from "../src/state/address";

const view = { at: "shapes", play: false } as const;

test("an address leads back to its target", () => {
  for (const target of [
    { place: "library/soma", at: "solutions", play: true },
    { place: "folder/a b/ä&?.kumitate.json", ...view },
    { place: "folder/cubes.kumitate", sample: 99, ...view },
    { place: "folder/cubes.kumitate/sample 99", export: true, ...view },
    { place: "run/0123456789abcdef-01234567", problem: 2, run: "0123456789abcdef-01234567", ...view },
    { grid: "spheres", ...view },
    { id: "x1", ...view, at: "problem" },
    { place: "folder/cubes.kumitate/sample 99", ...view, at: "design" },
    { design: true },
    { grid: "cubes", id: "x1", ...view },
    {},
  ] as const)
    assert.deepEqual(targetOf(hashOf(target)), target);
});

test("a collection is no puzzle, but holds some", () => {
  assert.ok(isCollection("folder/cubes.kumitate"));
  for (const place of ["folder/cubes.kumitate/sample 99", "folder/cubes.kumitate.json", "library/soma"])
    assert.ok(!isCollection(place));
  assert.ok(isFound("folder/cubes.kumitate/sample 99"));
  for (const place of ["folder/cubes.kumitate", "folder/sample 99.kumitate.json", "folder/cubes.kumitate/sample x"])
    assert.ok(!isFound(place));
});

test("short addresses, as the terminal writes them", () => {
  assert.deepEqual(targetOf("#/library/soma"), { place: "library/soma", ...view });
  assert.deepEqual(targetOf("#/folder/my%20burr.json?at=problem"), {
    place: "folder/my burr.json",
    at: "problem",
    play: false,
  });
});

test("what is missing or makes no sense has a default", () => {
  assert.deepEqual(targetOf("#/new"), { grid: "cubes", ...view });
  assert.deepEqual(targetOf("#/new?grid=prisms&at=nowhere"), { grid: "prisms", ...view });
  for (const home of ["", "#", "#/", "#/open", "#/open?place=", "#/elsewhere?grid=cubes"])
    assert.deepEqual(targetOf(home), {});
});
