// Every shortcut of the page, declared once, with its words: the help sheet shows this table, and a place that binds its
// keys must give an act for each of them, or it does not compile.
//
// There is one listener. What has the focus comes first: a text field takes letters, a slider arrows, a button Enter.

import { words } from "./words";
import { gestures as ofViews, shortcuts as ofPlaces } from "./words/keys";

/** What each key does. */
export const shortcuts = { everywhere: words.help.keys, ...ofPlaces };
/** What a list or a view does by itself. */
export const gestures: { readonly [P in Place]?: Readonly<Record<string, string>> } = ofViews;
/** These act whatever has the focus. */
const ALWAYS = ["everywhere Ctrl S", "everywhere Esc", "everywhere F6", "everywhere Shift F6", "shapes Enter"];

type Place = keyof typeof shortcuts;
type Each<Keys extends string> = Keys extends `${infer One} / ${infer Others}` ? One | Each<Others> : Keys;
type KeysOf<P extends Place> = Exclude<Each<keyof (typeof shortcuts)[P] & string>, "Esc">;

/** What a key does; false if there is nothing to do, and the key keeps its usual meaning. */
export type Act = () => unknown;
/** An act for each key of a place. */
export type Acts<P extends Place> = Readonly<Record<KeysOf<P>, Act>>;

interface Bound {
  readonly place: Place;
  readonly acts: Readonly<Record<string, Act>>;
}
const bound: Bound[] = [];

/** Let the keys of a place act, until the returned function is called. */
export const bind = <P extends Place>(place: P, acts: Acts<P>) => add({ place, acts });

/** Let Esc leave something; whatever was bound last comes first. */
export const onEscape = (act: Act) => add({ place: "everywhere", acts: { Esc: act } });

function add(one: Bound): () => void {
  bound.push(one);
  return () => void bound.splice(bound.indexOf(one), 1);
}

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Act on a key, unless a dialog is open. */
export function press(
  event: Press & Pick<KeyboardEvent, "target" | "defaultPrevented" | "preventDefault">,
  dialog: boolean,
): void {
  if (event.defaultPrevented) return;
  const name = nameOf(event);
  if (dialog) {
    if (name === "Ctrl S") event.preventDefault(); // nobody wants to save the page itself
    return;
  }
  const taken = usedBy(event.target, name);
  for (const { place, acts } of bound.toReversed()) {
    const act = acts[name];
    if (!act || (taken && !ALWAYS.includes(`${place} ${name}`)) || act() === false) continue;
    return event.preventDefault();
  }
}

const TEXT =
  "input:not([type=checkbox], [type=radio], [type=range], [type=color]), textarea, select, [contenteditable]";
const MOVING = "input[type=range]:not(.time), input[type=radio], [role=tablist]";
const PRESSING = "button, a, summary, input:not(.time)";

/** Whether what has the focus has a use of its own for a key. */
function usedBy(target: EventTarget | null, name: string): boolean {
  const within = (selector: string) => !!(target as Element | null)?.closest?.(selector);
  if (name === "Enter" || name === "Space") return within(`${TEXT}, ${PRESSING}`);
  return within(TEXT) || (/^[←→↑↓]$|^(Home|End|Page)/.test(name) && within(MOVING));
}

const named: Readonly<Record<string, string>> = {
  ArrowRight: "→",
  ArrowLeft: "←",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Backspace: "Delete",
  " ": "Space",
  "=": "+",
  "-": "−",
  _: "−",
};

/** What the table calls the keys that are pressed: "Ctrl C", "→", "A". */
export function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): string {
  const cap = named[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  const shift = shiftKey && /^[A-Z]$|^.{2,}$/.test(cap);
  return [ctrlKey || metaKey ? "Ctrl" : "", altKey ? "Alt" : "", shift ? "Shift" : "", cap].filter(Boolean).join(" ");
}
