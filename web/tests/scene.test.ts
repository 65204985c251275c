import assert from "node:assert/strict";
import test from "node:test";
import { aimAt, axesOf, cameraOn, directionTo, HOME } from "../src/scene/camera";
import { exploded } from "../src/scene/explode";
import { boxOf, placed, surfaceOf, volumeOf, type Form } from "../src/scene/form";
import { boxingOf, floorAt, floorsOf, frameAt, framesOf } from "../src/scene/frames";
import {
  between,
  cuts,
  heaviest,
  heldStill,
  later,
  momentAt,
  placesOf,
  poseAt,
  secondsAfter,
  smooth,
  stepFrom,
  type Pose,
} from "../src/scene/motion";
import { stagingOf } from "../src/scene/staging";
import { CUT, LEAST, MOST, MOTION, STILL } from "../src/scene/timing";
import { after, along, put, undone, type Place } from "../src/scene/turning";
import { dot, length, minus, plus, rotation, times, WORLD, type Box, type Matrix, type Vector } from "../src/vector";
import motions from "./motions.json";

const still: Vector = [0, 0, 0];
const all = [true, true, true];
const rest = [false, true, true];

// A moves right by 2 and away; then B and C come apart, without A.
const poses: Pose[] = [
  { shifts: [still, still, still], shown: all },
  { shifts: [still, still, still], shown: all },
  { shifts: [[2, 0, 0], still, still], shown: all },
  { shifts: [[9, 0, 0], still, still], shown: all },
  { shifts: [[2, 0, 0], still, still], shown: rest },
  { shifts: [[2, 0, 0], still, [0, 0, -7]], shown: rest },
];
const last = poses.length - 1;

/** A block from one corner to the other. */
function block(low: Vector, high: Vector): Form {
  const positions = [low[0], high[0]].flatMap((x) =>
    [low[1], high[1]].flatMap((y) => [low[2], high[2]].flatMap((z) => [x, y, z])),
  );
  const sides = ["0132", "4675", "0451", "2376", "0264", "1573"].map((side) => [...side].map(Number));
  const triangles = sides.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]);
  return { positions, triangles, edges: [], balls: [], radius: 0, necks: [] };
}
const cubes = [0, 1, 2].map((x) => block([x, 0, 0], [x + 1, 1, 1]));
const boxes = cubes.map((cube) => boxOf(cube, WORLD));
const boxing = boxingOf(cubes, WORLD);
const shiftsOf = (places: readonly Place[]) => places.map(({ shift }) => shift);

const close = (a: readonly number[], b: readonly number[]) =>
  a.forEach((x, n) => assert.ok(Math.abs(x - b[n]!) < 1e-9, `${a.join()} is not ${b.join()}`));

/** Motions of four bodies that come, go and slide along an axis, each time the same. */
function someMotion(seed: number): Pose[] {
  let state = seed;
  const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
  const made: Pose[] = [{ shifts: [still, still, still, still], shown: [true, true, true, true] }];
  while (made.length < 12) {
    const { shifts, shown } = made.at(-1)!;
    if (random(4) === 0) made.push({ shifts, shown: shown.map(() => random(3) > 0) });
    else {
      const way = times(1 + random(4), WORLD[random(3)]!);
      made.push({ shifts: shifts.map((shift) => (random(2) ? plus(shift, way) : shift)), shown });
    }
  }
  return made;
}

// ---- motion ----

test("between two poses bodies slide on straight lines, all that move together", () => {
  for (let seed = 1; seed < 20; seed++) {
    const motion = someMotion(seed);
    for (let time = 0; time < motion.length - 1; time += 0.1) {
      const [a, b] = [motion[Math.floor(time)]!, motion[Math.floor(time) + 1]!];
      const parts = new Set<number>();
      const { places, alphas } = momentAt(motion, time);
      shiftsOf(places).forEach((shift, n) => {
        if (!a.shown[n] || !b.shown[n]) return;
        assert.equal(alphas[n], 1);
        const way = minus(b.shifts[n]!, a.shifts[n]!);
        if (!length(way)) return close(shift, a.shifts[n]!);
        const part = dot(minus(shift, a.shifts[n]!), way) / dot(way, way);
        close(shift, plus(a.shifts[n]!, times(part, way)));
        assert.ok(part >= 0 && part <= 1);
        parts.add(Math.round(part * 1e6));
      });
      assert.ok(parts.size <= 1);
    }
  }
});

