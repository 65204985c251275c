// The problem that is looked at, and how it is changed.

import type { ProblemData } from "../messages";
import { emptyProblem, labelOf, shapeOf, withProblem } from "../puzzle";
import { act, studio } from "../state";
import { said } from "../words/problem";
import { withShapeUsed } from "./rules";

class Now {
  puzzle = $derived(studio.puzzle!);
  problem = $derived(studio.puzzle?.problems[studio.problem] as ProblemData); // wherever there is one
  goal = $derived(shapeOf(this.puzzle, this.problem?.goal ?? null));
}
export const now = new Now();

export const nameOf = (shape: number) => labelOf(now.puzzle, shape);
/** The name of a piece, by its number. */
export const pieceName = (piece: number) => labelOf(now.puzzle, now.problem.pieces[piece]?.shape ?? null);

export const change = (name: string, to: (problem: ProblemData) => Partial<ProblemData>, key?: string) => {
  const change = (before: ProblemData) => ({ ...before, ...to(before) });
  act(name, (puzzle) => withProblem(puzzle, studio.problem, change(puzzle.problems[studio.problem]!)), key);
};

export const makeGoal = (shape: number) =>
  change(said.did.goal(nameOf(shape)), () => ({ goal: shape, pinned: [], forbidden: [] }));
export const use = (shape: number) => change(said.did.add(nameOf(shape)), (problem) => withShapeUsed(problem, shape));

/** One more problem, after the others. */
export function addProblem(): void {
  act(said.did.newProblem, (puzzle) => ({ ...puzzle, problems: [...puzzle.problems, emptyProblem()] }));
  studio.problem = studio.puzzle!.problems.length - 1;
}
