import assert from "node:assert/strict";
import test from "node:test";
import { indexOf, painted, replaced, shiftAlong, shifted, taken } from "../src/geometry/edits";
import {
  beyond,
  cellAt,
  cellNear,
  centreOf,
  heightOf,
  keyOf,
  keysOf,
  neighbours,
  placeOf,
  spotOf,
  type Cell,
  type Row,
} from "../src/geometry/grid";
import {
  footprintOf,
  layersOf,
  nearestIn,
  nextIn,
  sectionOf,
  standingAt,
  byHeight,
  outlineOf,
  viewBoxOf,
} from "../src/geometry/layers";
import { openSides } from "../src/geometry/faces";
import { hit } from "../src/geometry/ray";
import { boundsOf, cellsIn, firstRoom, grown, inRoom, resized, sizeOf, spaceOf } from "../src/geometry/room";
import { box, flood, line, mirrored, mirrorIn } from "../src/geometry/strokes";
import type { Vector } from "../src/vector";
import type { GridData } from "../src/messages";
import { cubes, grids, spheres } from "./grids";

const minus = (a: Vector, b: Vector) => a.map((c, axis) => c - b[axis]!) as unknown as Vector;
const far = (a: Vector, b: Vector) => Math.hypot(...minus(a, b));

/** Some cells around the origin, of every tile. */
function around(grid: GridData, reach = 1): Cell[] {
  const cells: Cell[] = [];
  for (let x = -reach; x <= reach; x++)
    for (let y = -reach; y <= reach; y++)
      for (let z = -reach; z <= reach; z++) grid.tiles.forEach((_, tile) => cells.push([x, y, z, tile]));
  return cells;
}

const bar = (...xs: number[]): Row[] => xs.map((x) => [x, 0, 0, 0, 0, 0]);