test("at whole times everything is where the pose says", () => {
  for (let seed = 1; seed < 20; seed++) {
    const motion = someMotion(seed);
    motion.forEach(({ shifts, shown }, time) => {
      const moment = momentAt(motion, time);
      assert.deepEqual(moment.alphas, shown.map(Number));
      shiftsOf(moment.places).forEach((shift, n) => shown[n] && close(shift, shifts[n]!));
    });
  }
});

test("what comes or goes fades where it stands", () => {
  let seen = 0;
  for (let seed = 1; seed < 20; seed++) {
    const motion = someMotion(seed);
    for (let at = 0; at + 1 < motion.length; at++) {
      const [a, b] = [motion[at]!, motion[at + 1]!];
      const { places, alphas } = momentAt(motion, at + 0.25);
      a.shown.forEach((shown, n) => {
        if (shown === b.shown[n]) return;
        seen++;
        close(places[n]!.shift, (shown ? a : b).shifts[n]!);
        assert.ok(alphas[n]! > 0 && alphas[n]! < 1);
      });
    }
  }
  assert.ok(seen > 20);
});

test("half-way through a move a body is half-way, and then it rests", () => {
  close(momentAt(poses, 1 + MOTION / 2).places[0]!.shift, [1, 0, 0]);
  assert.deepEqual(momentAt(poses, 1.99).places[0], { turn: WORLD, shift: [2, 0, 0] });
  assert.deepEqual([smooth(-1), smooth(0), smooth(0.5), smooth(1), smooth(9)], [0, 0, 0.5, 1, 1]);
  assert.deepEqual(
    poses.slice(1).map((pose, n) => cuts(poses[n]!, pose)),
    [false, false, false, true, false],
  );
});

test("time goes on pose by pose and stops at either end", () => {
  assert.equal(later(poses, 0.5, 1e3), 1);
  assert.equal(later(poses, 1, 0.3 * secondsAfter(poses, 1)), 1.3);
  assert.equal(later(poses, 2, -1e3), 1);
  assert.equal(later(poses, 5, 1), 5);
  assert.equal(later(poses, 0, -1), 0);
});

test("a longer way takes longer, within reason", () => {
  const seconds = poses.map((_, at) => secondsAfter(poses, at));
  assert.deepEqual([seconds[0], seconds[3], seconds[5]], [STILL, CUT, 0]);
  assert.ok(LEAST < seconds[1]! && seconds[1]! < seconds[2]! && seconds[2]! <= MOST);
});

test("a step goes to the next pose, from a pose and from between two", () => {
  assert.deepEqual([stepFrom(1, 1, 5), stepFrom(1.4, 1, 5), stepFrom(5, 1, 5)], [2, 2, 5]);
  assert.deepEqual([stepFrom(1, -1, 5), stepFrom(1.4, -1, 5), stepFrom(0, -1, 5)], [0, 1, 0]);
  assert.deepEqual([poseAt(0, 5), poseAt(0.1, 5), poseAt(1, 5)], [0, 1, 1]);
});

test("the heaviest is held still: by weight, then by volume, among those that are there", () => {
  const bodies = [
    { weight: 1, volume: 1 },
    { weight: 1, volume: 2 },
    { weight: 3, volume: 1 },
  ];
  assert.equal(heaviest(bodies, [true, true, true]), 2);
  assert.equal(heaviest(bodies, [true, true, false]), 1);
  assert.equal(heaviest(bodies, [true, false, false]), 0);
  assert.equal(heaviest(bodies, [false, false, false]), -1);
});

test("holding a body still moves the others the other way, and it never moves itself", () => {
  const held = heldStill(poses, (there) => there.indexOf(true));
  for (const at of [0, 1, 2, 3]) assert.deepEqual(held[at]!.shifts[0], still);
  assert.deepEqual(held[2]!.shifts[1], [-2, 0, 0]);
  assert.deepEqual(held[4]!.shifts[1], still); // A is gone: now it is B
  const chosen = heldStill(poses, () => 2);
  for (const { shifts } of chosen) assert.deepEqual(shifts[2], still);
  assert.deepEqual(chosen[5]!.shifts[1], [0, 0, 7]);
});

// ---- turns ----

const AXES: readonly Vector[] = WORLD;
const near = (a: Place, b: Place) =>
  [...a.turn.flat(), ...a.shift].every((x, n) => Math.abs(x - [...b.turn.flat(), ...b.shift][n]!) < 1e-6);

