"""The folder keeps what is in it: nothing outside is reached, nothing is lost or hidden."""

import gzip
import os
import subprocess
import sys
import time
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

import kumiki
from kumiki import CUBES, Document, PuzzleError, library
from kumiki.model.palette import PIECE_COLOURS
from kumiki.output.drawing import dark
from kumiki.output.svg import GOAL_COLOUR
from kumiki.studio import gallery as gallery_module
from kumiki.studio.folder import Folder, version_of
from kumiki.studio.gallery import Gallery, find, puzzle_picture
from kumiki.studio.refusal import Refusal

SOMA = library["soma"]


def outside(tmp_path: Path) -> tuple[Folder, Path]:
    """A folder, and a puzzle beside it that must not be reached."""
    (tmp_path / "bench").mkdir()
    secret = tmp_path / "secret.kumiki.json"
    kumiki.save(SOMA, secret)
    return Folder(tmp_path / "bench"), secret


BAD = [
    "",
    ".",
    "..",
    "../secret.kumiki.json",
    "a/../../secret.kumiki.json",
    "./soma.kumiki.json",
    "a//soma.kumiki.json",
    "/etc/passwd",
    "/secret.kumiki.json",
    "//host/share/a.kumiki.json",
    "..\\secret.kumiki.json",
    "a\\..\\..\\secret.kumiki.json",
    "C:secret.kumiki.json",
    "C:/secret.kumiki.json",
    "C:\\secret.kumiki.json",
    "a.kumiki.json:stream.json",
    "a.kumiki.json\0.json",
    "\0",
    "a\n.kumiki.json",
    "a\x7f.kumiki.json",
    "\ud800.kumiki.json",
    ".hidden.kumiki.json",
    ".kumiki-studio/run.kumiki.json",
    "sub/.git/a.kumiki.json",
    "... /a.kumiki.json",
    "dir./a.kumiki.json",
    "dir /a.kumiki.json",
    "con.json",
    "NUL.kumiki.json",
    "sub/aux.json",
    "aux/a.kumiki.json",
    "COM1.xmpuzzle",
    "lpt9.scad",
    "a.txt",
    "a.kumiki",
    "soma.kumiki.json~",
    "a.kumiki.json ",
    "a.kumiki.json.",
    "kumiki.json/",
    "x" * 2000 + ".kumiki.json",
]


