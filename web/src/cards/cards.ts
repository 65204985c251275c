// The puzzles of a collection as cards, and the one that is opened, in a player. Exported pages and the studio
// show the same: they differ in where pictures and contents come from, and in what can be done with a puzzle.
//
// The address says what is open, so that Back works: cards are links, and the page calls `show`
// when the address changes. Colours are those of the page around.

import type { Core } from "../hand/core";
import { PUZZLE_SUFFIXES, type FoundCard } from "../messages";
import { make } from "../player/make";
import { mount, type Scene } from "../player/viewer";
import { fileName } from "../text";
import { said } from "../words/cards";
import style from "./cards.css?inline";
import { chosen } from "./choose";
import { fieldsFor } from "./fields";

/** What an opened puzzle shows. */
export interface Content {
  readonly scene: Scene;
  readonly pieces: string; // SVG
  readonly file: string; // as .kumitate.json
}

export interface Source {
  /** How many puzzles there are, of which cards may be only the best. */
  readonly total: number;
  /** The address of a picture. */
  picture: (card: FoundCard) => string | Promise<string>;
  content: (card: FoundCard) => Promise<Content>;
  /** The address under which a puzzle is shown, or all of them. */
  addressOf: (card: FoundCard | null) => string;
  /** What knows the way while a puzzle is played by hand, where the page has it. */
  readonly core?: Core | null;
  /** What else can be done with a puzzle. */
  actions?: (card: FoundCard) => Node[];
  /** Load more cards, those after the known ones; none if there are no more. */
  more?: (known: number) => Promise<readonly FoundCard[]>;
}

