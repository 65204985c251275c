import assert from "node:assert/strict";
import test from "node:test";
import { keysOf, type Cell } from "../src/cells";
import { pieceColour } from "../src/palette";
import { facesOf } from "../src/stage/faces";
import { boxOf, linesOf } from "../src/stage/solid";
import { fileName, sentence, withEnding } from "../src/text";
import { cubes, grids, spheres } from "./grids";

const cube3: Cell[] = [];
for (let n = 0; n < 27; n++) cube3.push([n % 3, Math.floor(n / 3) % 3, Math.floor(n / 9), 0]);

test("of a block of 27 cubes just the 54 outer sides are seen, with 12 edges and the seams between", () => {
  const faces = facesOf(cubes, cube3);
  assert.equal(faces.length, 54);
  const { edges, seams } = linesOf(faces);
  assert.equal(edges.length / 6, 12 * 3);
  assert.equal(seams.length / 6, 6 * 12);
});

test("sides towards cells that hide are left out, others are not", () => {
  const two: Cell[] = [
    [0, 0, 0, 0],
    [1, 0, 0, 0],
  ];
  assert.equal(facesOf(cubes, two).length, 10);
  assert.equal(facesOf(cubes, two, new Set()).length, 12);
  assert.equal(facesOf(cubes, [[0, 0, 0, 0]], keysOf(two)).length, 5);
});

test("every side of every tile looks outwards", () => {
  for (const [key, grid] of Object.entries(grids)) {
    grid.tiles.forEach((tile, number) => {
      for (const { corners, normal } of facesOf(grid, [[0, 0, 0, number]])) {
        const out = corners[0]!.map((x, axis) => x - tile.centre[axis]!);
        assert.ok(out[0]! * normal[0] + out[1]! * normal[1] + out[2]! * normal[2] > 0, key);
        assert.ok(Math.abs(Math.hypot(...normal) - 1) < 1e-6, key);
      }
    });
  }
});

test("a box holds what is drawn", () => {
  assert.deepEqual(boxOf(cubes, cube3).max.toArray(), [3, 3, 3]);
  const { min, max } = boxOf(spheres, [[0, 0, 0, 0]]);
  assert.ok(Math.abs(max.x - min.x - 2 * spheres.radius) < 1e-9);
});

test("pieces have the colours of kumitate.model.palette", () => {
  assert.equal(pieceColour(0), "#E69F00");
  assert.equal(pieceColour(20), "#D16161");
});

test("what the server says becomes a sentence once", () => {
  assert.equal(sentence("the goal is empty; draw it"), "The goal is empty; draw it.");
  assert.equal(sentence("Done."), "Done.");
  assert.equal(sentence("add a piece", ""), "Add a piece");
  assert.equal(sentence(""), "");
});

test("a name to save under comes from the place, else from the title", () => {
  assert.equal(fileName("folder/burrs/six.xmpuzzle", "Six"), "burrs/six");
  assert.equal(fileName("library/soma", "Soma cube"), "soma");
  assert.equal(fileName("", "Känel's Burr, No. 3!"), "känel-s-burr-no-3");
  assert.equal(fileName("", ""), "puzzle");
  assert.equal(fileName("folder/x.kumitate.json.gz", "X"), "x");
  assert.equal(fileName("folder/v1.2.json", ""), "v1.2");
});

test("a name that was typed keeps its ending, or gets the usual one", () => {
  for (const name of ["x.json", "x.json.gz", "x.kumitate.json", "x.kumitate.json.gz", "X.XMPUZZLE", "x.scad"])
    assert.equal(withEnding(name), name);
  for (const name of ["x", "x.gz", "v1.2", "x.kumitate"]) assert.equal(withEnding(name), `${name}.kumitate.json`);
});
