"""The workshop: every option acts on the preview at once, and what is seen can be taken along."""

import re
import struct
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from PIL import Image
from tests.studio.conftest import Visit, shot
from tests.studio.test_page_accessible import faults

if TYPE_CHECKING:
    from playwright.sync_api import Download, Page

expect = pytest.importorskip("playwright.sync_api").expect

SOMA = "#/open?place=library/soma&at=make"
BURR = "#/open?place=library/six-piece-burr&at="


def facts(page: "Page") -> str:
    """What the page says about material and time, once the preview is there."""
    expect(page.get_by_role("region", name="Preview")).to_have_attribute("aria-busy", "false")
    return page.get_by_role("region", name="Material and time").inner_text()


def data_of(download: "Download") -> bytes:
    return Path(download.path()).read_bytes()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pieces_lie_on_the_bed_and_options_act_at_once(visit: Visit, scheme: str) -> None:
    page = visit(SOMA, color_scheme=scheme)
    assert "1 plate · 7 solids · cells of 17 mm" in facts(page)
    solid = float(re.search(r"([\d.]+) cm³", facts(page))[1])  # type: ignore[index]
    assert solid == pytest.approx(27 * 1.7**3, rel=0.05)
    shot(page, f"make-{scheme}")
    assert faults(page) == []
    if scheme == "dark":
        return
    page.get_by_label("Hollow, with walls of").fill("1.2")
    page.get_by_role("textbox", name="Bed").fill("60 x 60")
    expect(page.get_by_role("status").get_by_text("Making a preview")).to_have_count(0)
    expect(page.get_by_role("region", name="Material and time")).to_contain_text("7 plates")
    hollow = float(re.search(r"([\d.]+) cm³", facts(page))[1])  # type: ignore[index]
    assert hollow < solid / 2
    page.get_by_role("combobox", name="Material").select_option("Brass")
    grams = float(re.search(r"([\d,]+) g,", facts(page))[1].replace(",", ""))  # type: ignore[index]
    assert grams == pytest.approx(hollow * 8.5, rel=0.02)
    page.get_by_role("textbox", name="Bed").fill("60")
    expect(page.get_by_text("Enter two lengths")).to_be_visible()
    expect(page.get_by_role("button", name="Download")).to_be_disabled()
    page.get_by_role("textbox", name="Bed").fill("20 x 20")
    expect(page.get_by_role("alert")).to_contain_text("does not fit the bed of 20 x 20 mm")
    page.get_by_role("button", name="Reset the options").click()
    page.get_by_label("A file for each piece").check()
    page.get_by_label("Format").select_option(".stl")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    with ZipFile(BytesIO(data_of(waiting.value))) as pack:
        assert len(pack.namelist()) == 7


def test_sheets_sticks_and_a_booklet_are_drawn(visit: Visit) -> None:
    page = visit(BURR + "make")
    page.get_by_label("Sticks of wood").check()
    expect(page.get_by_role("img", name="Page 1 of 1")).to_be_visible()
    assert "m of stock" in facts(page)
    shot(page, "make-sticks")
    page.get_by_label("Format").select_option(".txt")
    expect(page.get_by_text("with 3 mm for each saw cut")).to_be_visible()
    page.get_by_label("Laser sheets").check()
    expect(page.get_by_role("img", name="Page 1 of")).to_be_visible()
    assert "m to cut" in facts(page)
    shot(page, "make-sheets")
    page.get_by_label("A booklet").check()
    expect(page.get_by_text("solve the puzzle first")).to_be_visible()
    page.get_by_role("button", name="Go to Solutions").click()
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("4")
    expect(page.get_by_role("img", name="Page 1 of")).to_be_visible()
    shot(page, "make-booklet")
    page.get_by_label("Pictures and film").check()
    expect(page.get_by_role("button", name="Save as PNG")).to_be_visible()
    pictures_and_film(page)


def pictures_and_film(page: "Page") -> None:
    expect(page.get_by_label("Time", exact=True)).to_be_visible()
    shot(page, "make-film")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as PNG").click()
    with Image.open(BytesIO(data_of(waiting.value))) as picture:
        alpha = picture.getchannel("A")
        assert alpha.getextrema() == (0, 255)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as SVG").click()
    svg = data_of(waiting.value).decode()
    assert svg.startswith("<svg")
    assert svg.count("<path") > 5
    page.get_by_role("button", name="Film as .webm").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Stop filming").click()
    film = data_of(waiting.value)
    assert waiting.value.suggested_filename.endswith(".webm")
    assert film.startswith(struct.pack(">I", 0x1A45DFA3))  # EBML, as WebM begins
