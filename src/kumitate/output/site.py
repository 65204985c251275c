"""A website of puzzles to play: a static folder for any web host, which then works offline.

The page is that of a gallery (gallery.py), but pictures and contents are files of their own, which
it fetches when they are shown. A service worker keeps all of it for the time without a network.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from hashlib import sha256

from kumitate.model.found import Found
from kumitate.output.cards import card_of
from kumitate.output.gallery import content_of, picture_of
from kumitate.output.page import html_page, kit_data, script_source
from kumitate.output.scene import scene_of


def site(title: str, puzzles: Sequence[Found]) -> dict[str, bytes]:
    """The files of a site by their paths; the hardest puzzle comes first.

    >>> from kumitate.library import library
    >>> sorted(site("Cubes", [Found(1, library["soma"], None, "{}")]))
    ['index.html', 'offline.js', 'pictures/1.svg', 'puzzles/1.json']
    """
    files: dict[str, bytes] = {}
    cards = []
    ranked = sorted(puzzles, key=_hardness, reverse=True)
    for number, found in enumerate(ranked, 1):
        by = f"by {found.puzzle.by}" if found.puzzle.by else found.puzzle.called or "Puzzle"
        card = card_of(number, found._replace(sample=number))
        cards.append(asdict(replace(card, comment=card.comment or by)))
        files[f"pictures/{number}.svg"] = picture_of(found).encode()
        files[f"puzzles/{number}.json"] = _content(found)
    data = {"cards": cards, "total": len(cards)}
    files["index.html"] = html_page("gallery", data, title, toy=True, site=True).encode()
    files["offline.js"] = offline_worker(files)
    return files


def _hardness(found: Found) -> tuple[int, int]:
    levels = found.solution.levels if found.solution else None
    return (levels.moves, levels.total) if levels else (0, 0)


def _content(found: Found) -> bytes:
    content = content_of(found)
    if found.solution:
        scene = scene_of(found.solution)
        assert isinstance(content["scene"], dict)
        content["scene"]["kit"] = kit_data(scene)
    return json.dumps(content, separators=(",", ":")).encode()


def offline_worker(files: dict[str, bytes]) -> bytes:
    """The service worker: it differs whenever a file does, so browsers fetch all of them anew."""
    version = sha256(b"".join(files[name] for name in sorted(files))).hexdigest()[:16]
    names = ["./", *sorted(files)]
    head = f"const VERSION={json.dumps(version)},FILES={json.dumps(names)};"
    return (head + script_source("offline.js")).encode()
