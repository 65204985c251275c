// What the graph of states and the view of a solution know of each other.

import type { Position } from "../hand/rules";
import type { SlideOn } from "../hand/ways";
import type { FormsData, SolutionData } from "../messages";

class Exploring {
  /** What is seen in the view, and at which of its poses. */
  watched = $state.raw<{ readonly solution: SolutionData; readonly forms: FormsData } | null>(null);
  pose = $state(0);
  /** Where everything was while it was moved by hand, until something came off or turned. */
  trail = $state.raw<readonly Position[]>([]);
  /** Whether it is still moved by hand. */
  playing = $state(false);
  /** Keep so many positions of the trail, and slide on from there. */
  slide: (kept: number, way: readonly SlideOn[]) => void = () => {};
}

export const exploring = new Exploring();