@pytest.mark.parametrize("name", BAD, ids=lambda name: repr(name[:30]))
def test_a_bad_place_is_refused_for_reading_and_for_writing(name: str, tmp_path: Path) -> None:
    folder, secret = outside(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    for act in (
        lambda: folder.content(name),
        lambda: folder.save(name, "", SOMA),
        lambda: folder.is_writable(name),
        lambda: find(folder, f"folder/{name}"),
    ):
        with pytest.raises(PuzzleError):
            act()
    assert sorted(tmp_path.rglob("*")) == before
    assert kumiki.load(secret) == SOMA


@pytest.mark.parametrize(
    "name", ["%2e%2e/secret.kumiki.json", "..%2fsecret.kumiki.json", "…/a.json"]
)
def test_what_only_looks_like_a_way_out_is_a_name_like_others(name: str, tmp_path: Path) -> None:
    """Nobody decodes it a second time; so there is no such file."""
    folder, _ = outside(tmp_path)
    if name.startswith(".."):  # hidden, like all that begins with a dot
        with pytest.raises(PuzzleError):
            folder.content(name)
        return
    with pytest.raises(Refusal) as caught:
        folder.content(name)
    assert caught.value.reason == "missing"


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    folder, secret = outside(tmp_path)
    (folder.root / "link.kumiki.json").symlink_to(secret)
    (folder.root / "up").symlink_to(tmp_path)
    (folder.root / "round.kumiki.json").symlink_to("round.kumiki.json")
    (folder.root / "hidden").mkdir()
    (folder.root / ".secret").mkdir()
    kumiki.save(SOMA, folder.root / ".secret" / "a.kumiki.json")
    (folder.root / "hidden" / "a.kumiki.json").symlink_to("../.secret/a.kumiki.json")
    for name in (
        "link.kumiki.json",
        "up/secret.kumiki.json",
        "round.kumiki.json",
        "hidden/a.kumiki.json",
    ):
        with pytest.raises(PuzzleError):
            folder.content(name)
        with pytest.raises(PuzzleError):
            folder.save(name, version_of(secret.read_bytes()), replace(SOMA, title="mine"))
    assert [file.name for file in folder.files()[0]] == ["hidden/a.kumiki.json"]
    assert kumiki.load(secret) == SOMA


def test_links_within_the_folder_are_the_files_they_name(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    kumiki.save(SOMA, tmp_path / "soma.kumiki.json")
    (tmp_path / "same.kumiki.json").symlink_to("soma.kumiki.json")
    version = folder.content("same.kumiki.json").version
    folder.save("same.kumiki.json", version, replace(SOMA, title="changed"))
    assert (tmp_path / "same.kumiki.json").is_symlink()
    assert kumiki.load(tmp_path / "soma.kumiki.json").title == "changed"


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "folder.kumiki.json").mkdir()
    os.mkfifo(tmp_path / "pipe.kumiki.json")
    folder = Folder(tmp_path)
    for name in ("folder.kumiki.json", "pipe.kumiki.json"):
        with pytest.raises(PuzzleError, match="not a file"):
            folder.content(name)
    assert folder.files() == ([], 0)


# ---- saving ----


def saved(folder: Folder, name: str = "soma.kumiki.json") -> str:
    return folder.save(name, "", SOMA)[0]


def test_a_saved_puzzle_is_there_with_its_version(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    version = saved(folder)
    assert folder.content("soma.kumiki.json").version == version
    assert kumiki.load(tmp_path / "soma.kumiki.json") == SOMA
    again, warnings = folder.save("soma.kumiki.json", version, SOMA)
    assert (again, warnings) == (version, [])


@pytest.mark.parametrize(
    "name", ["a.kumiki.json", "a.kumiki.json.gz", "a.json", "A.XMPUZZLE", "a.xmpuzzle", "a.scad"]
)
def test_every_format_can_be_saved_and_opened(name: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    version, warnings = folder.save(name, "", SOMA)
    document, found = find(folder, f"folder/{name}")
    assert found == version
    assert len(document.puzzle.shapes) == len(SOMA.shapes)
    assert bool(warnings) == name.lower().endswith("xmpuzzle")  # which has no title


def test_two_who_save_do_not_lose_each_others_work(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    opened = saved(folder)
    folder.save("soma.kumiki.json", opened, replace(SOMA, title="first"))
    with pytest.raises(Refusal) as caught:
        folder.save("soma.kumiki.json", opened, replace(SOMA, title="second"))
    assert caught.value.reason == "conflict"
    assert str(caught.value) == (
        "soma.kumiki.json was changed elsewhere since you opened it;"
        " save under another name, or reload"
    )
    assert kumiki.load(tmp_path / "soma.kumiki.json").title == "first"


def test_a_new_name_must_be_free_and_an_old_one_still_there(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    version = saved(folder)
    with pytest.raises(Refusal, match="exists already; choose another name"):
        folder.save("soma.kumiki.json", "", SOMA)
    (tmp_path / "soma.kumiki.json").unlink()
    with pytest.raises(Refusal, match="was removed since you opened it") as caught:
        folder.save("soma.kumiki.json", version, SOMA)
    assert caught.value.reason == "conflict"


def test_the_backup_is_the_file_from_before_the_studio(tmp_path: Path) -> None:
    """However often it is saved since; and what another program wrote between is kept, too."""
    path, backup = tmp_path / "soma.kumiki.json", tmp_path / "soma.kumiki.json~"
    kumiki.save(SOMA, path)
    mine = path.read_bytes()
    folder = Folder(tmp_path)
    version = version_of(mine)
    for title in ("one", "two", "three"):
        version, _ = folder.save("soma.kumiki.json", version, replace(SOMA, title=title))
        assert backup.read_bytes() == mine
    kumiki.save(replace(SOMA, title="by another program"), path)
    other = path.read_bytes()
    folder.save("soma.kumiki.json", version_of(other), SOMA)
    assert backup.read_bytes() == other
    assert [file.name for file in folder.files()[0]] == ["soma.kumiki.json"]


def test_who_may_read_a_file_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "soma.kumiki.json"
    kumiki.save(SOMA, path)
    path.chmod(0o600)
    folder = Folder(tmp_path)
    folder.save("soma.kumiki.json", folder.content("soma.kumiki.json").version, library["y25"])
    assert path.stat().st_mode & 0o777 == 0o600


def test_solutions_stay_in_the_file_while_their_problem_stays(tmp_path: Path) -> None:
    path = tmp_path / "soma.kumiki.json"
    [problem] = SOMA.problems
    answers = kumiki.Answers([kumiki.Solution(next(kumiki.assemble(problem)))], 240, None)
    kumiki.write(Document(SOMA, [answers]), path)
    folder = Folder(tmp_path)
    version = folder.content(path.name).version
    version, warnings = folder.save(path.name, version, replace(SOMA, title="other title"))
    assert warnings == []
    assert kumiki.read(path).answers == (answers,)
    harder = replace(SOMA, problems=[replace(problem, max_holes=0)])
    _, warnings = folder.save(path.name, version, harder)
    assert warnings == ["the solutions saved for 3x3x3 are not kept: the problem has changed since"]
    assert kumiki.read(path).answers == (None,)


KILLED = """
import os, sys
from pathlib import Path
from kumiki import library
from kumiki.studio.folder import Folder

folder = Folder(Path(sys.argv[1]))
version = folder.content("soma.kumiki.json").version
rename = os.replace
def die(source, target):
    if str(target).endswith(".json"):  # not the backup, which comes first
        os.kill(os.getpid(), 9)
    rename(source, target)
os.replace = die
folder.save("soma.kumiki.json", version, library["bedlam"])
"""


def test_a_kill_between_write_and_rename_leaves_the_old_file(tmp_path: Path) -> None:
    kumiki.save(SOMA, tmp_path / "soma.kumiki.json")
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], timeout=60)
    assert done.returncode == -9
    assert kumiki.load(tmp_path / "soma.kumiki.json") == SOMA
    folder = Folder(tmp_path)
    assert [file.name for file in folder.files()[0]] == ["soma.kumiki.json"]
    [left] = [p for p in tmp_path.iterdir() if p.name.startswith(".")]
    assert kumiki.files.decode(left.read_bytes()).puzzle == library["bedlam"]
    folder.save("soma.kumiki.json", folder.content("soma.kumiki.json").version, library["y25"])
    assert kumiki.load(tmp_path / "soma.kumiki.json") == library["y25"]


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="there is no folder"):
        Folder(tmp_path / "nowhere")
    with pytest.raises(PuzzleError, match="there is no folder"):
        Folder(tmp_path).save("nowhere/a.kumiki.json", "", SOMA)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_leave_to_write_opens_but_does_not_save(tmp_path: Path) -> None:
    kumiki.save(SOMA, tmp_path / "soma.kumiki.json")
    tmp_path.chmod(0o500)
    folder = Folder(tmp_path)
    assert not folder.is_writable("soma.kumiki.json")
    with pytest.raises(PuzzleError, match="permission denied"):
        folder.save("soma.kumiki.json", folder.content("soma.kumiki.json").version, SOMA)
    tmp_path.chmod(0o700)


def test_source_for_puzzlecad_is_not_written_over_unasked(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    (tmp_path / "a.scad").write_text('burr_plate([["xx|x."]]); // and much else', "utf-8")
    assert not folder.is_writable("a.scad")


# ---- the list ----


def test_the_list_shows_puzzles_and_only_those(tmp_path: Path) -> None:
    sub = tmp_path / "more" / "deeper"
    sub.mkdir(parents=True)
    hidden = tmp_path / ".kumiki-studio"
    hidden.mkdir()
    kumiki.save(SOMA, tmp_path / "soma.kumiki.json")
    kumiki.save(library["bedlam"], sub / "plain.json")
    kumiki.save(SOMA, hidden / "x.kumiki.json")
    kumiki.solve_into(tmp_path / "run.kumiki", library["slothouber-graatsma"])
    (tmp_path / "package.json").write_text('{"name": "no puzzle"}')
    (tmp_path / "data.json.gz").write_bytes(gzip.compress(b"[1, 2]"))
    (tmp_path / "bracket.scad").write_text("cube(10);")
    (tmp_path / "notes.txt").write_text("nothing")
    cards, more = Gallery(Folder(tmp_path)).cards()
    assert {card.place: (card.title, card.error) for card in cards} == {
        "folder/soma.kumiki.json": ("Soma cube", ""),
        "folder/more/deeper/plain.json": ("Bedlam cube", ""),
    }
    assert more == 0


def test_the_latest_comes_first(tmp_path: Path) -> None:
    for age, name in enumerate(["new", "middle", "old"]):
        path = tmp_path / f"{name}.kumiki.json"
        kumiki.save(replace(SOMA, title=""), path)
        os.utime(path, (1e9 - age, 1e9 - age))
    cards, _ = Gallery(Folder(tmp_path)).cards()
    assert [(card.title, card.modified) for card in cards] == [
        ("new", 1e9),
        ("middle", 1e9 - 1),
        ("old", 1e9 - 2),
    ]


def test_broken_files_are_shown_with_what_is_wrong(tmp_path: Path) -> None:
    whole = kumiki.files.encode(Document(SOMA), "a.xmpuzzle")[0]
    (tmp_path / "cut.xmpuzzle").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "empty.kumiki.json").write_bytes(b"")
    (tmp_path / "newer.json").write_text('{"kumiki": 99}')
    (tmp_path / "oops.json").write_text('{"kumiki": 1, "shapes": 5}')
    (tmp_path / "huge.kumiki.json").write_bytes(b" " * 16_000_001)
    (tmp_path / "a:b.kumiki.json").write_bytes(whole)
    cards, more = Gallery(Folder(tmp_path)).cards()
    errors = {card.title: card.error for card in cards}
    assert errors.keys() == {"cut", "empty", "newer", "oops", "huge", "a:b"}
    assert all(errors.values())
    assert "the file is empty" in errors["empty"]
    assert "format version 99" in errors["newer"]
    assert "larger than 16 MB" in errors["huge"]
    assert "use a plain name" in errors["a:b"]
    assert more == 0


def test_names_that_are_no_text_are_counted(tmp_path: Path) -> None:
    try:
        with open(os.fsencode(tmp_path) + b"/\xff.kumiki.json", "wb") as file:
            file.write(b"{}")
    except OSError:
        pytest.skip("this system has no such names")
    assert Gallery(Folder(tmp_path)).cards() == ([], 1)


def test_a_changed_file_gets_a_new_card_and_a_new_picture(tmp_path: Path) -> None:
    gallery = Gallery(Folder(tmp_path))
    path = tmp_path / "a.kumiki.json"
    kumiki.save(SOMA, path)
    [[before], _] = gallery.cards()
    kumiki.save(library["bedlam"], path)
    [[after], _] = gallery.cards()
    assert (before.title, after.title) == ("Soma cube", "Bedlam cube")
    assert before.picture != after.picture
    path.unlink()
    assert gallery.cards() == ([], 0)


def test_hundreds_of_files_are_read_once(tmp_path: Path) -> None:
    """The second list takes a tenth of the first, or a twentieth of a second."""
    for number in range(300):
        name = tmp_path / f"{number}.xmpuzzle"
        name.write_bytes(kumiki.files.encode(Document(SOMA), name.name)[0])
    gallery = Gallery(Folder(tmp_path))
    times = []
    for _ in range(2):
        start = time.process_time()
        cards, more = gallery.cards(patience=inf)
        times.append(time.process_time() - start)
        assert (len(cards), more) == (300, 0)
    assert times[1] < max(times[0] / 10, 0.05)


def test_what_cannot_be_read_in_time_shows_its_name_and_is_read_meanwhile(tmp_path: Path) -> None:
    for number in range(20):
        kumiki.save(SOMA, tmp_path / f"{number}.kumiki.json")
    gallery = Gallery(Folder(tmp_path))
    titles = {card.title for card in gallery.cards(patience=-1.0)[0]}
    assert titles == {str(number) for number in range(20)}
    until = time.monotonic() + 20
    while titles != {"Soma cube"} and time.monotonic() < until:
        time.sleep(0.02)
        titles = {card.title for card in gallery.cards(patience=-1.0)[0]}
    assert titles == {"Soma cube"}


def test_a_great_many_files_are_not_all_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gallery_module, "MOST_CARDS", 3)
    for number in range(5):
        kumiki.save(SOMA, tmp_path / f"{number}.kumiki.json")
    cards, more = Gallery(Folder(tmp_path)).cards()
    assert (len(cards), more) == (3, 2)


def test_cards_say_what_kind_of_puzzle_it_is() -> None:
    kinds = {name: gallery_module.library_card(name).kind for name in library}
    assert kinds["soma"] == "packing"
    assert kinds["kanoodle-pyramid"] == "balls"
    assert kinds["kanoodle"] == "flat"
    assert kinds["six-piece-burr"] == kinds["eighteen-piece-burr"] == "burr"
    assert kinds["maze-box"] == kinds["evolved-box"] == "interlocking"
    known = {name: gallery_module.library_card(name).known for name in library}
    assert known["soma"] == "240 assemblies"
    assert known["maze-box"] == "1 assembly, level 144.144"
    assert known["pentominoes"] == "2 to 3,940 assemblies"
    assert known["y25"] == "has an assembly"
    assert gallery_module.library_card("conway").pieces == 18


def test_a_picture_shows_the_puzzle_put_together() -> None:
    """Pieces in their colours; what has no assembly shows its goal, no problem the shapes."""
    [problem] = SOMA.problems
    drawn = puzzle_picture(SOMA)
    assert drawn.startswith("<svg ")
    assert dark(GOAL_COLOUR) not in drawn
    assert sum(dark(colour) in drawn for colour in PIECE_COLOURS[:7]) >= 5  # those in front
    hopeless = replace(problem, pieces=problem.pieces[:6])
    assert dark(GOAL_COLOUR) in puzzle_picture(replace(SOMA, problems=[hopeless]))
    assert ">Soma cube<" in puzzle_picture(replace(SOMA, problems=()))
    assert puzzle_picture(kumiki.Puzzle(CUBES)).startswith("<svg ")
