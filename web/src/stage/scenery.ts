// The room around a shape: its floor, the layer that is drawn on, the mirrors.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineLoop,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
} from "three";
import { footprintOf, type Layer, type Mirror } from "../geometry";
import type { GridData } from "../messages";
import { AXES, vector, type Axis, type Box, type Vector } from "../vector";
import { freed } from "./stage";

/** The four corners, one after the other, where a plane across an axis cuts a box. */
function rim({ low, high }: Box, axis: Axis, at: number): Vector[] {
  const [u] = AXES.filter((each) => each !== axis);
  const corner = (first: Vector, second: Vector) =>
    vector((each) => (each === axis ? at : (each === u ? first : second)[each]));
  return [corner(low, low), corner(high, low), corner(high, high), corner(low, high)];
}

/** What the room shows. */
interface Set {
  readonly floor: Layer | undefined;
  readonly layer: Layer | undefined;
  readonly mirrors: readonly Mirror[];
  readonly box: Box;
}

export function makeScenery(grid: GridData) {
  const object = new Group();
  const clear = () => {
    for (const part of [...object.children]) {
      part.removeFromParent();
      freed(part);
    }
  };
  const flat = (points: readonly number[]) =>
    new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3));

  const ink = (color: string, opacity: number) => new LineBasicMaterial({ color, transparent: true, opacity });

  return {
    object,
    draw({ floor, layer, mirrors, box }: Set, { line, accent }: { line: string; accent: string }): void {
      clear();
      const { low } = box;
      if (floor) {
        const edges = new Map<string, number[]>();
        for (const cell of floor.cells) {
          const ring = footprintOf(grid, cell);
          ring.forEach(([x, y], i) => {
            const [u, v] = ring[(i + 1) % ring.length]!;
            const name = [`${x.toFixed(3)} ${y.toFixed(3)}`, `${u.toFixed(3)} ${v.toFixed(3)}`].sort().join();
            edges.set(name, [x, y, low[2], u, v, low[2]]);
          });
        }
        object.add(new LineSegments(flat([...edges.values()].flat()), ink(line, 0.38)));
      }
      if (layer) object.add(new LineLoop(flat(rim(box, 2, layer.height).flat()), ink(accent, 0.75)));
      for (const { axis, at } of mirrors) {
        const corners = rim(box, axis, at);
        const glass = new MeshBasicMaterial({
          color: accent,
          transparent: true,
          opacity: 0.07,
          side: DoubleSide,
          depthWrite: false,
        });
        object.add(
          new Mesh(flat([0, 1, 2, 0, 2, 3].flatMap((i) => corners[i]!)), glass),
          new LineLoop(flat(corners.flat()), ink(accent, 0.5)),
        );
      }
    },
    dispose: clear,
  };
}
