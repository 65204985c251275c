// What stands around the picture of a page to send: buttons, sliders, names; and how they follow the player.

import { movesTo, poseAt, type Pose } from "../scene/motion";
import { said as hands } from "../words/hand";
import { make } from "./make";
import { SPEEDS, type Player } from "./player";

interface Shown {
  readonly bodies: readonly { readonly name: string; readonly colour: string }[];
  readonly poses: readonly (Pose & { readonly words: string })[];
  readonly toys: readonly { readonly begin: HTMLElement; readonly bar: HTMLElement }[]; // to play with by hand
}

/** What the controls ask for beyond the player. */
export interface Acts {
  reset: () => void;
  /** Hide or show a body; whether it is now shown. */
  hide: (n: number) => boolean;
  /** Show where a body is, -1 for none. */
  point: (n: number) => void;
}

const ICONS = {
  play: "M5 3l11 6.5L5 16z",
  pause: "M4 3h4v13H4zM11 3h4v13h-4z",
  back: "M14 3v13L6 9.5zM3.5 3h2.2v13H3.5z",
  forward: "M5 3v13l8-6.5zM13.3 3h2.2v13h-2.2z",
  reset: "M9.5 2.5a7 7 0 1 0 7 7h-2.2a4.8 4.8 0 1 1-1.5-3.5L10.5 8.3H17V1.8l-2.6 2.6a7 7 0 0 0-4.9-1.9z",
};
const HELP =
  "The pieces in space: drag to turn, scroll or pinch to zoom, drag with two fingers, Shift or the middle button to move, " +
  "double click to reset";

export function createControls({ bodies, poses, toys }: Shown, player: Player, act: Acts) {
  const last = poses.length - 1;
  const moves = movesTo(poses);
  const canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": HELP });
  const [number, told] = [make("b"), make("span")];
  const time = slider("Step", last, (to) => player.jump(to));
  const explode = slider("Explode", 1, (by) => player.explode(by));
  const options = SPEEDS.map((each) =>
    make("option", { value: `${each}`, ...(each === 1 ? { selected: "" } : {}) }, `${each}×`),
  );
  const speed = make("select", { "aria-label": "Speed" }, ...options);
  speed.addEventListener("change", () => player.hurry(Number(speed.value)));
  const play = iconButton("play", "play", "Play", () => player.toggle());
  const back = iconButton("back", "back", "One step back", () => player.step(-1));
  const forward = iconButton("forward", "forward", "One step forward", () => player.step(1));
  const reset = iconButton("reset", "reset", "Reset the view", act.reset);
  const pieces = pieceList(bodies, act);
  const words = make("p", { class: "words", "aria-live": "polite" }, number, told);
  const buttons = make("div", { class: "buttons" }, back, play, forward);
  const faster = make("label", {}, make("span", { class: "aside" }, "Speed"), speed);
  const outwards = make("label", {}, "Explode", explode);
  const extras = make("div", { class: "extras" }, faster, outwards);
  const bar = make("div", { class: "bar" }, words, buttons, time, extras);
  time.className = "time";
  for (const part of [words, buttons, time, faster]) part.hidden = last < 1;
  outwards.hidden = pieces.hidden = bodies.length < 2;
  const begin = make("div", { class: "begin" }, ...toys.map((toy) => toy.begin));
  const stage = make("div", { class: "stage" }, canvas, reset, begin);
  const layout = make("div", { class: "layout" }, stage, pieces, bar, ...toys.map((toy) => toy.bar));

  /** Show how the player stands. Only what is new is written, as a screen reader reads it out. */
  function follow(): void {
    begin.hidden = toys.some((toy) => !toy.bar.hidden);
    bar.hidden = begin.hidden || (last < 1 && bodies.length < 2);
    if (bar.hidden) return;
    const { state } = player;
    const at = poseAt(state.time, last);
    const text = poses[at]!.words;
    const count = at || text ? `${movesTo(poses, at)} of ${moves}` : hands.moves(moves);
    if (number.textContent !== count) number.textContent = count;
    if (told.textContent !== text) told.title = told.textContent = text;
    if (time.valueAsNumber !== state.time) time.value = `${state.time}`;
    time.setAttribute("aria-valuetext", `${count} ${text}`);
    if (explode.valueAsNumber !== state.explode) explode.value = `${state.explode}`;
    const label = state.playing ? "Pause" : "Play";
    if (play.title !== label) dress(play, state.playing ? "pause" : "play", label);
    back.ariaDisabled = `${state.time === 0}`; // truly disabled ones would lose the focus
    forward.ariaDisabled = `${state.time === last}`;
  }
  return { layout, stage, canvas, follow };
}

function dress(button: HTMLElement, icon: keyof typeof ICONS, label: string): void {
  button.innerHTML = `<svg viewBox="0 0 19 19" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
  button.setAttribute("aria-label", label);
  button.title = label;
}

function iconButton(kind: string, icon: keyof typeof ICONS, label: string, act: () => void): HTMLButtonElement {
  const button = make("button", { class: kind, type: "button" });
  dress(button, icon, label);
  button.addEventListener("click", act);
  return button;
}

function slider(label: string, max: number, act: (value: number) => void): HTMLInputElement {
  const range = { type: "range", min: "0", max: `${max}`, step: "any", value: "0" };
  const made = make("input", { ...range, "aria-label": label });
  made.addEventListener("input", () => act(made.valueAsNumber));
  return made;
}

function pieceList(bodies: Shown["bodies"], act: Acts): HTMLElement {
  const rows = bodies.map((body, n) => {
    const swatch = make("i");
    swatch.style.setProperty("--swatch", body.colour);
    const name = body.name || `piece ${n + 1}`;
    const words = make("span", {}, name);
    const button = make("button", { type: "button", "aria-pressed": "true", title: name }, swatch, words);
    button.addEventListener("click", () => button.setAttribute("aria-pressed", `${act.hide(n)}`));
    button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && act.point(n));
    button.addEventListener("focus", () => button.matches(":focus-visible") && act.point(n));
    for (const end of ["pointerleave", "blur"]) button.addEventListener(end, () => act.point(-1));
    return make("li", {}, button);
  });
  return make("ul", { class: "pieces", "aria-label": "Pieces: press to hide or show" }, ...rows);
}

/** Keys that act, unless the element in focus has a use of its own for them. */
export const keyPresses = (acts: Record<string, () => void>) => (event: Event) => {
  if (!(event instanceof KeyboardEvent) || event.ctrlKey || event.altKey || event.metaKey) return;
  const [target] = event.composedPath();
  const own =
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && target.className !== "time") ||
    (target instanceof HTMLButtonElement && event.key === " ");
  const act = acts[event.key];
  if (own || !act) return;
  event.preventDefault();
  act();
};
