// What stands under the picture while a puzzle is put together by hand.

import type { Builder } from "../hand/builder";
import { built as said } from "../words/build";
import { make, makeChips, type Named } from "./make";

interface Acts {
  begin: () => void;
  end: () => void;
  solve: () => void; // or stop solving
  solving: () => boolean;
  now: () => Builder | null;
}

export type Bench = ReturnType<typeof createBench>;

export function createBench(bodies: readonly Named[], act: Acts) {
  const button = (text: string, press: (builder: Builder) => void) => {
    const made = make("button", { type: "button" }, text);
    made.addEventListener("click", () => {
      const builder = act.now();
      if (builder) press(builder);
    });
    return made;
  };
  const begin = make("button", { type: "button" }, said.begin);
  begin.addEventListener("click", act.begin);
  const [count, told] = [make("b"), make("span", { role: "status" })];
  const turn = button(said.turn, (builder) => builder.turnIt());
  const place = button(said.place, (builder) => builder.placeNext());
  const out = button(said.takeOut, (builder) => builder.takeOut());
  const hint = button(said.hint, (builder) => builder.hintOrFollow());
  const solve = button(said.solve, act.solve);
  const restart = button(said.restart, (builder) => builder.deal(builder.state.card, builder.state.given));
  const card = button(said.newCard, (builder) => builder.deal(builder.state.card + 1, given.valueAsNumber || 0));
  const given = make("input", { type: "number", min: "0", max: `${bodies.length - 1}` });
  given.value = `${Math.round(bodies.length * 0.6)}`;
  const end = make("button", { type: "button" }, said.end);
  end.addEventListener("click", () => {
    act.end();
    begin.focus();
  });
  const chips = makeChips(bodies, (body) => act.now()?.choose(body));
  const pieces = make("div", { class: "choices", role: "group", "aria-label": said.pieces }, ...chips);
  const words = make("p", { class: "told" }, count, told);
  const bar = make(
    "div",
    { class: "hand" },
    words,
    make("div", { class: "choices" }, turn, place, out, hint, solve, restart, end),
    make("div", { class: "choices" }, card, make("label", {}, said.givenPieces, given)),
    pieces,
  );
  bar.hidden = true;

  /** Show how the builder stands; null when it has gone. */
  function follow(builder: Builder | null): void {
    const opened = bar.hidden && !!builder;
    bar.hidden = !builder;
    if (!builder) return;
    const { state, over } = builder;
    count.textContent = said.left(bodies.length - state.placed.length);
    if (told.textContent !== state.words) told.textContent = told.title = state.words;
    words.classList.toggle("over", over);
    for (const each of [turn, place]) each.ariaDisabled = `${state.chosen < 0 || over}`;
    out.ariaDisabled = `${state.chosen < 0 || !builder.isPlaced(state.chosen)}`;
    hint.textContent = state.hint ? said.follow : said.hint;
    solve.textContent = act.solving() ? said.stop : said.solve;
    for (const each of [hint, solve]) each.ariaDisabled = `${over}`;
    chips.forEach((chip, body) => {
      chip.ariaPressed = `${body === state.chosen}`;
      chip.ariaDisabled = `${builder.isGiven(body)}`;
      chip.classList.toggle("placed", builder.isPlaced(body));
    });
    if (opened) turn.focus();
  }
  return { begin, bar, follow };
}
