import assert from "node:assert/strict";
import test from "node:test";
import { nearer, Player, type Playing } from "../src/player/player";
import { secondsAfter, type Pose } from "../src/scene/motion";

const poses: Pose[] = [0, 1, 2, 3, 4].map((x) => ({ shifts: [[x, 0, 0]], shown: [true] }));

function playerOf(calm = false): Player {
  const made = new Player({ calm: () => calm });
  made.put(poses);
  return made;
}

/** Let frames pass until nothing moves; how many seconds that took. */
function settle(player: Player, frame = 1 / 60): number {
  let frames = 0;
  for (; !player.atRest; frames++) {
    assert.ok(frames < 10_000);
    player.advance(frame);
  }
  return frames * frame;
}

test("it plays to the end in the time that the motions take, and stops", () => {
  const player = playerOf();
  player.play();
  assert.ok(player.state.playing);
  const seconds = settle(player);
  assert.equal(player.state.time, 4);
  assert.ok(!player.state.playing);
  const whole = [0, 1, 2, 3].reduce((sum, at) => sum + secondsAfter(poses, at), 0);
  assert.ok(Math.abs(seconds - whole) < 0.1, `${seconds} of ${whole}`);
});

test("twice the speed takes half the time", () => {
  const [slow, fast] = [playerOf(), playerOf()];
  fast.hurry(2);
  for (const player of [slow, fast]) player.play();
  assert.ok(Math.abs(settle(slow) / settle(fast) - 2) < 0.1);
});

test("play begins again at the end, and pauses where it is", () => {
  const player = playerOf();
  player.jump(4);
  player.toggle();
  assert.equal(player.state.time, 0);
  player.advance(0.3);
  player.toggle();
  const { time, playing } = player.state;
  assert.ok(time > 0 && time < 1 && !playing);
  settle(player);
  assert.equal(player.state.time, time);
});

test("steps asked for in haste are all taken, and faster", () => {
  const player = playerOf();
  for (let n = 0; n < 3; n++) player.step(1);
  assert.equal(player.state.time, 0);
  const three = settle(player);
  assert.equal(player.state.time, 3);
  player.step(-1);
  const one = settle(player);
  assert.equal(player.state.time, 2);
  assert.ok(three < 3 * one);
});

test("a step from between two poses goes to the nearest in its direction, also while it plays", () => {
  const player = playerOf();
  player.jump(1.5);
  player.step(-1);
  settle(player);
  assert.equal(player.state.time, 1);
  player.play();
  player.advance(0.1);
  player.step(1);
  assert.ok(!player.state.playing);
  settle(player);
  assert.equal(player.state.time, 2);
});

test("no time is before the start or after the end", () => {
  const player = playerOf();
  player.jump(-3);
  assert.equal(player.state.time, 0);
  player.head(99);
  settle(player);
  assert.equal(player.state.time, 4);
  player.step(1);
  assert.ok(player.atRest);
});

test("a motion of one pose cannot be played", () => {
  const player = new Player();
  player.play();
  player.put(poses.slice(0, 1));
  player.play();
  assert.ok(!player.state.playing && player.atRest);
});

test("who wants no motion sees poses only, and gets there at once", () => {
  const player = playerOf(true);
  player.step(1);
  assert.equal(player.state.time, 1);
  player.jump(2.4);
  assert.equal(player.shownTime, 2);
  player.explode(1);
  player.advance(1 / 60);
  assert.equal(player.state.apart, 1);
});

test("drawing apart settles within a second, and back", () => {
  const player = playerOf();
  player.toggleExplode();
  assert.equal(player.state.apart, 0);
  assert.ok(settle(player) < 1);
  assert.equal(player.state.apart, 1);
  player.toggleExplode();
  settle(player);
  assert.equal(player.state.apart, 0);
  assert.equal(nearer(0, 1, 0.01, true), 1);
});

test("every change is told, and another motion starts anew but as far apart and as fast", () => {
  const told: Playing[] = [];
  const player = new Player({ changed: (state) => told.push(state) });
  player.put(poses);
  player.hurry(4);
  player.explode(0.5);
  player.jump(3);
  assert.equal(told.length, 4);
  assert.equal(told.at(-1), player.state);
  player.replace([...poses]);
  assert.equal(player.state.time, 3);
  player.replace(poses.slice(0, 3)); // which ends sooner
  assert.deepEqual([player.state.time, player.state.goal], [2, 2]);
  player.put(poses);
  assert.deepEqual([player.state.time, player.state.speed, player.state.explode], [0, 4, 0.5]);
});
