import assert from "node:assert/strict";
import test from "node:test";
import { Box3, Mesh, type Group } from "three";
import type { BodyData, FormData } from "../src/messages";
import { boxOf, placed, shadeOf } from "../src/scene/form";
import { WORLD } from "../src/vector";
import { createBodies, createForms } from "../src/stage/bodies";
import { grainOf } from "../src/stage/wood";

const corner: FormData = {
  patches: [],
  open_parts: [],
  positions: [0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
  edges: [0, 0, 0, 3, 0, 0],
  balls: [],
  radius: 0,
  necks: [],
};
const ball: FormData = { ...corner, positions: [], triangles: [], edges: [], balls: [[0, 0, 0]], radius: 0.5 };
const upright: BodyData["turn"] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const body = (piece: number, turn = upright, at: BodyData["at"] = [0, 0, 0]): BodyData => ({
  name: "",
  piece,
  colour: "#ff0000",
  weight: 1,
  turn,
  at,
  cells: [],
});

/** The first mesh of each body. */
const meshes = ({ object }: { object: Group }): Mesh[] =>
  object.children.map((group) => {
    const found: Mesh[] = [];
    group.traverse((part) => part instanceof Mesh && found.push(part as Mesh));
    return found[0]!;
  });

test("bodies of a piece share its geometry, in one solution and the next, until the forms go", () => {
  const forms = createForms([corner, ball]);
  let gone = 0;
  for (const geometry of [...forms.surfaces, ...forms.edges]) geometry.addEventListener("dispose", () => gone++);
  const [first, second] = [createBodies(forms, [body(0), body(0), body(1)]), createBodies(forms, [body(1), body(0)])];
  const [a, b, c] = meshes(first);
  const [d, e] = meshes(second);
  assert.equal(a!.geometry, b!.geometry);
  assert.equal(a!.geometry, e!.geometry);
  assert.equal(c!.geometry, d!.geometry);
  first.dispose();
  assert.equal(gone, 0);
  forms.dispose();
  assert.equal(gone, 4);
});

test("a body lies where its turn and place put it, and moves from there", () => {
  const quarter: BodyData["turn"] = [
    [0, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ];
  const bodies = createBodies(createForms([corner]), [body(0, quarter, [5, 0, 2])]);
  bodies.pose([{ turn: WORLD, shift: [0, 0, 10] }], [1]);
  bodies.object.updateMatrixWorld(true);
  const { low, high } = boxOf(placed(corner, quarter, [5, 0, 2]), WORLD);
  const box = new Box3().setFromObject(meshes(bodies)[0]!);
  assert.deepEqual(box.min.toArray(), [low[0], low[1], low[2] + 10]);
  assert.deepEqual(box.max.toArray(), [high[0], high[1], high[2] + 10]);
  bodies.pose([{ turn: quarter, shift: [0, 0, 10] }], [1]);
  bodies.object.updateMatrixWorld(true);
  box.setFromObject(meshes(bodies)[0]!);
  const turned = boxOf(placed(placed(corner, quarter, [5, 0, 2]), quarter, [0, 0, 10]), WORLD);
  assert.deepEqual([box.min.toArray(), box.max.toArray()], [turned.low, turned.high]);
});

test("what is hidden or has faded is not drawn, and an outline casts no shadow", () => {
  const bodies = createBodies(createForms([corner]), [body(0), body(0), body(0)]);
  bodies.pose(Array(3).fill({ turn: WORLD, shift: [0, 0, 0] }), [1, 0, 1]);
  bodies.look(["hidden", "solid", "outline"]);
  assert.deepEqual(
    bodies.object.children.map(({ visible }) => visible),
    [false, false, true],
  );
  assert.ok(!meshes(bodies)[2]!.castShadow);
  bodies.look(["solid", "solid", "solid"]);
  assert.ok(bodies.object.children[0]!.visible && meshes(bodies)[2]!.castShadow);
});

test("nooks are dark, flat sides and ridges are not, and balls have no shade", () => {
  const bright = [...shadeOf([0, 1, 2, 3], [0.5, 0.9, 0.25, 0])].filter((_, n) => n % 3 === 0);
  assert.deepEqual(bright, [1, 1, 0.75, 0.5]);
  const forms = createForms([{ ...corner, open_parts: [0.5, 0.9, 0.25, 0] }, ball]);
  assert.equal(forms.surfaces[0]!.getAttribute("color").count, corner.triangles.length);
  assert.equal(forms.surfaces[1]!.hasAttribute("color"), false);
});

test("grain runs along the longest side of a piece, and its pith is elsewhere than another's", () => {
  const [one, other] = [0, 1].map((piece) => grainOf({ low: [0, 0, 0], high: [1, 4, 2] }, piece));
  assert.deepEqual(one!.along, [0, 1, 0]);
  assert.deepEqual(other!.along, [0, 1, 0]);
  assert.notDeepEqual(one!.pith, other!.pith);
  for (const { pith } of [one!, other!]) {
    assert.equal(pith[1], 2); // beside the middle, not along
    assert.ok(Math.hypot(pith[0] - 0.5, pith[2] - 1) > 1.5);
  }
});
