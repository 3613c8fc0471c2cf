"""The program at a terminal, a real one: questions, colors and bars, none of which a script meets."""

from __future__ import annotations

import os
import pty

import pytest
from harness.program import DONE, REFUSED, Program
from harness.ready import ready


def typed(program: Program, *words: str, keys: str = "", **around: str) -> tuple[int, str]:
    """Type a command at a terminal, and then ``keys``; return the exit status and all that is on the screen."""
    mine, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    places = {"PBMSTAR_SPOOL": str(program.spool), "PBMSTAR_DATABASE": program.database}
    running = ready().at_terminal(
        *words, environment={**environment, "TERM": "xterm", **places, **around}, terminal=theirs
    )
    os.close(theirs)
    os.write(mine, keys.encode())
    screen = b""
    try:
        while piece := os.read(mine, 4096):
            screen += piece
    except OSError:  # the last one who had the terminal has left
        pass
    status = running.wait()
    os.close(mine)
    return status, screen.decode()


def test_what_nobody_can_undo_is_asked_at_a_terminal(played: Program) -> None:
    erase = ("admin", "user", "erase", "alice")
    status, screen = typed(played, *erase, keys="n\n")
    assert (status, "[y/N]" in screen, "Nothing was done." in screen) == (REFUSED, True, True)
    status, screen = typed(played, "admin", "board", "remove", "1", "--yes")
    assert (status, "[y/N]" in screen) == (DONE, False)
    status, screen = typed(played, *erase, keys="y\n")
    assert (status, "Account alice erased." in screen) == (DONE, True)
    played.run("admin", "user", "erase", "bob")  # a script is not asked


@pytest.mark.usefixtures("queue")
@pytest.mark.parametrize("settings", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colors_are_for_terminals_that_want_them(settings: dict[str, str], played: Program) -> None:
    _, screen = typed(played, "doctor", **settings)
    assert ("\x1b[" in screen) == (not settings)
    assert "\x1b[" not in played.run("doctor", status=REFUSED).stdout


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("admin check", "boards"),
        ("admin ratings rebuild", "boards"),
        ("admin move-database sqlite:///{folder}/copy.db", "rows"),
        pytest.param("site {folder}/pages", "pages", marks=pytest.mark.slow),
    ],
)
def test_long_work_shows_on_a_terminal_how_far_it_is(
    words: str, label: str, played: Program
) -> None:
    line = words.format(folder=played.folder).split()
    status, screen = typed(played, *line)
    assert status == DONE, screen
    assert f"{label}  [" in screen and "100%" in screen
    told = played.run("admin", "check")
    assert told.stderr == "" and "[" not in told.stdout