for (const [name, grid] of Object.entries(grids)) {
  test(`${name}: a spot leads back to its cell`, () => {
    for (const cell of around(grid)) assert.deepEqual(cellAt(grid, spotOf(grid, cell)), cell);
  });

  test(`${name}: the centre of a cell lies in it`, () => {
    for (const cell of around(grid)) assert.deepEqual(cellNear(grid, centreOf(grid, cell)), cell);
  });

  test(`${name}: whoever is beside me has me beside it`, () => {
    for (const cell of around(grid, 0)) {
      for (const next of neighbours(grid, cell)) {
        assert.ok(neighbours(grid, next).some((back) => keyOf(back) === keyOf(cell)));
      }
    }
  });

  test(`${name}: a ray from beyond a side comes in through that side`, () => {
    for (const cell of around(grid, 0)) {
      grid.tiles[cell[3]]!.sides.forEach(({ normal, ring }, side) => {
        const corners = ring.map((corner) => grid.tiles[cell[3]]!.corners[corner]!);
        const seen = grid.radius
          ? grid.tiles[cell[3]]!.centre
          : (([0, 1, 2] as const).map(
              (axis) => corners.reduce((sum, c) => sum + c[axis], 0) / corners.length,
            ) as unknown as Vector);
        const origin = normal.map((c, axis) => placeOf(grid, cell)[axis]! + seen[axis]! + 5 * c) as unknown as Vector;
        const met = hit(grid, [cell], { origin, direction: normal.map((c) => -c) as unknown as Vector });
        assert.deepEqual([met?.cell, met?.side], [cell, side]);
        const behind = beyond(grid, cell, side);
        assert.deepEqual(
          hit(grid, [cell, behind], { origin, direction: normal.map((c) => -c) as unknown as Vector })?.cell,
          behind,
        );
      });
    }
  });

  test(`${name}: a shape near the origin is opened where it lies`, () => {
    const { low, high } = firstRoom(grid, []);
    const [[x, y, z, tile]] = [...cellsIn(grid, { low: [1, 1, 0], high })] as [Cell];
    assert.deepEqual(firstRoom(grid, [[x, y, z, tile, 0, 0]]), { low, high });
    const gone: Row = [x + 60, y + 60, z + 60, tile, 0, 0];
    assert.deepEqual(sizeOf(firstRoom(grid, [gone])), sizeOf({ low, high }));
    const before: Row = [x - 60, y - 60, z - 60, tile, 0, 0];
    assert.ok(inRoom(firstRoom(grid, [before]), spotOf(grid, before)));
  });

  test(`${name}: the layers of a room hold each of its cells once`, () => {
    const room = firstRoom(grid, []);
    const layers = layersOf(grid, room);
    const all = layers.flatMap(({ cells }) => cells);
    assert.equal(keysOf(all).size, all.length);
    assert.deepEqual(keysOf(all), keysOf(cellsIn(grid, room)));
    for (const { height, cells } of layers) {
      for (const cell of cells) {
        assert.ok(Math.abs(heightOf(grid, cell) - height) < 1e-5);
        assert.equal(sectionOf(grid, cell).length > 2, grid.radius === 0);
      }
    }
    assert.deepEqual(
      layers.map(({ height }) => height),
      layers.map(({ height }) => height).sort((a, b) => a - b),
    );
  });

  test(`${name}: arrow keys reach every cell of a layer`, () => {
    const cells = layersOf(grid, firstRoom(grid, []))[0]!.cells;
    const reached = new Set([keyOf(cells[0]!)]);
    const queue = [cells[0]!];
    for (const cell of queue) {
      for (const way of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        const next = nextIn(grid, cells, cell, way);
        if (next && !reached.has(keyOf(next))) {
          reached.add(keyOf(next));
          queue.push(next);
        }
      }
    }
    assert.equal(reached.size, cells.length);
  });

  test(`${name}: the nearest cell of a layer is the cell itself, or one at its spot`, () => {
    for (const { cells } of layersOf(grid, firstRoom(grid, [])))
      for (const cell of cells) assert.deepEqual(spotOf(grid, nearestIn(grid, cells, cell)!), spotOf(grid, cell));
    assert.equal(nearestIn(grid, [], [0, 0, 0, 0]), null);
  });

  test(`${name}: a line goes from cell to cell beside it, and stays near`, () => {
    const cells = around(grid, 1);
    for (let n = 0; n < cells.length; n += 7) {
      const [from, to] = [cells[n]!, cells[(n * 31 + 11) % cells.length]!];
      const way = line(grid, from, to);
      assert.deepEqual([way[0], way.at(-1)], [from, to]);
      for (let i = 1; i < way.length; i++)
        assert.ok(neighbours(grid, way[i - 1]!).some((next) => keyOf(next) === keyOf(way[i]!)));
      const whole = far(centreOf(grid, from), centreOf(grid, to));
      for (const cell of way) {
        const [a, b] = [far(centreOf(grid, from), centreOf(grid, cell)), far(centreOf(grid, cell), centreOf(grid, to))];
        assert.ok(a + b <= whole + 2.5, `${name} ${from.join()} ${to.join()}: ${cell.join()} is far off`);
      }
    }
  });

  test(`${name}: a mirror image is as far behind the mirror, and its image is the cell`, () => {
    const room = firstRoom(grid, []);
    for (const axis of [0, 1, 2] as const) {
      const mirror = mirrorIn(grid, room, axis);
      assert.ok(mirror, `no mirror across ${axis}`);
      assert.ok(Math.abs(mirror.sum - room.low[axis] - room.high[axis]) <= 6);
      for (const cell of around(grid)) {
        const images = mirrored(grid, [mirror], [cell]);
        const image = images[1] ?? images[0]!;
        assert.deepEqual(keysOf(mirrored(grid, [mirror], [image])), keysOf(images));
        const [a, b] = [centreOf(grid, cell), centreOf(grid, image)];
        for (const each of [0, 1, 2] as const) {
          assert.ok(Math.abs(each === axis ? a[each] + b[each] - 2 * mirror.at : a[each] - b[each]) < 1e-6);
        }
      }
    }
  });

  test(`${name}: a box holds both ends; a fill of a room holds all of it`, () => {
    const room = firstRoom(grid, []);
    const cells = [...cellsIn(grid, room)];
    const [first, last] = [cells[0]!, cells.at(-1)!];
    const keys = keysOf(box(grid, first, last));
    assert.ok(keys.has(keyOf(first)) && keys.has(keyOf(last)));
    assert.deepEqual(keys, keysOf(box(grid, last, first)));
    const reached = flood(grid, first, (cell) => inRoom(room, spotOf(grid, cell)));
    assert.deepEqual(keysOf(reached), keysOf(cells));
  });
}

