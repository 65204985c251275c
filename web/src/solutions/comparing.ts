// Choosing a solution that others are compared with.

import { studio } from "../state";
import { listing } from "./listing.svelte";
import { coloursNow } from "./solving.svelte";

export function compareWith(run: string, number: number): void {
  const { title = "", colours = [] } = studio.puzzle ?? {};
  listing.compared = { run, number, title, colours, painted: coloursNow() };
}