/** Motions of three bodies that slide and turn by quarters, about pivots or along routes, each time the same. */
function someTurns(seed: number): Pose[] {
  let state = seed;
  const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
  const made: Pose[] = [{ shifts: [still, still, still], shown: all }];
  while (made.length < 12) {
    const [before, axis, angle] = [made.at(-1)!, AXES[random(3)]!, (Math.PI / 2) * (random(7) - 3)];
    const bodies = [0, 1, 2].filter(() => random(2));
    if (random(5) === 0) {
      made.push({ ...before, shown: all.map(() => random(3) > 0), turning: null });
      continue;
    }
    const at: Vector = [random(5), random(5), random(5)];
    const across = AXES.find((other) => other !== axis)!;
    const stops = random(2)
      ? [
          { at: plus(at, times(0.3, across)), angle: 0.3 },
          { at: plus(at, times(2, across)), angle: 0.3 },
        ]
      : [];
    const turning = { bodies, axis, route: [{ at, angle: 0 }, ...stops, { at, angle }] };
    const places = placesOf(before).map((place, n) => (bodies.includes(n) ? after(along(turning, 1), place) : place));
    made.push({ shown: before.shown, turning, shifts: shiftsOf(places), turns: places.map(({ turn }) => turn) });
  }
  return made;
}

test("bodies turn as in films, and the easing is the same", () => {
  for (const [part, far] of motions.smooth) close([smooth(part!)], [far!]);
  for (const { poses, seconds, ways } of motions.turns) {
    const made = poses as unknown as Pose[];
    assert.ok(Math.abs(secondsAfter(made, 0) - seconds) < 1e-5);
    for (const { part, places } of ways) {
      const expected = places as unknown as { turn: Matrix; shift: Vector }[];
      between(made[0]!, made[1]!, part).forEach((place, n) => assert.ok(near(place, expected[n]!)));
    }
  }
});

test("half-way through a quarter turn a body is at 45 degrees, on the arc", () => {
  const turning = { bodies: [0], axis: WORLD[2], route: [0, Math.PI / 2].map((angle) => ({ at: still, angle })) };
  const quarter = [
    { shifts: [still], shown: [true] },
    { shifts: [still], shown: [true], turns: [rotation(WORLD[2], Math.PI / 2)], turning },
  ];
  const [place] = momentAt(quarter, MOTION / 2).places;
  close(put(place!, [2, 0, 0]), [Math.SQRT2, Math.SQRT2, 0]);
  close(put(momentAt(quarter, 1).places[0]!, [2, 0, 0]), [0, 2, 0]);
  assert.ok(secondsAfter(quarter, 0) > LEAST);
});

test("a body that is held still sees the same as before, whether it or others turn", () => {
  for (let seed = 1; seed < 30; seed++) {
    const motion = someTurns(seed);
    const held = heldStill(motion, (there) => there.indexOf(true));
    for (let time = 0; time < motion.length - 1; time += 0.13) {
      const from = Math.floor(time);
      if (cuts(motion[from]!, motion[from + 1]!)) continue;
      const still = motion[from]!.shown.indexOf(true);
      if (still < 0) continue;
      const [real, seen] = [momentAt(motion, time).places, momentAt(held, time).places];
      assert.ok(near(seen[still]!, placesOf(held[from]!)[still]!), `seed ${seed} at ${time}: held`);
      const frame = after(seen[still]!, undone(real[still]!));
      real.forEach((place, n) => assert.ok(near(after(frame, place), seen[n]!), `seed ${seed} at ${time}: ${n}`));
    }
  }
});

test("a body that only tilts and slides is seen to tilt where it is drawn, though none ends turned", () => {
  const [right, tilt]: [Vector, number] = [[1, 0, 0], 0.3];
  const route = [still, still, right, right].map((at, n) => ({ at, angle: n % 3 ? tilt : 0 }));
  const motion: Pose[] = [
    { shifts: [still, still], shown: [true, true] },
    { shifts: [[0, 4, 0], still], shown: [true, true] },
    { shifts: [[0, 4, 0], right], shown: [true, true], turning: { bodies: [1], axis: WORLD[2], route } },
  ];
  const held = heldStill(motion, () => 0);
  for (const time of [1.2, 1.4, 1.6, 2]) {
    const [real, seen] = [momentAt(motion, time).places[1]!, momentAt(held, time).places[1]!];
    assert.ok(near(seen, { ...real, shift: minus(real.shift, [0, 4, 0]) }), `at ${time}`);
  }
  close(momentAt(motion, 1 + MOTION / 2).places[1]!.turn[0], [Math.cos(tilt), -Math.sin(tilt), 0]);
});

