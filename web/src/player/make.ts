// Elements, made in one expression.

/** An element with attributes and children. */
export function make<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export interface Named {
  readonly name: string;
  readonly colour: string;
}

/** A button for each body, with its colour and name, that chooses it. */
export function makeChips(bodies: readonly Named[], choose: (body: number) => void): HTMLButtonElement[] {
  return bodies.map(({ name, colour }, body) => {
    const swatch = make("i");
    swatch.style.setProperty("--swatch", colour);
    const chip = make("button", { type: "button" }, swatch, name);
    chip.addEventListener("click", () => choose(body));
    return chip;
  });
}