/** The address of text that an image or a link can have. */
export const dataOf = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** Show cards within an element, which decides the size: what to call when the address changes, and at the end. */
export function mountCards(element: HTMLElement, first: readonly FoundCard[], source: Source) {
  const goodbye = new AbortController();
  let cards = first;
  let fields = fieldsFor(cards, refresh);
  let seen: FoundCard[] = []; // that pass the filters
  let leave = () => {}; // the opened puzzle
  let opened: FoundCard | null = null;
  let wanted: number | null = null; // the sample to open, whose card may not be loaded yet
  let { total } = source;
  let complete = !source.more || first.length >= total;

  // ---- the list ----

  const list = make("ul", { class: "cards", "aria-label": said.puzzles });
  const count = make("p", { class: "count", role: "status" });
  const none = make("p", { class: "none" });
  const form = make("div", { class: "fields", role: "search", "aria-label": said.filter });
  const more = button(said.more, () => void load());
  const bar = make(
    "div",
    { class: "bar" },
    form,
    count,
    button(said.print, () => print()),
  );
  const overview = make("section", { class: "overview" }, bar, list, none, more);
  const views = new Map<FoundCard, HTMLElement>();

  function clear(): void {
    fields = fieldsFor(cards, refresh);
    refresh();
    form.querySelector("select")?.focus();
  }

  /** Show the cards that are asked for, in the order that is asked for. */
  function refresh(): void {
    if (form.firstElementChild !== fields.elements[0]) form.replaceChildren(...fields.elements);
    seen = chosen(cards, fields.wish(), fields.order());
    const items = seen.map((card) => ranked(views.get(card) ?? view(card), card));
    if (items.length !== list.children.length || items.some((item, at) => item !== list.children[at])) {
      const focused = root.activeElement as HTMLElement | null;
      list.replaceChildren(...items);
      focused?.focus({ preventScroll: true });
    }
    count.textContent = said.shown(seen.length, cards.length, total);
    none.hidden = seen.length > 0;
    none.replaceChildren(...(cards.length ? [said.none, button(said.clear, clear)] : [said.nothing]));
    more.hidden = complete;
  }

  function view(card: FoundCard): HTMLElement {
    const title = make("a", { href: source.addressOf(card) }, card.title);
    const made = make(
      "li",
      {},
      make("article", {}, pictureOf(card), make("h2", {}, title), ...factsOf(card).map((line) => make("p", {}, line))),
    );
    const found = make("p", { class: "found" }, said.found(card.comment, card.sample));
    made.firstElementChild!.append(found);
    views.set(card, made);
    return made;
  }

  function ranked(item: HTMLElement, card: FoundCard): HTMLElement {
    item.querySelector(".rank")!.textContent = `${card.number}`;
    return item;
  }

  function pictureOf(card: FoundCard): HTMLElement {
    const image = make("img", { alt: "", loading: "lazy", decoding: "async" });
    void Promise.resolve(source.picture(card)).then((address) => (image.src = address));
    return make("div", { class: "picture" }, image, make("span", { class: "rank" }));
  }

  async function load(): Promise<void> {
    more.disabled = true;
    const loaded = await source.more!(cards.length);
    const known = new Set(cards.map(({ sample }) => sample)); // a search may have added some before them
    cards = [...cards, ...loaded.filter(({ sample }) => !known.has(sample))];
    complete = !loaded.length || cards.length >= total;
    more.disabled = false;
    fields = fieldsFor(cards, refresh, fields.values());
    refresh();
    show(wanted);
  }

  /** The search has gone on: these are the best now, and so many there are. */
  function update(best: readonly FoundCard[], count: number): void {
    const before = new Map([...views].map(([{ sample }, item]) => [sample, item]));
    views.clear();
    for (const card of best) {
      const item = before.get(card.sample);
      if (item) views.set(card, item);
    }
    [cards, total] = [best, count];
    complete = !source.more || cards.length >= total;
    if (!form.contains(root.activeElement)) fields = fieldsFor(cards, refresh, fields.values());
    refresh();
  }

  // ---- one puzzle ----

  const detail = make("section", { class: "detail", "aria-labelledby": "title" });

  /** Show the puzzle of this sample, or all of them. */
  function show(sample: number | null): void {
    wanted = sample;
    const card = cards.find((each) => each.sample === sample) ?? null;
    if (!card && sample !== null && !complete && !more.disabled) void load();
    if (card?.sample === opened?.sample) return;
    leave();
    const before = opened;
    opened = card;
    overview.hidden = card !== null;
    detail.hidden = card === null;
    detail.replaceChildren();
    if (card) leave = open(card);
    else {
      leave = () => {};
      const left = cards.find((each) => each.sample === before?.sample);
      if (left) views.get(left)?.querySelector("a")?.focus();
    }
  }

  function open(card: FoundCard): () => void {
    let gone = false;
    let unmount = () => {};
    const at = seen.findIndex((each) => each.sample === card.sample);
    const link = (text: string, name: string, to: FoundCard | undefined) =>
      to
        ? make("a", { class: "button", href: source.addressOf(to), title: name, "aria-label": name }, text)
        : make("span", { class: "button", "aria-hidden": "true", "aria-disabled": "true" }, text);
    const title = make("h2", { id: "title", tabindex: "-1" }, card.title);
    const save = button(said.download, () => {});
    [save.disabled, save.title] = [true, said.downloadHint];
    const actions = [...(source.actions?.(card) ?? []), save, button(said.print, () => print())];
    const ways = [
      make("a", { class: "button", href: source.addressOf(null) }, said.all),
      link("‹", said.before, seen[at - 1]),
      link("›", said.after, at < 0 ? undefined : seen[at + 1]),
    ];
    const facts = make("p", { class: "facts" }, factsOf(card).join(" · "));
    const scene = make("div", { class: "scene" }, make("p", { role: "status" }, `${said.opening} …`));
    const paper = make("div", { class: "paper" });
    detail.append(
      make("nav", { "aria-label": said.puzzles }, ...ways),
      make("div", { class: "head" }, title, facts, make("p", { class: "found" }, card.comment)),
      make("div", { class: "actions" }, ...actions),
      scene,
      paper,
    );
    title.focus({ preventScroll: true });

    const show = async () => {
      const [content, still] = await Promise.all([source.content(card), source.picture(card)]);
      if (gone) return;
      scene.replaceChildren();
      unmount = mount(scene, content.scene, { keys: document, still, core: source.core ?? null });
      save.disabled = false;
      save.addEventListener("click", () => download(content.file, fileOf(card)));
      paper.append(...printed(content, still));
    };
    show().catch((error: unknown) => scene.replaceChildren(make("p", { role: "alert" }, String(error))));
    return () => {
      gone = true;
      unmount();
    };
  }

  // ---- coming and going ----

  const host = make("div");
  host.style.height = "100%";
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];
  root.append(make("div", { class: "gallery" }, overview, detail));
  detail.hidden = true;
  element.append(host);
  const back = (event: KeyboardEvent) => {
    const busy = event.defaultPrevented || document.querySelector("dialog[open]");
    if (event.key === "Escape" && opened && !busy) location.href = source.addressOf(null);
  };
  document.addEventListener("keydown", back, { signal: goodbye.signal });
  refresh();
  return {
    show,
    update,
    known: () => cards.length,
    leave: () => {
      goodbye.abort();
      leave();
      host.remove();
    },
  };
}

function button(text: string, act: () => void): HTMLButtonElement {
  const made = make("button", { type: "button" }, text);
  made.addEventListener("click", act);
  return made;
}

/** What a card says, a line each. */
export function factsOf(card: FoundCard): string[] {
  const lines = [[said.levelOf(card.levels), ...(card.moves ? [said.moves(card.moves)] : [])].join(" · ")];
  if (!card.pieces.length) return lines;
  const wrong = (card.assemblies ?? 0) - (card.solutions ?? card.assemblies ?? 0);
  const answers = [said.holesOf(card.holes), said.solutionsOf(card.solutions)];
  return [
    ...lines,
    said.piecesOf(card.pieces),
    [...answers, ...(wrong > 0 ? [said.falseOnes(wrong)] : [])].join(" · "),
  ];
}

/** An opened puzzle on paper: how it looks, its pieces, and its moves in words. */
function printed({ scene, pieces }: Content, still: string): HTMLElement[] {
  const steps = scene.poses.map(({ words }) => words).filter(Boolean);
  return [
    make("img", { src: still, alt: "" }),
    make("h3", {}, said.piecesTitle),
    make("img", { src: dataOf(pieces), alt: "" }),
    ...(steps.length
      ? [make("h3", {}, said.stepsTitle), make("ol", {}, ...steps.map((step) => make("li", {}, step)))]
      : []),
  ];
}

const fileOf = ({ title, sample }: FoundCard) => `${fileName("", title)}-${sample}${PUZZLE_SUFFIXES[0]}`;

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
