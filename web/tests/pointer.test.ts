import assert from "node:assert/strict";
import test from "node:test";
import { indexOf } from "../src/geometry/edits";
import type { Cell, Row } from "../src/geometry/grid";
import { layersOf } from "../src/geometry/layers";
import { spaceOf, type Room } from "../src/geometry/room";
import { aim, along, type Scene } from "../src/shapes/aim";
import { Pointer, type Press } from "../src/shapes/pointer";
import { cubes } from "./grids";

// ---- aiming: a single cube in a room of five ----

const rows: Row[] = [[1, 1, 0, 0, 0, 0]];
const room: Room = { low: [0, 0, 0], high: [4, 4, 4] };
const layers = layersOf(cubes, room);
const index = indexOf(rows);
const scene: Scene = {
  grid: cubes,
  index,
  visible: index,
  layers,
  room,
  space: spaceOf(
    cubes,
    layers.flatMap(({ cells }) => cells),
  ),
};
const straightDown = (x: number, y: number) => ({ origin: [x, y, 9], direction: [0, 0, -1] }) as const;

test("adding aims beyond the face, other tools at the cell itself, and boxes grow the other way", () => {
  assert.deepEqual(aim(scene, straightDown(1.5, 1.5), "add"), { cell: [1, 1, 1, 0], out: [0, 0, 1] });
  assert.deepEqual(aim(scene, straightDown(1.5, 1.5), "remove"), { cell: [1, 1, 0, 0], out: [-0, -0, -1] });
});

test("beside the shape, adding and making optional aim at the floor, other tools at nothing", () => {
  assert.deepEqual(aim(scene, straightDown(3.5, 0.5), "add"), { cell: [3, 0, 0, 0], out: [0, 0, 1] });
  assert.deepEqual(aim(scene, straightDown(3.5, 0.5), "optional")?.cell, [3, 0, 0, 0]);
  assert.equal(aim(scene, straightDown(3.5, 0.5), "colour"), null);
  assert.equal(aim(scene, straightDown(7.5, 0.5), "add"), null);
  assert.equal(aim(scene, { origin: [3.5, 0.5, -2], direction: [0, 0, 1] }, "add"), null);
});

test("a stroke does not climb on the cells that it has added", () => {
  const now = indexOf([...rows, [1, 1, 1, 0, 0, 0]]);
  const later = { ...scene, index: now, visible: now };
  assert.deepEqual(aim(later, straightDown(1.5, 1.5), "add")?.cell, [1, 1, 2, 0]);
  assert.deepEqual(aim(later, straightDown(1.5, 1.5), "add", scene.visible)?.cell, [1, 1, 1, 0]);
});

test("a box goes on at the level where it began, inside the room", () => {
  const from = { cell: [1, 1, 1, 0], out: [0, 0, 1] } as const;
  assert.deepEqual(along(scene, straightDown(3.5, 2.5), from), [3, 2, 1, 0]);
  assert.equal(along(scene, straightDown(8.5, 2.5), from), null);
  assert.equal(along(scene, { origin: [0, 0, 9], direction: [1, 0, 0] }, from), null);
});

// ---- the pointer: cells are ten pixels wide, and there are none from 100 on ----

const cellAt = (x: number): Cell | null => (x < 100 ? [Math.floor(x / 10), 0, 0, 0] : null);

function held(tool: Partial<ConstructorParameters<typeof Pointer>[0]> = {}) {
  const did: string[] = [];
  const now = {
    brush: "add",
    reach: "cell",
    floating: null as object | null,
    drawing: false,
    visible: index,
    ...tool,
  } as const;
  const state = now as { drawing: boolean; floating: object | null };
  const pointer = new Pointer(now, {
    aim: ({ clientX }) => {
      const cell = cellAt(clientX);
      return cell && { cell, out: [0, 0, 1] };
    },
    along: ({ clientX }) => [Math.floor(clientX / 10), 0, 0, 0],
    begin: ([x], { brush, reach, more }) => {
      state.drawing = true;
      did.push(`${brush} ${reach} ${x}${more ? " more" : ""}`);
    },
    drawTo: ([x]) => did.push(`to ${x}`),
    lift: () => {
      if (state.drawing) did.push("lift");
      state.drawing = false;
    },
    floatTo: ([x]) => did.push(`float ${x}`),
    putDown: () => {
      state.floating = null;
      did.push("put down");
    },
    unselect: () => did.push("unselect"),
    point: (cell) => cell && did.push(`point ${cell[0]}`),
  });
  return { pointer, did };
}

