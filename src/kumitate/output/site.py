"""A website of puzzles to play: a static folder for any web host, which then works offline.

The page is that of a gallery (gallery.py), but pictures and contents are files of their own, which
it fetches when they are shown. A service worker keeps all of it for the time without a network.

A studio in the folder `studio` has a service worker of its own, and so the puzzles that it opens,
under names that change with their content: what was drawn on one is never taken for another.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any

from kumitate.model.found import Found
from kumitate.output.cards import card_of
from kumitate.output.gallery import content_of, picture_of
from kumitate.output.page import html_page, kit_data, script_source
from kumitate.output.scene import scene_of


def site(
    title: str, puzzles: Sequence[Found], studio: Mapping[str, bytes] | None = None
) -> dict[str, bytes]:
    """The files of a site by their paths; the hardest puzzle comes first.

    `studio` has the files of a studio, in which the site's puzzles can be opened.

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
    data: dict[str, Any] = {"cards": cards, "total": len(cards)}
    if studio is not None:
        texts = [found.text.encode() for found in ranked]
        names = [f"{sha256(text).hexdigest()[:16]}.kumitate.json" for text in texts]
        data["studio"] = [f"studio/#/site/{name}" for name in names]
        opened = {f"puzzles/{name}": text for name, text in zip(names, texts, strict=True)}
        files |= {f"studio/{path}": data for path, data in offline({**studio, **opened}).items()}
    files["index.html"] = html_page("gallery", data, title, toy=True, site=True).encode()
    return offline(files)


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


def offline(files: dict[str, bytes]) -> dict[str, bytes]:
    """These files and their service worker: it differs whenever a file does, so browsers see it."""
    version = sha256(b"".join(files[name] for name in sorted(files))).hexdigest()[:16]
    names = ["./", *sorted(files)]
    head = f"const VERSION={json.dumps(version)},FILES={json.dumps(names)};"
    return {**files, "offline.js": (head + script_source("offline.js")).encode()}
