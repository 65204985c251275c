// What the view of a solution shows, for the panels beside it; and what they ask of it.

import type { Position } from "../hand/rules";
import type { SlideOn } from "../hand/ways";
import type { FormsData, SolutionData } from "../messages";

class Viewing {
  /** What is seen in the view, and at which of its poses. */
  watched = $state.raw<{
    readonly run: string;
    readonly solution: SolutionData;
    readonly forms: FormsData;
  } | null>(null);
  pose = $state(0);
  /** What it is compared with, once that is there. */
  beside = $state.raw<SolutionData | null>(null);
  /** Where everything was while it was moved by hand, until something came off or turned. */
  trail = $state.raw<readonly Position[]>([]);
  /** Whether it is still moved by hand. */
  playing = $state(false);
  /** Whether pieces are of wood, here and in every later visit. */
  wooden = $state(localStorage.getItem("wood") === "yes");
  dressIn(wooden: boolean): void {
    this.wooden = wooden;
    localStorage.setItem("wood", wooden ? "yes" : "no");
  }
  /** Keep so many positions of the trail, and slide on from there. */
  slide: (kept: number, way: readonly SlideOn[]) => void = () => {};
}

export const viewing = new Viewing();