const at = (clientX: number, more: Partial<Press> = {}): Press => ({
  clientX,
  clientY: 0,
  button: 0,
  pointerType: "mouse",
  altKey: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  ...more,
});

test("a click draws one cell, and the view does not get it", () => {
  const { pointer, did } = held();
  assert.equal(pointer.down(at(15)), true);
  pointer.up(at(15), false);
  assert.deepEqual(did, ["add cell 1", "lift"]);
});

test("a fast drag leaves no gap", () => {
  const { pointer, did } = held();
  pointer.down(at(5));
  pointer.move(at(45));
  assert.deepEqual([...new Set(did)], ["add cell 0", "to 1", "to 2", "to 3", "to 4"]);
});

test("Shift draws a box, Alt removes, Ctrl keeps what is selected; selecting draws boxes", () => {
  const first = (more: Partial<Press>, tool = {}) => {
    const { pointer, did } = held(tool);
    pointer.down(at(15, more));
    return did[0];
  };
  assert.equal(first({ shiftKey: true }), "add box 1");
  assert.equal(first({ altKey: true }), "remove cell 1");
  assert.equal(first({ ctrlKey: true }, { brush: "select" }), "select box 1 more");
  assert.equal(first({}, { brush: "select", reach: "line" }), "select line 1");
});

test("a box follows the pointer once it has moved a little, also where no cell is", () => {
  const { pointer, did } = held({ reach: "box" });
  pointer.down(at(15));
  pointer.move(at(17));
  pointer.move(at(125));
  assert.deepEqual(did, ["add box 1", "to 12"]);
});

test("the background, the middle button and looking belong to the view", () => {
  assert.equal(held().pointer.down(at(150)), false);
  assert.equal(held().pointer.down(at(15, { button: 1 })), false);
  assert.equal(held({ brush: "look" }).pointer.down(at(15)), false);
});

test("the right button removes a cell if it rests, and turns the view if it moves", () => {
  const { pointer, did } = held();
  const right = { button: 2 };
  assert.equal(pointer.down(at(15, right)), false);
  pointer.move(at(40, right));
  pointer.up(at(40, right), false);
  assert.deepEqual(did, []);
  pointer.down(at(15, right));
  pointer.up(at(17, right), false);
  assert.deepEqual(did, ["remove cell 1", "lift"]);
});

test("a finger draws when it moves or is lifted, not when a second one follows", () => {
  const touch = { pointerType: "touch" };
  const { pointer, did } = held();
  pointer.down(at(15, touch));
  assert.deepEqual(did, []);
  pointer.up(at(15, touch), false);
  assert.deepEqual(did.splice(0), ["add cell 1", "lift"]);

  pointer.down(at(15, touch));
  pointer.move(at(20, touch));
  assert.deepEqual(did, []);
  pointer.move(at(24, touch));
  assert.deepEqual(did.splice(0)[0], "add cell 1");
  pointer.up(at(24, touch), false);
  did.splice(0);

  pointer.down(at(15, touch));
  assert.equal(pointer.down(at(60, touch)), false);
  pointer.move(at(80, touch));
  pointer.up(at(80, touch), false);
  pointer.up(at(15, touch), false);
  assert.deepEqual(did, []);
});

test("a press that the browser takes away does nothing", () => {
  const { pointer, did } = held();
  pointer.down(at(15, { pointerType: "touch" }));
  pointer.up(at(15, { pointerType: "touch" }), true);
  assert.deepEqual(did, []);
});

test("cells that float follow the pointer and are put down where it is released", () => {
  const { pointer, did } = held({ floating: {}, brush: "look" });
  pointer.hover(at(25));
  pointer.down(at(35));
  pointer.up(at(35), false);
  assert.deepEqual(did, ["float 2", "float 3", "put down"]);
});

test("a click on the background clears the selection, unless Ctrl is held", () => {
  const { pointer, did } = held({ brush: "select" });
  pointer.down(at(150, { ctrlKey: true }));
  pointer.up(at(150, { ctrlKey: true }), false);
  assert.deepEqual(did, []);
  pointer.down(at(150));
  pointer.up(at(150), false);
  assert.deepEqual(did, ["unselect"]);
});

test("hovering points at the cell that a press would touch", () => {
  const { pointer, did } = held();
  pointer.hover(at(25));
  pointer.hover(at(150));
  assert.deepEqual(did, ["point 2"]);
});
