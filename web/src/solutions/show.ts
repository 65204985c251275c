// A solution on the stage: its bodies, where they are at a time, and the eye that follows them. The forms
// stay as long as the run, so another of its solutions needs only new places.

import { Vector3 } from "three";
import type { Ray } from "../geometry";
import type { BodyData, FormsData } from "../messages";
import type { Player } from "../player/player";
import { aimAt, axesOf, directionTo, radiusOf } from "../scene/camera";
import { boxOf, placed, type Form } from "../scene/form";
import type { Pose } from "../scene/motion";
import { picked } from "../scene/pick";
import { stagingOf } from "../scene/staging";
import type { Place } from "../scene/turning";
import { union, WORLD, type Matrix } from "../vector";
import { createBodies, createForms, type Bodies, type Forms, type Look } from "../stage/bodies";
import type { Framing, Stage } from "../stage/stage";

export class Show {
  readonly #stage: Stage;
  #data: FormsData | null = null;
  #forms: Forms | null = null;
  #bodies: Bodies | null = null;
  #placed: readonly Form[] = []; // the form of each body where it lies at first
  #poses: readonly Pose[] = [];
  #axes: Matrix = WORLD; // of the camera when everything was last fitted
  #staged: ReturnType<typeof stagingOf> | null = null;
  #framing: Framing | null = null;
  #looks: readonly Look[] = [];
  #wooden = false;
  #seen: { places: readonly Place[]; alphas: readonly number[] } | null = null;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Show other bodies; their forms are built only if those are others, too. */
  put(data: FormsData, bodies: readonly BodyData[], colours: readonly string[] = []): void {
    const [oldForms, oldBodies] = [this.#forms, this.#bodies];
    if (data !== this.#data || !this.#forms) [this.#data, this.#forms] = [data, createForms(data.forms, colours)];
    this.#bodies = createBodies(this.#forms, bodies);
    this.#bodies.wood(this.#wooden);
    this.#placed = bodies.map(({ piece, turn, at }) => placed(data.forms[piece]!, turn, at));
    this.#staged = null;
    this.#stage.add(this.#bodies.object);
    oldBodies?.dispose(); // only now, so that shaders are not built again
    if (oldForms !== this.#forms) oldForms?.dispose();
  }

  /** Let the bodies move so. */
  move(poses: readonly Pose[]): void {
    [this.#poses, this.#staged] = [poses, null];
  }

  /** Another stage that shares the view: both frame what is seen on either. */
  beside: Show | null = null;

  #frameAt(time: number, apart: number, axes: Matrix) {
    if (!this.#bodies || !this.#poses.length) return null;
    if (this.#axes !== axes) [this.#axes, this.#staged] = [axes, null];
    this.#staged ??= stagingOf(this.#placed, this.#poses, axes);
    return this.#staged(time, apart);
  }

  /** The forms of the bodies where they lie at first. */
  get forms(): readonly Form[] {
    return this.#placed;
  }

  /** Where the bodies were last drawn, and how far each is seen. */
  get seen() {
    return this.#seen;
  }

  /** The body that a line of sight meets first, -1 if none. */
  pick(sight: Ray): number {
    const seen = this.#seen;
    return seen ? picked(this.#placed, seen.places, (body) => this.#isSolid(body), sight) : -1;
  }

  #isSolid(body: number): boolean {
    return (this.#seen?.alphas[body] ?? 0) > 0.5 && (this.#looks[body] ?? "solid") === "solid";
  }

  /** Draw a moment; the camera follows what happens, or stays where it is. */
  draw(time: number, apart: number, following = true): void {
    const now = this.#frameAt(time, apart, this.#axes);
    if (!now || !this.#bodies) return;
    const { places, alphas } = now;
    this.#seen = { places, alphas };
    this.#bodies.pose(places, alphas);
    if (!following) return this.#stage.invalidate();
    const { beside } = this;
    const other = (beside && beside.#frameAt(time, apart, this.#axes)) ?? now;
    const [frame, floor] = [union([now.frame, other.frame]), Math.min(now.floor, other.floor)];
    this.#framing = { ...aimAt(frame, this.#axes, this.#stage.aspect()), floor, radius: radiusOf(frame) };
    this.#stage.follow(this.#framing);
    this.#stage.invalidate();
  }

  /** See all that happens now, from where the camera is, or at first from where it is seen best. */
  fit(time: number, apart: number, smoothly: boolean, first = false): void {
    if (!this.#bodies || !this.#poses.length) return;
    if (first) {
      const [, , back] = axesOf(directionTo(union(this.#placed.map((form) => boxOf(form, WORLD)))));
      this.#stage.look(new Vector3(...back).negate(), false);
    }
    [this.#axes, this.#staged] = [this.#stage.axes(), null];
    this.draw(time, apart);
    if (this.#framing) this.#stage.frame(this.#framing, smoothly);
  }

  look(looks: readonly Look[]): void {
    this.#looks = looks;
    this.#bodies?.look(looks);
    this.#stage.invalidate();
  }

  /** Show the colours of cells, or not. */
  paint(seen: boolean): void {
    this.#bodies?.paint(seen);
    this.#stage.invalidate();
  }

  /** Of wood, or plain; so are all bodies that come later. */
  wood(wooden: boolean): void {
    this.#wooden = wooden;
    this.#bodies?.wood(wooden);
    this.#stage.invalidate(false);
  }

  /** Let these bodies shine, and no others; outline those that are in the way. */
  point(at: readonly number[], blockers: readonly number[] = []): void {
    this.#bodies?.point(at, blockers);
    this.#stage.invalidate();
  }

  dispose(): void {
    this.#bodies?.dispose();
    this.#forms?.dispose();
    this.#bodies = this.#forms = null;
  }
}

/** What keeps a player moving on a stage until it is at rest; calls while it moves do nothing. */
export function animation(stage: () => Stage | null, player: Player, draw: () => void): () => void {
  let moving = false;
  return () => {
    const there = stage();
    if (moving || !there) return;
    moving = true;
    there.animate((seconds) => {
      player.advance(seconds || 1 / 60);
      draw();
      moving = !player.atRest;
      return moving;
    });
  };
}
