import assert from "node:assert/strict";
import test from "node:test";
import { Mesh, type BufferGeometry, type InstancedMesh } from "three";
import { indexOf } from "../src/geometry/edits";
import { bare, neighbours, keyOf, type Row } from "../src/geometry/grid";
import { makeGhosts, makeShape } from "../src/stage/cells";
import { cubes, grids, spheres } from "./grids";

const block = (size: number): Row[] => {
  const rows: Row[] = [];
  for (let x = 0; x < size; x++)
    for (let y = 0; y < size; y++) for (let z = 0; z < size; z++) rows.push([x, y, z, 0, 0, 0]);
  return rows;
};
const palette = { neutral: "#ff0000", colours: ["#00ff00"] };

/** How many triangles are shown. */
function triangles({ object }: { object: { traverse(see: (part: object) => void): void } }): number {
  let count = 0;
  object.traverse((part) => {
    if (!(part instanceof Mesh) || !part.visible) return;
    const { drawRange, index } = part.geometry as BufferGeometry;
    count += (Math.min(drawRange.count, index!.count) / 3) * ((part as InstancedMesh).count ?? 1);
  });
  return count;
}

test("only sides that can be seen are drawn", () => {
  const shape = makeShape(cubes);
  shape.draw(indexOf([[0, 0, 0, 0, 0, 0]]), palette);
  assert.equal(triangles(shape), 6 * 10); // a side has a rim of 8 triangles and 2 within
  shape.draw(indexOf(block(2)), palette);
  assert.equal(triangles(shape), 24 * 10);
  shape.draw(indexOf(block(3)), palette);
  assert.equal(triangles(shape), 54 * 10);
  shape.draw(indexOf([]), palette);
  assert.equal(triangles(shape), 0);
});

test("on every grid, drawing change by change comes to the same as drawing at once", () => {
  for (const grid of Object.values(grids)) {
    const rows: Row[] = [[0, 0, 0, 0, 0, 0]];
    const slowly = makeShape(grid);
    for (let n = 0; rows.length < 30; n++) {
      for (const next of neighbours(grid, rows[n]!))
        if (!indexOf([...rows]).has(keyOf(next))) rows.push([...bare(next), rows.length % 3 ? 0 : 1, 0]);
      slowly.draw(indexOf([...rows]), palette);
    }
    while (rows.length > 9) {
      rows.splice(rows.length >> 1, 1);
      slowly.draw(indexOf([...rows]), palette);
    }
    const once = makeShape(grid);
    once.draw(indexOf([...rows]), palette);
    assert.equal(triangles(slowly), triangles(once), grid.name);
    slowly.dispose();
    once.dispose();
  }
});

test("a side next to an optional cell is seen through it", () => {
  const shape = makeShape(cubes);
  shape.draw(
    indexOf([
      [0, 0, 0, 0, 0, 0],
      [1, 0, 0, 0, 1, 0],
    ]),
    palette,
  );
  // Six sides of the fixed cell; five of the other, whose mask and glass are two meshes.
  assert.equal(triangles(shape), 10 * (6 + 2 * 5));
});

test("large shapes are drawn plainly", () => {
  const shape = makeShape(cubes);
  shape.draw(indexOf(block(20)), palette);
  assert.ok(shape.plain());
  assert.equal(triangles(shape), 6 * 400 * 2);
  shape.draw(indexOf(block(4)), palette);
  assert.ok(!shape.plain());
  assert.equal(triangles(shape), 6 * 16 * 10);
});

test("ghosts come and go, also as balls", () => {
  for (const grid of [cubes, spheres]) {
    const ghosts = makeGhosts(grid, 1.02, 0.5);
    assert.equal(triangles(ghosts), 0);
    ghosts.draw(
      [
        [0, 0, 0, 0],
        [1, 0, 0, 0],
      ],
      "#ff0000",
    );
    const two = triangles(ghosts);
    ghosts.draw([[1, 0, 0, 0]], "#ff0000");
    assert.ok(triangles(ghosts) > 0 && triangles(ghosts) < two);
    ghosts.draw([], "#ff0000");
    assert.equal(triangles(ghosts), 0);
  }
});
