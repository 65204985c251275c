import assert from "node:assert/strict";
import test from "node:test";
import { shifted } from "../src/geometry/edits";
import { keyOf, keysOf, spotOf, type Row } from "../src/geometry/grid";
import { boundsOf, firstRoom, inRoom, unitOf } from "../src/geometry/room";
import { ball, block, centring, column, holes, inner, point, sidesOf } from "../src/geometry/whole";
import type { GridData } from "../src/messages";
import { cubes, grids } from "./grids";

/** So many units that a block has an inside. */
const wide = (grid: GridData) => (block(grid, [4, 4, 4]).length < 30 ? 8 : 4);

for (const [name, grid] of Object.entries(grids)) {
  test(`${name}: a block of a unit is whole, balls are smaller than blocks, and a column stands in its room`, () => {
    const unit = block(grid, [1, 1, 1]);
    assert.ok(unit.length >= 1, `${unit.length}`);
    assert.equal(block(grid, [2, 1, 1]).length % unit.length, 0);
    const size = wide(grid);
    const [round, square] = [keysOf(ball(grid, size)), keysOf(block(grid, [size, size, size]))];
    assert.ok(round.size > 0 && round.size < square.size);
    for (const key of round) assert.ok(square.has(key));
    const room = firstRoom(grid, []);
    for (const cell of column(grid, room, unit[0]!)) {
      assert.ok(inRoom(room, spotOf(grid, cell)));
      assert.deepEqual(spotOf(grid, cell).slice(0, 2), spotOf(grid, unit[0]!).slice(0, 2));
    }
    assert.deepEqual(new Set(point(grid, unit[0]!).map(([, , , tile]) => tile)).size, grid.tiles.length);
  });

  test(`${name}: a hole is found and filled, and only cells with all their neighbours are inside`, () => {
    const size = wide(grid);
    const cells = block(grid, [size, size, size]);
    const rows = cells.map(([x, y, z, tile]): Row => [x, y, z, tile, 0, 0]);
    const inside = inner(grid, rows);
    assert.ok(inside.length > 0 && inside.length < rows.length);
    const hole = keyOf(inside[0]!);
    const hollow = rows.filter((row) => keyOf(row) !== hole);
    assert.deepEqual(holes(grid, hollow).map(keyOf), [hole]);
    assert.deepEqual(holes(grid, rows), []);
    assert.deepEqual(holes(grid, []), []);
  });

  test(`${name}: a shape that is centred stands about as far from either wall, and then stays`, () => {
    const cells = block(grid, [1, 1, 1]).map(([x, y, z, tile]): Row => [x, y, z, tile, 0, 0]);
    const room = firstRoom(grid, []);
    const moved = shifted(cells, centring(grid, room, cells));
    const bounds = boundsOf(grid, moved)!;
    for (const axis of [0, 1, 2] as const) {
      const off = bounds.low[axis] - room.low[axis] - (room.high[axis] - bounds.high[axis]);
      assert.ok(Math.abs(off) <= 2 * unitOf(grid)[axis] + 4, `${axis}: ${off}`);
    }
    assert.deepEqual(centring(grid, room, moved), [0, 0, 0]);
  });
}

test("the block most like a cube has the volume of the pieces", () => {
  for (const [volume, sides] of [
    [27, [3, 3, 3]],
    [64, [4, 4, 4]],
    [60, [5, 4, 3]],
    [7, [7, 1, 1]],
    [1, [1, 1, 1]],
  ] as const)
    assert.deepEqual(sidesOf(volume), sides);
  assert.equal(block(cubes, [3, 4, 5]).length, 60);
  assert.equal(block(grids["rhombic"]!, [1, 1, 1]).length, 24);
  assert.equal(ball(cubes, 3).length, 19);
});
