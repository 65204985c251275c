"""What a collection is to hold, in a line: the same on the command line and in the studio."""

from kumitate.model.numbers import count_of
from kumitate.store import Collection, DesignQuestion


def asked_of(collection: Collection) -> str:
    """What a search or a design looks for.

    >>> import kumitate, tempfile
    >>> from kumitate.jobs.design import search_into
    >>> path = tempfile.mkdtemp() + "/burrs.kumitate"
    >>> done = search_into(path, kumitate.burr6.Burrs("solid"), samples=1)
    >>> with kumitate.store.open_collection(path) as collection:
    ...     asked_of(collection)
    'six-piece burrs, solid sticks: unique solution, level 1 or more, seed 0'
    """
    if isinstance(collection.asked, DesignQuestion):
        return _designed(collection)
    asked, puzzle = collection.search, collection.puzzle
    if puzzle is None:
        family = f"six-piece burrs, {asked.burr} sticks"
    else:
        [problem] = puzzle.problems
        goal = problem.goal.name or "the goal"
        family = f"{goal} cut into {asked.cut} pieces" if asked.cut else f"some of {problem}"
        family += f", {count_of(asked.holes, 'hole')}" if asked.holes else ""
    number = "unique solution" if asked.unique else "any number of solutions"
    return f"{family}: {number}, level {asked.level} or more, seed {asked.seed}"


def _designed(collection: Collection) -> str:
    asked = collection.design
    name = asked.goal
    if not name:
        assert collection.puzzle is not None
        name = collection.puzzle.title or collection.puzzle.problems[0].goal.name or "a puzzle"
    words = []
    for wish, value in asked.wish.given.items():
        flag = wish.replace("_", " ")
        if value is True:
            words.append(flag)
        elif isinstance(value, tuple) and wish == "holes":
            words.append(f"{flag} {value[0]}..{value[1]}")
        else:
            text = ", ".join(map(str, value)) if isinstance(value, tuple) else f"{value:g}"
            words.append(f"{flag} {text}")
    words += [] if asked.wish.seed else ["seed 0"]
    return f"{name}: {', '.join(words)}"