test("on cubes a spot is the cell itself", () => {
  assert.deepEqual(spotOf(cubes, [3, -2, 5, 0]), [3, -2, 5]);
  assert.deepEqual(
    layersOf(cubes, { low: [0, 0, 0], high: [2, 2, 2] }).map(({ height }) => height),
    [0.5, 1.5, 2.5],
  );
  assert.equal(box(cubes, [0, 0, 0, 0], [2, 1, 0, 0], [0, 0, 3]).length, 24);
  assert.deepEqual(line(cubes, [0, 0, 0, 0], [0, 0, 3, 0]).length, 4);
});

test("half the spots of a ball grid are empty", () => {
  assert.equal(cellAt(spheres, [1, 0, 0]), null);
  assert.deepEqual(cellAt(spheres, [1, 1, 0]), [0, 0, 1, 0]);
});

test("a room holds the shape, grows and shrinks, but never below the shape", () => {
  const rows = bar(2, 3, 9);
  const room = firstRoom(cubes, rows);
  assert.deepEqual(room, { low: [0, 0, 0], high: [9, 4, 4] });
  assert.deepEqual(sizeOf(room), [10, 5, 5]);
  assert.deepEqual(grown(cubes, room), { low: [-1, -1, -1], high: [10, 5, 5] });
  assert.deepEqual(resized(cubes, room, rows, 0, 3).high, [9, 4, 4]);
  assert.deepEqual(resized(cubes, room, rows, 1, 1).high, [9, 0, 4]);
  assert.deepEqual(boundsOf(cubes, rows), { low: [2, 0, 0], high: [9, 0, 0] });
  assert.equal(boundsOf(cubes, []), null);
});

test("painting says how many cells became other", () => {
  const rows = bar(0, 1);
  const more = painted(
    rows,
    [
      [1, 0, 0, 0],
      [2, 0, 0, 0],
      [3, 0, 0, 0],
      [3, 0, 0, 0],
    ],
    { kind: "add" },
  );
  assert.equal(more.count, 2);
  assert.deepEqual(more.rows, bar(0, 1, 2, 3));
  assert.deepEqual(rows, bar(0, 1));
  assert.equal(painted(rows, [[1, 0, 0, 0]], { kind: "add" }).rows, rows);
  const red = painted(
    rows,
    [
      [0, 0, 0, 0],
      [7, 0, 0, 0],
    ],
    { kind: "colour", colour: 2 },
  );
  assert.deepEqual([red.count, red.rows[0]], [1, [0, 0, 0, 0, 0, 2]]);
  const free = painted(red.rows, [[0, 0, 0, 0]], { kind: "optional", optional: true });
  assert.deepEqual(free.rows[0], [0, 0, 0, 0, 1, 2]);
  assert.deepEqual(painted(free.rows, [[0, 0, 0, 0]], { kind: "add" }).rows[0], [0, 0, 0, 0, 0, 2]);
  assert.deepEqual(
    painted(
      rows,
      [
        [0, 0, 0, 0],
        [9, 0, 0, 0],
      ],
      { kind: "remove" },
    ),
    { rows: bar(1), count: 1 },
  );
  assert.deepEqual([...indexOf(more.rows).keys()], more.rows.map(keyOf));
});