test("where bodies come or go nothing that stays turns", () => {
  for (let seed = 1; seed < 30; seed++) {
    const motion = heldStill(someTurns(seed), (there) => there.indexOf(true));
    motion.slice(1).forEach((pose, n) => {
      if (!cuts(motion[n]!, pose)) return;
      const [were, are] = [placesOf(motion[n]!), placesOf(pose)];
      were.forEach(({ turn }, body) => close(turn.flat(), are[body]!.turn.flat()));
    });
  }
});

test("drawn apart, turning bodies begin and end where they are drawn, and the eye sees all of the turn", () => {
  const tall = [0, 1, 2].map((x) => block([x, 0, 0], [x + 1, 1, 4]));
  for (let seed = 1; seed < 10; seed++) {
    const motion = someTurns(seed);
    for (const by of [0, 0.7]) {
      const apart = exploded(motion, [still, [1, 2, 0], [0, 0, 3]], by);
      const [staged, box] = [stagingOf(tall, motion, WORLD), boxingOf(tall, WORLD)];
      for (let time = 0; time < motion.length - 2; time += 0.11) {
        const from = Math.floor(time);
        const [a, b] = [apart[from]!, apart[from + 1]!];
        if (cuts(a, b)) continue;
        for (const [part, end] of [
          [0, a],
          [1, b],
        ] as const)
          between(a, b, part).forEach((place, n) => close(place.shift, end.shifts[n]!));
        const { places, frame, floor } = staged(time, 0);
        const seen = places.map((place, n) => box(n, place)).filter((_, n) => a.shown[n]);
        const wide = { low: plus(frame.low, [-0.5, -0.5, -0.5]), high: plus(frame.high, [0.5, 0.5, 0.5]) } as Box;
        const last = from + 2 >= motion.length || cuts(b, apart[from + 2]!); // away: seen only at its end
        for (const each of seen) {
          assert.ok(last || inside(each, wide), `seed ${seed} at ${time}`);
          assert.ok(each.low[2] >= floor - 1e-9);
        }
      }
    }
  }
});

// ---- drawn apart ----

test("drawn apart, bodies go outwards from the middle of those that are there", () => {
  const middles: Vector[] = [
    [0, 0, 0],
    [4, 0, 0],
    [99, 0, 0],
  ];
  const there = [{ shifts: [still, still, still], shown: [true, true, false] }];
  assert.equal(exploded(there, middles, 0), there);
  assert.deepEqual(exploded(there, middles, 0.5)[0]!.shifts.slice(0, 2), [
    [-1, 0, 0],
    [1, 0, 0],
  ]);
});

// ---- frames and the ground ----

const inside = (a: Box, b: Box) => [0, 1, 2].every((n) => b.low[n]! <= a.low[n]! && a.high[n]! <= b.high[n]!);

test("the eye rests while bodies slide and looks at the end where they went", () => {
  const frames = framesOf(boxing, poses);
  assert.equal(frames.length, poses.length);
  assert.deepEqual(frames[0], { low: [0, 0, 0], high: [3, 1, 1] });
  assert.deepEqual([frames[1], frames[2]], [frames[0], frames[0]]); // what A passes through is seen
  assert.equal(frames[3]!.high[0], 10); // where it went
  assert.deepEqual(frames[4], { low: [1, 0, 0], high: [3, 1, 1] }); // and without it the others are closer
  assert.ok(inside(frames[4], frames[5]!));
});

test("what is seen in a pose lies within its frame, whatever the motion", () => {
  const forms = [...cubes, block([0, 1, 0], [1, 2, 1])];
  const four = forms.map((form) => boxOf(form, WORLD));
  for (let seed = 1; seed < 20; seed++) {
    const motion = someMotion(seed);
    const frames = framesOf(boxingOf(forms, WORLD), motion);
    motion.slice(0, -1).forEach((pose, at) =>
      pose.shown.forEach((shown, n) => {
        const { low, high } = four[n]!;
        const there = { low: plus(low, pose.shifts[n]!), high: plus(high, pose.shifts[n]!) };
        if (shown) assert.ok(inside(there, frameAt(frames, motion, at)), `seed ${seed}, pose ${at}`);
      }),
    );
  }
});

