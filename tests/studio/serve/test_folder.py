"""The folder is safe: nothing outside it is reached, nothing in it is lost or hidden."""

import gzip
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.model.test_identity import painted

import kumitate
from kumitate import CUBES, Document, PuzzleError, library
from kumitate.model.palette import GOAL_COLOUR, PIECE_COLOURS
from kumitate.output.draw.marks import dark
from kumitate.studio.refusal import Refusal
from kumitate.studio.serve import gallery as gallery_module
from kumitate.studio.serve.folder import Folder, version_of
from kumitate.studio.serve.gallery import Gallery, find, puzzle_picture

SOMA = library["soma"]


def outside(tmp_path: Path) -> tuple[Folder, Path]:
    """A folder, and a puzzle outside it that must not be reached."""
    (tmp_path / "bench").mkdir()
    secret = tmp_path / "secret.kumitate.json"
    kumitate.save(SOMA, secret)
    return Folder(tmp_path / "bench"), secret


BAD = [
    "",
    ".",
    "..",
    "../secret.kumitate.json",
    "a/../../secret.kumitate.json",
    "./soma.kumitate.json",
    "a//soma.kumitate.json",
    "/etc/passwd",
    "/secret.kumitate.json",
    "//host/share/a.kumitate.json",
    "..\\secret.kumitate.json",
    "a\\..\\..\\secret.kumitate.json",
    "C:secret.kumitate.json",
    "C:/secret.kumitate.json",
    "C:\\secret.kumitate.json",
    "a.kumitate.json:stream.json",
    "a.kumitate.json\0.json",
    "\0",
    "a\n.kumitate.json",
    "a\x7f.kumitate.json",
    "\ud800.kumitate.json",
    ".hidden.kumitate.json",
    ".kumitate-studio/run.kumitate.json",
    "sub/.git/a.kumitate.json",
    "... /a.kumitate.json",
    "dir./a.kumitate.json",
    "dir /a.kumitate.json",
    "con.json",
    "NUL.kumitate.json",
    "sub/aux.json",
    "aux/a.kumitate.json",
    "COM1.xmpuzzle",
    "lpt9.scad",
    "a.txt",
    "a.kumitate",
    "soma.kumitate.json~",
    "a.kumitate.json ",
    "a.kumitate.json.",
    "kumitate.json/",
    "x" * 2000 + ".kumitate.json",
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
    assert kumitate.load(secret) == SOMA


@pytest.mark.parametrize(
    "name", ["%2e%2e/secret.kumitate.json", "..%2fsecret.kumitate.json", "…/a.json"]
)
def test_what_only_looks_like_a_way_out_is_a_name_like_others(name: str, tmp_path: Path) -> None:
    """It is not decoded a second time, so there is no such file."""
    folder, _ = outside(tmp_path)
    if name.startswith(".."):  # hidden, like everything that begins with a dot
        with pytest.raises(PuzzleError):
            folder.content(name)
        return
    with pytest.raises(Refusal) as caught:
        folder.content(name)
    assert caught.value.reason == "missing"


def test_folders_are_listed_six_deep_and_no_deeper(tmp_path: Path) -> None:
    place = tmp_path
    for depth in range(1, 8):
        place = place / f"{depth}"
        place.mkdir()
        kumitate.save(SOMA, place / "soma.kumitate.json")
    found, more = Folder(tmp_path).files()
    listed = {file.name for file in found}
    assert listed == {f"{'/'.join('1234567'[:n])}/soma.kumitate.json" for n in range(1, 7)}
    assert more == 0


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    folder, secret = outside(tmp_path)
    (folder.root / "link.kumitate.json").symlink_to(secret)
    (folder.root / "up").symlink_to(tmp_path)
    (folder.root / "round.kumitate.json").symlink_to("round.kumitate.json")
    (folder.root / "hidden").mkdir()
    (folder.root / ".secret").mkdir()
    kumitate.save(SOMA, folder.root / ".secret" / "a.kumitate.json")
    (folder.root / "hidden" / "a.kumitate.json").symlink_to("../.secret/a.kumitate.json")
    for name in (
        "link.kumitate.json",
        "up/secret.kumitate.json",
        "round.kumitate.json",
        "hidden/a.kumitate.json",
    ):
        with pytest.raises(PuzzleError):
            folder.content(name)
        with pytest.raises(PuzzleError):
            folder.save(name, version_of(secret.read_bytes()), replace(SOMA, title="mine"))
    assert [file.name for file in folder.files()[0]] == ["hidden/a.kumitate.json"]
    assert kumitate.load(secret) == SOMA


def test_links_within_the_folder_are_the_files_they_name(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    kumitate.save(SOMA, tmp_path / "soma.kumitate.json")
    (tmp_path / "same.kumitate.json").symlink_to("soma.kumitate.json")
    version = folder.content("same.kumitate.json").version
    folder.save("same.kumitate.json", version, replace(SOMA, title="changed"))
    assert (tmp_path / "same.kumitate.json").is_symlink()
    assert kumitate.load(tmp_path / "soma.kumitate.json").title == "changed"


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "folder.kumitate.json").mkdir()
    os.mkfifo(tmp_path / "pipe.kumitate.json")
    folder = Folder(tmp_path)
    for name in ("folder.kumitate.json", "pipe.kumitate.json"):
        with pytest.raises(PuzzleError, match="not a file"):
            folder.content(name)
    assert folder.files() == ([], 0)


# ---- saving ----


def saved(folder: Folder, name: str = "soma.kumitate.json") -> str:
    return folder.save(name, "", SOMA)[0]


def test_a_saved_puzzle_is_there_with_its_version(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    version = saved(folder)
    assert folder.content("soma.kumitate.json").version == version
    assert kumitate.load(tmp_path / "soma.kumitate.json") == SOMA
    again, warnings = folder.save("soma.kumitate.json", version, SOMA)
    assert (again, warnings) == (version, [])


@pytest.mark.parametrize(
    "name",
    ["a.kumitate.json", "a.kumitate.json.gz", "a.json", "A.XMPUZZLE", "a.xmpuzzle", "a.scad"],
)
def test_every_format_can_be_saved_and_opened(name: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    version, warnings = folder.save(name, "", SOMA)
    document, found = find(folder, f"folder/{name}")
    assert found == version
    assert len(document.puzzle.shapes) == len(SOMA.shapes)
    assert bool(warnings) == name.lower().endswith("xmpuzzle")  # that format has no title


def test_two_who_save_do_not_lose_each_others_work(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    opened = saved(folder)
    folder.save("soma.kumitate.json", opened, replace(SOMA, title="first"))
    with pytest.raises(Refusal) as caught:
        folder.save("soma.kumitate.json", opened, replace(SOMA, title="second"))
    assert caught.value.reason == "conflict"
    assert str(caught.value) == (
        "soma.kumitate.json was changed elsewhere since you opened it;"
        " save it under another name, or reload it"
    )
    assert kumitate.load(tmp_path / "soma.kumitate.json").title == "first"


def test_a_new_name_must_be_free_and_an_old_one_still_there(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    version = saved(folder)
    with pytest.raises(Refusal, match="already exists; choose another name"):
        folder.save("soma.kumitate.json", "", SOMA)
    (tmp_path / "soma.kumitate.json").unlink()
    with pytest.raises(Refusal, match="was deleted since you opened it") as caught:
        folder.save("soma.kumitate.json", version, SOMA)
    assert caught.value.reason == "conflict"


def test_the_backup_is_the_file_from_before_the_studio(tmp_path: Path) -> None:
    """However often it is saved later; and a change by another program is backed up too."""
    path, backup = tmp_path / "soma.kumitate.json", tmp_path / "soma.kumitate.json~"
    kumitate.save(SOMA, path)
    mine = path.read_bytes()
    folder = Folder(tmp_path)
    version = version_of(mine)
    for title in ("one", "two", "three"):
        version, _ = folder.save("soma.kumitate.json", version, replace(SOMA, title=title))
        assert backup.read_bytes() == mine
    kumitate.save(replace(SOMA, title="by another program"), path)
    other = path.read_bytes()
    folder.save("soma.kumitate.json", version_of(other), SOMA)
    assert backup.read_bytes() == other
    assert [file.name for file in folder.files()[0]] == ["soma.kumitate.json"]


def test_who_may_read_a_file_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "soma.kumitate.json"
    kumitate.save(SOMA, path)
    path.chmod(0o600)
    folder = Folder(tmp_path)
    folder.save("soma.kumitate.json", folder.content("soma.kumitate.json").version, library["y25"])
    assert path.stat().st_mode & 0o777 == 0o600


def test_solutions_stay_in_the_file_while_their_problem_stays(tmp_path: Path) -> None:
    path = tmp_path / "soma.kumitate.json"
    [problem] = SOMA.problems
    answers = kumitate.Answers([kumitate.Solution(next(kumitate.assemble(problem)))], 240, None)
    kumitate.write(Document(SOMA, [answers]), path)
    folder = Folder(tmp_path)
    version = folder.content(path.name).version
    version, warnings = folder.save(path.name, version, replace(SOMA, title="other title"))
    assert warnings == []
    assert kumitate.read(path).answers == (answers,)
    red = painted(SOMA, 0, "#ff0000")
    version, warnings = folder.save(path.name, version, red)
    assert warnings == []
    [kept] = kumitate.read(path).answers
    assert kept is not None
    assert kept.solutions[0].assembly.problem == red.problems[0]
    harder = replace(SOMA, problems=[replace(problem, max_holes=0)])
    _, warnings = folder.save(path.name, version, harder)
    assert warnings == ["the solutions saved for 3x3x3 are not kept: the problem has changed"]
    assert kumitate.read(path).answers == (None,)


KILLED = """
import os, sys
from pathlib import Path
from kumitate import library
from kumitate.studio.serve.folder import Folder

folder = Folder(Path(sys.argv[1]))
version = folder.content("soma.kumitate.json").version
rename = os.replace
def die(source, target):
    if str(target).endswith(".json"):  # not the backup, which comes first
        os.kill(os.getpid(), 9)
    rename(source, target)
os.replace = die
folder.save("soma.kumitate.json", version, library["bedlam"])
"""


def test_a_kill_between_write_and_rename_leaves_the_old_file(tmp_path: Path) -> None:
    kumitate.save(SOMA, tmp_path / "soma.kumitate.json")
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], timeout=60)
    assert done.returncode == -9
    assert kumitate.load(tmp_path / "soma.kumitate.json") == SOMA
    folder = Folder(tmp_path)
    assert [file.name for file in folder.files()[0]] == ["soma.kumitate.json"]
    [left] = [p for p in tmp_path.iterdir() if p.name.startswith(".")]
    assert kumitate.files.decode(left.read_bytes()).puzzle == library["bedlam"]
    folder.save("soma.kumitate.json", folder.content("soma.kumitate.json").version, library["y25"])
    assert kumitate.load(tmp_path / "soma.kumitate.json") == library["y25"]


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="there is no folder"):
        Folder(tmp_path / "nowhere")
    with pytest.raises(PuzzleError, match="there is no folder"):
        Folder(tmp_path).save("nowhere/a.kumitate.json", "", SOMA)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_leave_to_write_opens_but_does_not_save(tmp_path: Path) -> None:
    kumitate.save(SOMA, tmp_path / "soma.kumitate.json")
    tmp_path.chmod(0o500)
    folder = Folder(tmp_path)
    assert not folder.is_writable("soma.kumitate.json")
    with pytest.raises(PuzzleError, match="permission denied"):
        folder.save("soma.kumitate.json", folder.content("soma.kumitate.json").version, SOMA)
    tmp_path.chmod(0o700)


def test_source_for_puzzlecad_is_not_written_over_unasked(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    (tmp_path / "a.scad").write_text('burr_plate([["xx|x."]]); // and much else', "utf-8")
    assert not folder.is_writable("a.scad")


# ---- the list ----


def test_the_list_shows_puzzles_and_only_those(tmp_path: Path) -> None:
    sub = tmp_path / "more" / "deeper"
    sub.mkdir(parents=True)
    hidden = tmp_path / ".kumitate-studio"
    hidden.mkdir()
    kumitate.save(SOMA, tmp_path / "soma.kumitate.json")
    kumitate.save(library["bedlam"], sub / "plain.json")
    kumitate.save(SOMA, hidden / "x.kumitate.json")
    kumitate.solve_into(tmp_path / "run.kumitate", library["slothouber-graatsma"])
    (tmp_path / "package.json").write_text('{"name": "no puzzle"}')
    (tmp_path / "data.json.gz").write_bytes(gzip.compress(b"[1, 2]"))
    (tmp_path / "bracket.scad").write_text("cube(10);")
    (tmp_path / "notes.txt").write_text("nothing")
    cards, more = Gallery(Folder(tmp_path)).cards()
    assert {card.place: (card.title, card.error) for card in cards} == {
        "folder/soma.kumitate.json": ("Soma cube", ""),
        "folder/more/deeper/plain.json": ("Bedlam cube", ""),
    }
    assert more == 0


def test_the_latest_comes_first(tmp_path: Path) -> None:
    for age, name in enumerate(["new", "middle", "old"]):
        path = tmp_path / f"{name}.kumitate.json"
        kumitate.save(replace(SOMA, title=""), path)
        os.utime(path, (1e9 - age, 1e9 - age))
    cards, _ = Gallery(Folder(tmp_path)).cards()
    assert [(card.title, card.modified) for card in cards] == [
        ("new", 1e9),
        ("middle", 1e9 - 1),
        ("old", 1e9 - 2),
    ]


def test_broken_files_are_shown_with_what_is_wrong(tmp_path: Path) -> None:
    whole = kumitate.files.encode(Document(SOMA), "a.xmpuzzle")[0]
    (tmp_path / "cut.xmpuzzle").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "empty.kumitate.json").write_bytes(b"")
    (tmp_path / "newer.json").write_text('{"kumitate": 99}')
    (tmp_path / "oops.json").write_text('{"kumitate": 1, "shapes": 5}')
    (tmp_path / "huge.kumitate.json").write_bytes(b" " * 16_000_001)
    (tmp_path / "a:b.kumitate.json").write_bytes(whole)
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
        with open(os.fsencode(tmp_path) + b"/\xff.kumitate.json", "wb") as file:
            file.write(b"{}")
    except OSError:
        pytest.skip("this system has no such names")
    assert Gallery(Folder(tmp_path)).cards() == ([], 1)


def test_a_changed_file_gets_a_new_card_and_a_new_picture(tmp_path: Path) -> None:
    gallery = Gallery(Folder(tmp_path))
    path = tmp_path / "a.kumitate.json"
    kumitate.save(SOMA, path)
    [[before], _] = gallery.cards()
    kumitate.save(library["bedlam"], path)
    [[after], _] = gallery.cards()
    assert (before.title, after.title) == ("Soma cube", "Bedlam cube")
    assert before.picture != after.picture
    path.unlink()
    assert gallery.cards() == ([], 0)


def test_hundreds_of_files_are_read_once(tmp_path: Path) -> None:
    """The second listing takes a tenth of the time of the first, or a twentieth of a second."""
    for number in range(300):
        name = tmp_path / f"{number}.xmpuzzle"
        name.write_bytes(kumitate.files.encode(Document(SOMA), name.name)[0])
    gallery = Gallery(Folder(tmp_path))
    times = []
    for _ in range(2):
        start = time.process_time()
        cards, more = gallery.cards(patience=60)
        times.append(time.process_time() - start)
        assert (len(cards), more) == (300, 0)
    assert times[1] < max(times[0] / 10, 0.05)


def test_what_cannot_be_read_in_time_shows_its_name_and_is_read_meanwhile(tmp_path: Path) -> None:
    content = kumitate.files.encode(Document(SOMA), "soma.kumitate.json")[0]
    for number in range(300):
        (tmp_path / f"{number}.kumitate.json").write_bytes(content)
    gallery = Gallery(Folder(tmp_path))
    titles = {card.title for card in gallery.cards(patience=-1.0)[0]}
    assert titles - {"Soma cube"} <= {str(number) for number in range(300)}
    assert len(titles) > 1  # some may have been read by then
    until = time.monotonic() + 60
    while titles != {"Soma cube"} and time.monotonic() < until:
        time.sleep(0.02)
        titles = {card.title for card in gallery.cards(patience=-1.0)[0]}
    assert titles == {"Soma cube"}


def test_one_file_that_takes_long_does_not_hold_up_the_others(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    goal = kumitate.Shape(CUBES, {(x, y, 0, 0) for x in range(300) for y in range(300)})
    kumitate.save(kumitate.Puzzle(CUBES, [goal], title="large"), tmp_path / "slow.kumitate.json")
    start = time.process_time()
    find(folder, "folder/slow.kumitate.json")
    took = time.process_time() - start
    gallery = Gallery(folder)
    [card] = gallery.cards(patience=took / 20)[0]
    assert card.title == "slow"  # it is being read
    [card] = gallery.cards(patience=60)[0]
    assert card.title == "large"


def test_a_great_many_files_are_not_all_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gallery_module, "MOST_CARDS", 3)
    for number in range(5):
        kumitate.save(SOMA, tmp_path / f"{number}.kumitate.json")
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
    """Pieces in their colours; the goal if there is no assembly; the shapes without a problem."""
    [problem] = SOMA.problems
    drawn = puzzle_picture(SOMA)
    assert drawn.startswith("<svg ")
    assert dark(GOAL_COLOUR) not in drawn
    assert sum(dark(colour) in drawn for colour in PIECE_COLOURS[:7]) >= 5  # those that are visible
    hopeless = replace(problem, pieces=problem.pieces[:6])
    assert dark(GOAL_COLOUR) in puzzle_picture(replace(SOMA, problems=[hopeless]))
    assert ">Soma cube<" in puzzle_picture(replace(SOMA, problems=()))
    assert puzzle_picture(kumitate.Puzzle(CUBES)).startswith("<svg ")
