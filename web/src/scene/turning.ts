// Bodies that turn. A body's place is a turn about the origin and then a shift; bodies that turn together follow
// a route. The same is written in output/scene.py, for films and glTF, and a test compares the two.

import { ARM } from "./timing";
import { apply, length, minus, plus, product, rotation, times, transpose, type Matrix, type Vector } from "../vector";

/** Where a body is, seen from where it lay at first: turned by the rows of a matrix, then shifted. */
export interface Place {
  readonly turn: Matrix;
  readonly shift: Vector;
}

/** Where a point of turning bodies is on their way, and by how many radians they have turned. */
interface Stop {
  readonly at: Vector;
  readonly angle: number;
}

/** Bodies that turn together from stop to stop; the first has the angle 0. */
export interface Turning {
  readonly bodies: readonly number[];
  readonly axis: Vector; // of length 1; from its tip, positive angles are counter-clockwise
  readonly route: readonly Stop[];
}

/** Where a point of a body is. */
export const put = ({ turn, shift }: Place, point: Vector): Vector => plus(apply(turn, point), shift);

/** A motion after another. */
export const after = (second: Place, first: Place): Place => ({
  turn: product(second.turn, first.turn),
  shift: put(second, first.shift),
});

/** The motion back. */
export function undone({ turn, shift }: Place): Place {
  const back = transpose(turn);
  return { turn: back, shift: times(-1, apply(back, shift)) };
}

const legLength = (a: Stop, b: Stop) => length(minus(b.at, a.at)) + ARM * Math.abs(b.angle - a.angle);

/** How long a way is, turns included. */
export const lengthOf = ({ route }: Turning) =>
  route.slice(1).reduce((sum, stop, n) => sum + legLength(route[n]!, stop), 0);

/**
 * The motion that takes bodies through a part of their way. On each leg they turn about the one axis that takes
 * them from stop to stop, or slide if they do not turn.
 */
export function along(turning: Turning, part: number): Place {
  const { axis, route } = turning;
  let left = part * lengthOf(turning);
  let n = 1;
  for (; n < route.length - 1 && left > legLength(route[n - 1]!, route[n]!); n++)
    left -= legLength(route[n - 1]!, route[n]!);
  const [here, there] = [route[n - 1]!, route[n]!];
  const done = Math.min(1, left / (legLength(here, there) || 1));
  const half = (there.angle - here.angle) / 2;
  // The chord of a part of an arc is shorter than that of the arc, and points elsewhere.
  const chord = Math.abs(half) > 1e-9 ? Math.sin(done * half) / Math.sin(half) : done;
  const bent = apply(rotation(axis, (done - 1) * half), minus(there.at, here.at));
  const turn = rotation(axis, here.angle + 2 * done * half);
  const at = plus(here.at, times(chord, bent));
  return { turn, shift: minus(at, apply(turn, route[0]!.at)) };
}

/** The same turning, seen from elsewhere. */
export const seenFrom = (place: Place, { bodies, axis, route }: Turning): Turning => ({
  bodies,
  axis: apply(place.turn, axis),
  route: route.map(({ at, angle }) => ({ at: put(place, at), angle })),
});

/** How other bodies move, seen from the bodies that turn. */
export function seenTurning({ axis, route }: Turning, others: readonly number[]): Turning {
  const start = route[0]!.at;
  const back = ({ at, angle }: Stop) => plus(start, apply(rotation(axis, -angle), minus(start, at)));
  return { bodies: others, axis, route: route.map((stop) => ({ at: back(stop), angle: -stop.angle })) };
}
