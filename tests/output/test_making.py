"""Options of how things are made are declared once: the library and the command line agree."""

import inspect
from dataclasses import fields

from kumitate import PrintOptions
from kumitate.cli.export import export as export_command
from kumitate.output.effects import effective
from kumitate.output.export import export, order_for
from kumitate.output.making import MAKE_OPTIONS
from kumitate.output.views import VIEWS

NAMES = {one.name for one in MAKE_OPTIONS}
OTHERS = {"what", "path", "show", "options", "puzzle", "force", "tell", "warn"}


def test_the_library_takes_them_all_and_no_others() -> None:
    keywords = set(inspect.signature(export).parameters) - OTHERS
    assert {one.name for one in fields(PrintOptions)} | keywords == NAMES
    assert set(inspect.signature(order_for).parameters) - OTHERS == keywords


def test_so_does_the_command_line() -> None:
    assert {one.name for one in export_command.params} >= NAMES
    helps = {one.name: getattr(one, "help", "") for one in export_command.params}
    assert all(helps[one.name] == one.help for one in MAKE_OPTIONS)


def test_each_has_an_effect_somewhere() -> None:
    acting = {n for suffix, views in VIEWS.items() for v in views for n in effective(suffix, v)}
    assert acting == NAMES
