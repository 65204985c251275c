"""One page for many puzzles: a card for each, the best first, and a player for the one you open.

A puzzle is written three times: its card, which the page filters and sorts by; its picture; and
what is needed to open it: a scene to play, a drawing of its pieces, and its file to download.
Pictures and contents are compressed one by one, and the page unpacks what it shows. The studio
shows collections with the same cards (web/src/cards) and sends the same values.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from zlib import compress

from kumitate.model.errors import PuzzleError
from kumitate.model.found import Found
from kumitate.model.puzzle import Puzzle
from kumitate.output.cards import card_of
from kumitate.output.draw.booklet import piece_entries
from kumitate.output.draw.pictures import picture, svg_of
from kumitate.output.draw.sheet import sheet
from kumitate.output.page import html_page, pieces_scene, scene_data
from kumitate.output.scene import Body, Scene, scene_of

MOST_PUZZLES = 200  # of a page
MOST_BYTES = 5_000_000  # of their cards, pictures and contents
LIMITS = f"a gallery holds at most {MOST_PUZZLES} puzzles and {MOST_BYTES // 1_000_000} MB"


def picture_of(found: Found) -> str:
    """A puzzle as SVG: assembled, if a solution is kept with it."""
    solution = found.solution
    if solution is None:
        return svg_of(found.puzzle)
    return picture(scene_of(solution.assembly), colours=found.puzzle.colours)


def content_of(found: Found) -> dict[str, object]:
    """What an opened puzzle shows: a scene to play, its pieces as SVG, and its file."""
    puzzle, solution = found.puzzle, found.solution
    entries = [entry for one in puzzle.problems[:1] for entry in piece_entries(puzzle, one)]
    return {
        "scene": scene_data(scene_of(solution) if solution else _lying(puzzle)),
        "pieces": sheet(entries),
        "file": found.text,
    }


def _lying(puzzle: Puzzle) -> Scene:
    named = zip(puzzle.shapes, puzzle.identities, strict=True)
    return pieces_scene(puzzle.grid, [Body(shape, who.name, who.colour) for shape, who in named])


# ---- the page ----


def gallery_page(
    title: str,
    puzzles: Sequence[Found],
    total: int,
    progress: Callable[[int], None] = lambda count: None,
) -> tuple[str, int]:
    """A page with cards for the first of these puzzles, as many as it may hold, and how many.

    `total` is how many there are in the collection; `progress` is told how many cards are made.

    >>> from kumitate.library import library
    >>> found = Found(7, library["soma"], None, "{}")
    >>> text, shown = gallery_page("Cubes", [found] * 3, 3)
    >>> shown, text.count("<script")
    (3, 2)
    """
    cards: list[dict[str, object]] = []
    contents: list[str] = []
    size = 0
    for number, found in enumerate(puzzles[:MOST_PUZZLES], 1):
        card = replace(card_of(number, found), picture=_packed(picture_of(found)))
        content = _packed(json.dumps(content_of(found), separators=(",", ":")))
        size += len(json.dumps(asdict(card))) + len(content)
        if size > MOST_BYTES:
            break
        cards.append(asdict(card))
        contents.append(content)
        progress(number)
    if not cards:
        raise PuzzleError(f"{LIMITS}; the best puzzle alone is larger: export it as FILE/1")
    data = {"cards": cards, "contents": contents, "total": total}
    return html_page("gallery", data, title, toy=True), len(cards)


def _packed(text: str) -> str:
    """Text compressed (zlib), in letters that JSON leaves as they are."""
    return b64encode(compress(text.encode("utf-8", "replace"), 9)).decode()
