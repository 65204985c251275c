"""Shortcuts: which assemblies open sooner, or at all, once pieces may turn.

A puzzle that was made to slide may open by a twist that its designer overlooked. So every assembly
is taken apart twice, by slides alone and with turns. A way with turns is a shortcut if its first
separation takes fewer moves, or as many but all separations together take fewer. Turns only add
moves, so the first separation never takes more; where each separation is a single slide, nothing
can be gained, and the second search is skipped.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Unpack

from kumitate.model.errors import LimitReached
from kumitate.model.numbers import count_of, require_number
from kumitate.model.options import ApartOptions, CountKeywords, SolveOptions
from kumitate.model.puzzle import Problem
from kumitate.model.rotation import Rotation
from kumitate.model.solution import Assembly, Disassembly, Solution
from kumitate.search.assemble import Progress
from kumitate.search.disassemble import Disassembler, Examination
from kumitate.search.solve import examine_all


@dataclass(frozen=True)
class Shortcut:
    """An assembly that turns open sooner than slides alone, or that slides alone do not open."""

    number: int  # of the assembly, as they are found, from 1
    slides: Examination  # without turns: apart, rigid or stuck
    disassembly: Disassembly  # with turns

    @property
    def assembly(self) -> Assembly:
        """The assembly that it opens."""
        return self.slides.assembly

    @property
    def title(self) -> str:
        """What a page that plays it is called."""
        return f"assembly {self.number:,}"

    @property
    def solution(self) -> Solution:
        """The assembly and how it comes apart with turns, to draw or export."""
        return Solution(self.assembly, self.disassembly, assembly_number=self.number)

    @property
    def turns(self) -> dict[int, Rotation]:
        """The turns, by the number of the move; the moves of all separations count from 1."""
        pieces = range(len(self.assembly.placements))
        separations = (part for _, part in self.disassembly.separations(pieces))
        moves = enumerate((move for part in separations for move in part.moves), 1)
        return {number: move for number, move in moves if isinstance(move, Rotation)}

    @property
    def tolerance(self) -> Fraction:
        """The least tolerance that allows all of its turns, as a part of a cell."""
        return max(turn.tolerance for turn in self.turns.values())

    def describe(self, unit: float | None = None) -> str:
        """The shortcut in a sentence; with the size of a cell in mm, tolerances are in mm, too."""
        levels = self.disassembly.levels
        slides = self.slides.disassembly.levels if self.slides.disassembly else None
        if slides is None:
            opens = f"is {self.slides.ending} without turns, but opens with them at level {levels}"
        elif slides.moves == levels.moves:
            opens = (
                f"comes apart in {count_of(levels.total, 'move')} with turns (level {levels}),"
                f" in {slides.total:,} without (level {slides})"
            )
        else:
            opens = f"opens at level {levels} with turns, at level {slides} without"
        move, turn = next(iter(self.turns.items()))
        first = f"move {move}: {turn.describe(self.assembly)} ({_needs(turn.tolerance, unit)})"
        more = len(self.turns) - 1
        if more:
            first += f"; with {count_of(more, 'more turn')} it {_needs(self.tolerance, unit)}"
        return f"{self.title} {opens}; {first}"


def _needs(tolerance: Fraction, unit: float | None) -> str:
    if not tolerance:
        return "needs no tolerance"
    length = f" ({float(tolerance) * unit:.2g} mm)" if unit else ""
    return f"needs a tolerance of {float(tolerance):g}{length}"


def find_shortcuts(
    problem: Problem,
    *,
    tolerance: float | Fraction = 0.0,
    fine: bool = False,
    max_states: int | None = None,
    max_moves: int | None = None,
    threads: int = 1,
    progress: Callable[[Progress], None] | None = None,
    given_up: Callable[[Assembly], None] | None = None,
    **counted: Unpack[CountKeywords],
) -> Iterator[Shortcut]:
    """The assemblies of a problem that turns open sooner, or open at all, one by one.

    Faces are set back by `tolerance`, a part of a cell; 0 means hard, exact pieces. The other
    options are those of `solve`. `progress` is called some twenty times a second and after each
    assembly, and counts those that were compared. An assembly that was given up at a limit, with
    turns or without, may have a shortcut: `given_up` is called with each. Without it LimitReached
    is raised after the last shortcut.

    In this room a bar lies across; the slot in the lid runs along.

    >>> from kumitate.model.grids import CUBES
    >>> wall, space, bar = "AAAAA  AAAAA  AAAAA", "AAAAA  A...A  AA.AA", "AAAAA  ABBBA  AA.AA"
    >>> room = Assembly.from_text(CUBES, "/".join([wall, space, bar, space, wall]))
    >>> [shortcut] = find_shortcuts(room.problem, tolerance=0.05)
    >>> shortcut.slides.ending, str(shortcut.disassembly.levels), float(shortcut.tolerance)
    ('stuck', '1R1', 0.036)
    """
    if isinstance(tolerance, Fraction):  # as shortcuts tell it
        tolerance = float(tolerance)
    require_number(0, 0.5, tolerance=tolerance)
    options = SolveOptions(
        disassemble=True, fine=fine, max_states=max_states, max_moves=max_moves, **counted
    )
    turning = Disassembler(problem, replace(options, turns=tolerance))
    now = Progress(0, 0, 0.0)
    done = 0

    def note(searched: Progress) -> None:
        nonlocal now
        now = searched._replace(assemblies=done)
        if progress is not None:
            progress(now)

    def note_states(states: int) -> None:
        note(now._replace(states=states))

    every = examine_all(problem, threads=threads, progress=note, **vars(options))

    def shortcuts() -> Iterator[Shortcut]:
        nonlocal done
        unknown = 0
        for slides in every:
            turns = slides
            if slides.ending != "limit" and not _is_plain(slides.disassembly):
                turns = turning.examine(slides.assembly, threads, note_states)
            done += 1
            note_states(0)
            if turns.disassembly and _is_shorter(turns.disassembly, slides.disassembly):
                yield Shortcut(done, slides, turns.disassembly)
            elif turns.ending == "limit" or turns.unclear:
                unknown += 1
                if given_up is not None:
                    given_up(slides.assembly)
        if unknown and given_up is None:
            raise LimitReached(_unknown(unknown))

    return shortcuts()


def summary(found: int, assemblies: int, tolerance: float, unknown: int, ended: bool) -> str:
    """What a search for shortcuts comes to, and what it cannot know.

    >>> summary(0, 12, 0.05, 0, ended=True).partition(",")[0]
    'no shortcut found in 12 assemblies'
    """
    some = count_of(found, "shortcut") if found else "no shortcut"
    thousandths = ApartOptions(turns=tolerance).tolerance or 0
    text = (
        f"{some} found in {count_of(assemblies, 'assembly')}{'' if ended else ' so far'}, with"
        f" quarter turns about the axes of the grid at tolerance {thousandths / 1000:g};"
        " other twists were not tried"
    )
    return f"{text}; {_unknown(unknown)}" if unknown else text


def _unknown(assemblies: int) -> str:
    some = count_of(assemblies, "assembly")
    return f"{some} may have a shortcut (given up at a limit, or unclear)"


def _is_plain(disassembly: Disassembly | None) -> bool:
    """Whether each separation is a single move."""
    return disassembly is not None and str(disassembly.levels) == "1"


def _is_shorter(turns: Disassembly, slides: Disassembly | None) -> bool:
    if slides is None:
        return True
    with_turns, without = turns.levels, slides.levels
    shorter = (with_turns.moves, with_turns.total) < (without.moves, without.total)
    return shorter and with_turns.total_turns > 0
