// The collections that are filled: what the server knows of them, and the choices of the form, which stay.

import * as api from "../api";
import type { DesignData } from "../messages";
import { complain, studio } from "../state";
import type { Choices, GoalName } from "./wishes";

type Wanted = Omit<Choices, "goal"> & { readonly goal: GoalName | null };

class Designing {
  choices = $state.raw<Wanted>({
    goal: null, // the first that is offered
    size: "",
    random: false,
    typed: {},
    seconds: 120,
  });
  /** For which puzzle that is. */
  of = "";
  /** The places of the collections, the last written first. */
  places = $state.raw<readonly string[]>([]);
  /** Whether the server has said which these are. */
  known = $state(false);

  /** Another puzzle has other goals; what else is wanted stays. */
  begin(of: string): void {
    if (this.of === of) return;
    this.of = of;
    this.choose({ goal: null, size: "", typed: { ...this.choices.typed, keep: [] } });
  }

  choose(change: Partial<Wanted>): void {
    this.choices = { ...this.choices, ...change };
  }
}

export const designing = new Designing();

/** One core stays for the page. */
export const threads = () => Math.max(1, (navigator.hardwareConcurrency || 1) - 1);

export const isGoing = ({ state }: DesignData) => state === "starting" || state === "running";
export const canGoOn = ({ state }: DesignData) => state === "paused" || state === "limit" || state === "failed";

export const hear = (design: DesignData) => (studio.designs = { ...studio.designs, [design.place]: design });

export async function load(): Promise<void> {
  const before = studio.designs;
  try {
    const { designs } = await api.designs();
    const silent = designs.filter(({ place }) => studio.designs[place] === before[place]); // of others there is newer news
    studio.designs = { ...studio.designs, ...Object.fromEntries(silent.map((one) => [one.place, one])) };
    designing.places = designs.map(({ place }) => place);
    designing.known = true;
  } catch (error) {
    complain(error);
  }
}

/** Pause or go on. */
export async function act(design: DesignData): Promise<void> {
  try {
    hear(await api.actOnDesign({ place: design.place, act: isGoing(design) ? "pause" : "resume", threads: threads() }));
  } catch (error) {
    complain(error);
  }
}
