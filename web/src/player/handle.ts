// What stands under the picture of an exported page while the puzzle is taken apart by hand.

import { onBench } from "../hand/game";
import type { Grip, Hand } from "../hand/hand";
import { said } from "../words/hand";
import { make, makeChips, type Named } from "./make";

interface Held {
  readonly bodies: readonly Named[];
  readonly steps: readonly Grip[];
}

interface Acts {
  begin: () => void;
  end: () => void;
  solve: () => void; // or stop solving
  solving: () => boolean;
  now: () => Hand | null;
}

export type Handle = ReturnType<typeof createHandle>;

export function createHandle({ bodies, steps }: Held, act: Acts) {
  const button = (text: string, press: () => void) => {
    const made = make("button", { type: "button" }, text);
    made.addEventListener("click", press);
    return made;
  };
  const begin = button(said.begin, act.begin);
  const [count, told, far] = [make("b"), make("span", { role: "status" }), make("span", { class: "far" })];
  const undo = button(said.undo, () => act.now()?.undo());
  const restart = button(said.restart, () => act.now()?.restart());
  const hint = button(said.hint, () => act.now()?.hintOrFollow());
  const solve = button(said.solve, act.solve);
  const turn = button(said.turn, () => act.now()?.turnIt());
  const end = button(said.end, () => {
    act.end();
    begin.focus();
  });
  const chips = makeChips(bodies, (body) => act.now()?.choose(body));
  const pieces = make("div", { class: "choices", role: "group", "aria-label": said.pieces }, ...chips);
  const ways = make("div", { class: "choices", role: "group" });
  ways.append(turn, ...steps.map(({ words }, step) => button(words, () => act.now()?.push(step))));
  const words = make("p", { class: "told" }, count, told, far);
  const bar = make(
    "div",
    { class: "hand" },
    words,
    make("div", { class: "choices" }, undo, restart, hint, solve, end),
    pieces,
    ways,
  );
  bar.hidden = true;

  /** Show how the hand stands; null when it has gone. */
  function follow(hand: Hand | null): void {
    const opened = bar.hidden && !!hand;
    bar.hidden = !hand;
    if (!hand) return;
    const { state, moves, over } = hand;
    const bench = onBench(state.game);
    const chosen = bench.includes(state.chosen) ? state.chosen : -1;
    count.textContent = said.moves(moves);
    if (told.textContent !== state.words) told.textContent = told.title = state.words;
    const distance = state.hint ? "" : state.distance; // a hint says it, too
    if (far.textContent !== distance) far.textContent = distance;
    words.classList.toggle("over", over);
    turn.hidden = !hand.turn;
    for (const each of [undo, restart]) each.ariaDisabled = `${!moves}`;
    hint.textContent = state.hint ? said.follow : said.hint;
    solve.textContent = act.solving() ? said.stop : said.solve;
    for (const each of [hint, solve]) each.ariaDisabled = `${over}`;
    pieces.hidden = over;
    chips.forEach((chip, body) => {
      chip.hidden = !bench.includes(body);
      chip.ariaPressed = `${body === chosen}`;
    });
    ways.hidden = over || chosen < 0;
    if (chosen >= 0) ways.setAttribute("aria-label", said.directions(bodies[chosen]!.name));
    if (opened) hint.focus();
  }
  return { begin, bar, follow };
}
