// What to filter cards by and how to sort them: a field for each filter that can change anything. The fields
// hold the filter; nothing else stores it.

import type { FoundCard } from "../messages";
import { make } from "../player/make";
import { said } from "../words/cards";
import { choices, FILTERS, ORDERS, type Filter, type Order, type Wish } from "./choose";

type Option = readonly [value: string, words: string];

const WORDS: Record<Filter, (value: number) => string> = {
  level: said.atLeast,
  pieces: said.exactly,
  smallest: said.cells,
  holes: said.atMost,
  solutions: () => said.unique,
};

/** The fields for these cards, with the values that others had. */
export function fieldsFor(cards: readonly FoundCard[], changed: () => void, values: Record<string, string> = {}) {
  const selects: Record<string, HTMLSelectElement> = {};

  function field(name: string, label: string, options: readonly Option[]): HTMLElement {
    const select = make("select", { id: name }, ...options.map(([value, words]) => make("option", { value }, words)));
    if (options.some(([value]) => value === values[name])) select.value = values[name]!;
    select.addEventListener("change", changed);
    selects[name] = select;
    return make("div", { class: "field" }, make("label", { for: name }, label), select);
  }
  const elements = (Object.keys(FILTERS) as Filter[]).flatMap((filter) => {
    const options = choices(cards, filter).map((value): Option => [`${value}`, WORDS[filter](value)]);
    return options.length ? [field(filter, said[filter], [["", said.any], ...options])] : [];
  });
  const orders = (Object.keys(ORDERS) as Order[]).map((order): Option => [order, said.orders[order]]);
  elements.push(field("order", said.order, orders));

  const valuesNow = () => Object.fromEntries(Object.entries(selects).map(([name, { value }]) => [name, value]));
  return {
    elements,
    values: valuesNow,
    order: () => selects["order"]!.value as Order,
    wish: (): Wish =>
      Object.fromEntries(
        Object.entries(valuesNow()).flatMap(([name, value]) =>
          name === "order" || value === "" ? [] : [[name, Number(value)]],
        ),
      ),
  };
}
