"""kumitate studio: the workbench in the browser."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumitate.cli.arguments import Whole, any_puzzle_argument, open_puzzle
from kumitate.model.errors import PuzzleError

if TYPE_CHECKING:
    from kumitate.studio.serve.folder import Folder


@click.command()
@any_puzzle_argument
@click.option(
    "--folder",
    metavar="DIR",
    help="Folder whose puzzles are listed and saved. Default: the current one.",
)
@click.option(
    "--port",
    type=Whole(0, 65535),
    metavar="N",
    help="Port to serve on. Default: 8642, or the next free one.",
)
@click.option(
    "--host",
    metavar="ADDR",
    default="127.0.0.1",
    help="Listen on this address, so that other machines can connect. Default: this machine only.",
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def studio(
    puzzle: str | None, folder: str | None, port: int | None, host: str, no_browser: bool
) -> None:
    """Open the studio in the browser, e.g. kumitate studio soma

    Unless you give --host, only this machine can reach it, and only at the address it prints.
    Ctrl-C stops it.
    """
    import secrets

    from kumitate.studio.serve.http import Studio
    from kumitate.studio.serve.server import Server, listen

    bench, place = _meant(puzzle, folder)
    socket = listen(host, port)
    token = secrets.token_urlsafe(24)
    bound, port, *_ = socket.getsockname()
    address = _address(bound if host == "localhost" else host, port, token, place)
    click.echo(address)
    click.echo(f"the studio serves {bench.root}; Ctrl-C ends it", err=True)
    if host not in ("127.0.0.1", "localhost", "::1"):
        click.echo("anyone with this address can change the files in this folder", err=True)
    if host in ("0.0.0.0", "::"):
        click.echo(
            "to open it on another machine, replace the host in the address with this machine's"
            " name or IP address",
            err=True,
        )
    if not no_browser:
        _show(address)
    try:
        Server(Studio(bench), token, host).run([socket])
    except KeyboardInterrupt:
        click.echo("the studio has ended", err=True)


def _meant(puzzle: str | None, folder: str | None) -> "tuple[Folder, str]":
    """The folder to serve, and the place of the puzzle in it or in the library."""
    from kumitate.store import is_collection
    from kumitate.studio.serve.folder import Folder

    if puzzle is None:
        return Folder(Path(folder or ".")), ""
    file = Path(puzzle)
    if not file.is_file():
        open_puzzle(puzzle)  # which says so if there is no such puzzle
        if file.parent.is_file():  # FILE/PROBLEM
            return _meant(str(file.parent), folder)
        return Folder(Path(folder or ".")), f"library/{puzzle}"
    home = Path(folder) if folder else Path()
    if not folder and not file.resolve().is_relative_to(home.resolve()):
        home = file.parent
    bench = Folder(home)
    if not file.resolve().is_relative_to(bench.root):
        raise PuzzleError(
            f"{puzzle}: not in the folder {folder}; leave out --folder, or move the file there"
        )
    name = file.resolve().relative_to(bench.root).as_posix()
    (bench.collection if is_collection(file) else bench.path)(name)
    return bench, f"folder/{name}"


def _address(host: str, port: int, token: str, place: str) -> str:
    from urllib.parse import quote

    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/?token={token}" + (f"#/{quote(place)}" if place else "")


def _show(address: str) -> None:
    """Open the browser beside us, unless there is only the terminal."""
    import os
    import sys
    import threading
    import webbrowser

    screen = any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if screen or sys.platform in ("darwin", "win32"):
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
