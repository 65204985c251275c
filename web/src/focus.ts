// Where the keys go: F6 goes from part to part of the page, and the focus is never lost.
//
// When what has the focus goes away or is disabled, the browser focuses nothing, and a screen reader starts from the
// top. Then the focus goes to what is nearest in the same part of the page.

const PARTS = "header, nav, [data-pane], section[aria-label], main canvas";
const FOCUSABLE =
  "button:not(:disabled, .skip), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), a[href], summary, canvas, [tabindex='0']";

const seen = (element: Element) => element.checkVisibility({ visibilityProperty: true });
const firstIn = (element: Element): HTMLElement | undefined =>
  [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].find((each) => each.tabIndex >= 0 && seen(each));

/** Focus an element, even if it is none that can be reached by Tab. */
function focus(element: HTMLElement, options: FocusOptions = {}): void {
  element.focus(options);
  if (document.activeElement === element) return;
  element.tabIndex = -1;
  element.focus(options);
}

/** Go to the next part of the page, or the one before. */
export function focusPart(by: 1 | -1): void {
  const starts = [...document.querySelectorAll<HTMLElement>(PARTS)].flatMap((part) =>
    seen(part) ? ((part.matches("canvas") ? part : firstIn(part)) ?? []) : [],
  );
  const all = starts.filter((element, n) => starts.indexOf(element) === n);
  const now = document.activeElement;
  const at = all.findLastIndex((start) => start === now || isBefore(start, now)); // the part that we are in
  const next = by > 0 ? at + 1 : all[at] === now || at < 0 ? at - 1 : at;
  const target = all.at(((next % all.length) + all.length) % all.length);
  if (target) focus(target);
}

const isBefore = (a: Element, b: Element | null) =>
  !!b && !!(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);

/** Skip what stands above the work. */
export function focusMain(): void {
  const main = document.querySelector<HTMLElement>("main");
  if (main) focus(firstIn(main) ?? main);
}

/** Keep the focus on the page; what to call to stop. */
export function keepFocus(): () => void {
  let path: HTMLElement[] = []; // what had the focus, and all around it
  const heard = ({ target }: FocusEvent) => {
    path = [];
    for (let each = target as HTMLElement | null; each && each !== document.body; each = each.parentElement)
      path.push(each);
  };
  let waiting = 0;
  const check = () => {
    waiting = 0;
    const lost = path[0];
    const now = document.activeElement;
    if (!lost || (now !== document.body && now !== lost)) return;
    if (lost.isConnected && !lost.matches(":disabled") && seen(lost)) return;
    for (const around of path.slice(1)) {
      if (!around.isConnected || !seen(around)) continue;
      const next = firstIn(around);
      if (next) return focus(next, { preventScroll: true }); // nobody has asked to go there
    }
  };
  const watcher = new MutationObserver(() => (waiting ||= requestAnimationFrame(check)));
  document.addEventListener("focusin", heard);
  watcher.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled", "hidden", "data-showing"],
  });
  return () => {
    watcher.disconnect();
    cancelAnimationFrame(waiting);
    document.removeEventListener("focusin", heard);
  };
}