test("cells are copied and pasted by lattice shifts, and lie on top of others", () => {
  const rows = bar(0, 1, 2);
  const some = taken(
    rows,
    keysOf([
      [0, 0, 0, 0],
      [1, 0, 0, 0],
    ]),
  );
  assert.deepEqual(some, bar(0, 1));
  const pasted = replaced(rows, new Set(), shifted(some, [2, 0, 0]));
  assert.deepEqual(keysOf(pasted.rows), keysOf(bar(0, 1, 2, 3)));
  const moved = replaced(rows, keysOf(some), shifted(some, [0, 1, 0]));
  assert.deepEqual([moved.count, moved.rows.length], [2, 3]);
});

test("mirror drawing makes four of one across two axes", () => {
  const room = { low: [0, 0, 0], high: [3, 3, 3] } as const;
  const mirrors = [mirrorIn(cubes, room, 0)!, mirrorIn(cubes, room, 1)!];
  assert.deepEqual(
    keysOf(mirrored(cubes, mirrors, [[0, 1, 2, 0]])),
    keysOf([
      [0, 1, 2, 0],
      [3, 1, 2, 0],
      [0, 2, 2, 0],
      [3, 2, 2, 0],
    ]),
  );
});

test("arrow keys shift along the grid's own ways", () => {
  assert.equal(shiftAlong(cubes, [0, -1, 0])?.name, "-y");
  for (const grid of Object.values(grids)) assert.ok(shiftAlong(grid, [1, 0, 0]));
});

test("a grid of one's own may have no level layers", () => {
  const sheared: GridData = {
    ...cubes,
    basis: [
      [1, 0, 0.25],
      [0, 1, 0],
      [0, 0, 1],
    ],
    mirrors: [],
  };
  const room = { low: [0, 0, 0], high: [2, 1, 1] } as const;
  const layers = layersOf(sheared, room);
  assert.deepEqual(
    layers.map(({ height }) => Math.round(100 * height)),
    [50, 75, 100, 150, 175, 200],
  );
  assert.deepEqual(
    layers.map(({ cells }) => cells.length),
    [2, 2, 2, 2, 2, 2],
  );
  assert.equal(mirrorIn(sheared, room, 0), null);
});

test("the floor knows which cell stands on it", () => {
  for (const grid of Object.values(grids)) {
    const floor = layersOf(grid, firstRoom(grid, []))[0]!;
    for (const cell of floor.cells) {
      const ring = footprintOf(grid, cell);
      const middle = [0, 1].map((axis) => ring.reduce((sum, point) => sum + point[axis as 0 | 1], 0) / ring.length);
      assert.deepEqual(standingAt(grid, floor, middle as [number, number]), cell);
    }
    assert.equal(standingAt(grid, floor, [-50, 3]), null);
    const { low, high } = spaceOf(grid, floor.cells);
    assert.ok(low.every((c, axis) => c < high[axis]!));
  }
});

test("cells come in their layers, from the bottom up, and a picture shows them all", () => {
  const cells: Cell[] = [
    [0, 0, 1, 0],
    [0, 0, 0, 0],
    [2, 1, 0, 0],
  ];
  assert.deepEqual(
    byHeight(cubes, cells).map(({ height, cells }) => [height, cells.map((cell) => cell[0])]),
    [
      [0.5, [0, 2]],
      [1.5, [0]],
    ],
  );
  assert.equal(viewBoxOf(spaceOf(cubes, cells), 0.5), "-0.5 -2.5 4 3");
  assert.equal(outlineOf(cubes, [2, 1, 0, 0]).split("L").length, 4);
});

test("a side is open unless a cell that covers lies beyond", () => {
  assert.equal(openSides(cubes, [0, 0, 0, 0], () => false).length, 6);
  const [covered] = [0, 1, 2, 3, 4, 5].filter((side) => beyond(cubes, [0, 0, 0, 0], side)[0] === 1);
  const open = openSides(cubes, [0, 0, 0, 0], (key) => key === keyOf([1, 0, 0, 0]));
  assert.deepEqual(
    open,
    [0, 1, 2, 3, 4, 5].filter((side) => side !== covered),
  );
});