test("everything stands on the ground at every time, and nothing sinks into it", () => {
  const floors = floorsOf(boxing, poses);
  assert.deepEqual(floors, [0, 0, 0, 0, 0, -7]);
  for (let time = 0; time <= last; time += 0.05) {
    const { places, alphas } = momentAt(poses, time);
    const lows = shiftsOf(places)
      .map((shift, n) => boxes[n]!.low[2] + shift[2])
      .filter((_, n) => alphas[n]! > 0);
    assert.ok(Math.abs(Math.min(...lows) - floorAt(boxing, floors, poses, time)) < 1e-9, `at ${time}`);
  }
});

test("drawn apart, the frame is as much larger, and all still stand on the ground", () => {
  const staged = stagingOf(cubes, poses, WORLD);
  const [together, apart] = [staged(0, 0), staged(0, 1)];
  assert.deepEqual(together.frame, { low: [0, 0, 0], high: [3, 1, 1] });
  assert.deepEqual(apart.frame, { low: [-1, 0, 0], high: [4, 1, 1] });
  assert.deepEqual([together.floor, apart.floor], [0, 0]);
  assert.deepEqual(staged(0, 0), together);
});

// ---- forms ----

test("the box of a form is that of its points and balls, along any axes", () => {
  const ball: Form = { ...block(still, still), positions: [], triangles: [], balls: [[1, 0, 0]], radius: 0.5 };
  assert.deepEqual(boxOf(ball, WORLD), { low: [0.5, -0.5, -0.5], high: [1.5, 0.5, 0.5] });
  const quarter = [WORLD[1], [-1, 0, 0], WORLD[2]] as const; // rows: y goes to x, x to -y
  assert.deepEqual(boxOf(placed(block(still, [3, 2, 1]), quarter, [10, 0, 0]), WORLD), {
    low: [10, -3, 0],
    high: [12, 0, 1],
  });
  assert.equal(volumeOf(block(still, [3, 2, 1])), 6);
  assert.equal(volumeOf(ball), 1);
});

test("a surface has outward normals of length 1", () => {
  const balls: Vector[] = [still, [1, 0, 0]];
  const pair: Form = { ...block(still, still), positions: [], triangles: [], balls, radius: 0.5, necks: [[0, 1]] };
  for (const form of [block([-1, -1, -1], [1, 1, 1]), { ...pair, balls: [still], necks: [] }]) {
    const rows = surfaceOf(form);
    assert.equal(rows.length % 18, 0);
    for (let at = 0; at < rows.length; at += 6) {
      const [x, y, z, a, b, c] = rows.subarray(at, at + 6) as unknown as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      assert.ok(Math.abs(Math.hypot(a, b, c) - 1) < 1e-6);
      assert.ok(a * x + b * y + c * z > 0);
    }
  }
  assert.ok(surfaceOf(pair).length > 2 * surfaceOf({ ...pair, balls: [still], necks: [] }).length);
});

// ---- the camera ----

test("a camera sees all of what it is aimed at, from anywhere, on any screen", () => {
  const box = { low: [-2, 1, 0], high: [5, 4, 3] } as const;
  for (const aspect of [0.5, 1, 2]) {
    for (let yaw = -3; yaw < 3; yaw += 0.5) {
      const direction = { yaw, pitch: 0.5 };
      const axes = axesOf(direction);
      const form = block(box.low, box.high);
      const { middle, distance } = aimAt(boxOf(form, axes), axes, aspect);
      const { matrix, eye } = cameraOn(middle, distance, direction, aspect, 20);
      assert.ok(Math.abs(length(minus(eye, middle)) - distance) < 1e-9);
      const onScreen = (x: number, y: number, z: number) => {
        const row = (n: number) => matrix[n]! * x + matrix[n + 4]! * y + matrix[n + 8]! * z + matrix[n + 12]!;
        return [row(0) / row(3), row(1) / row(3)] as const;
      };
      const spots = Array.from({ length: 8 }, (_, n) =>
        onScreen(...(form.positions.slice(3 * n, 3 * n + 3) as [number, number, number])),
      );
      const most = Math.max(...spots.flat().map(Math.abs));
      assert.ok(most > 0.55 && most < 1, `${most}`);
    }
  }
});

test("what lies flat is seen more from above", () => {
  assert.deepEqual(directionTo({ low: still, high: [3, 3, 3] }), HOME);
  assert.ok(directionTo({ low: still, high: [9, 9, 1] }).pitch > HOME.pitch + 0.3);
});
