// What the user chose in the workshop; it stays when another place is shown, and in this browser.

import type { Suffix } from "../messages";
import { said } from "../words/make";
import { THINGS, type Thing, type Typed } from "./making";

const KEPT = "workshop";

interface Choices {
  readonly thing: Thing["name"];
  readonly formats: Readonly<Partial<Record<Thing["name"], Suffix>>>;
  readonly typed: Typed;
  readonly density: number;
  readonly flow: number; // mm³ that the printer lays down in a second
  readonly speed: number; // mm that the laser cuts in a second
}

const usual: Choices = { thing: "pieces", formats: {}, typed: {}, density: said.materials[0][1], flow: 8, speed: 10 };

function kept(): Choices {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Partial<Choices>) };
  } catch {
    return usual;
  }
}

class Workshop {
  now = $state.raw<Choices>(kept());
  thing = $derived(THINGS.find(({ name }) => name === this.now.thing) ?? THINGS[0]!);
  to = $derived(this.now.formats[this.thing.name] ?? this.thing.formats[0] ?? ".png");

  choose(change: Partial<Choices>): void {
    this.now = { ...this.now, ...change };
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.now));
    } catch {
      // a full storage forgets; the page does not
    }
  }
}

export const workshop = new Workshop();
