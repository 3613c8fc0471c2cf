"""The commands of ``pbmstar admin`` about boards, their ratings, and times in which no clock runs."""

from __future__ import annotations

import json
import shutil
import sys
from contextlib import closing
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TextIO

import click

from ...errors import BadInput, CorruptDatabase
from ...games.spelling import plural
from ...machine.times import HOUR, Epoch, when
from ...service.work.work import Work
from ...store import Store
from .. import listings
from ..listings import Rows, as_json_option, lists, print_facts, print_json
from ..main import admin
from ..options import (
    NUMBER,
    REFUSED,
    Group,
    bar,
    configuration,
    make_sure,
    moment,
    statuses,
    yes_option,
)
from ..shared import work

if TYPE_CHECKING:
    from ...match import Match
    from ...render.board.clock_face import ClockFace

_LONGEST = 16_000_000  # characters of an exported board
_since = click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Start with the games that ended on this day (UTC), like 2027-01-15.",
)


@admin.group(cls=Group, example="list")
def board() -> None:
    """Boards: list, show, reset, remove, move."""


@board.command("list", example="--waiting")
@click.option("--waiting", is_flag=True, help="Only running boards, longest turn first.")
@lists("No boards were found.")
def board_list(at: Work, waiting: bool) -> Rows:
    """List all boards.

    Each line shows the number, the game, its options, the players, whose turn it is or the result, and since
    when.
    """
    from ...service.admin import lookup

    boards = list(lookup.all_boards(at.tx))
    if waiting:
        boards = sorted((row for row in boards if row.to_move), key=lambda row: row.since)
    return [listings.board_line(at.tx, row) for row in boards]


_numbers = click.argument("numbers", metavar="BOARD...", type=NUMBER, nargs=-1, required=True)


@board.command("show", example="17")
@_numbers
@click.option(
    "--plans", is_flag=True, help="Also print the players' plans. The audit notes that you looked."
)
@as_json_option
def board_show(numbers: tuple[int, ...], plans: bool, as_json: bool) -> None:
    """Print boards with their records.

    With --json, each board is a separate object.
    """
    from ...match.plan_grammar import write
    from ...render.board import transcript
    from ...service.admin import operator
    from ...service.work import timekeeping

    with work(writes=plans) as at:
        matches = [operator.board(at, number) for number in numbers]
        shown = [timekeeping.shown(at, each) for each in matches]
        if plans:
            at.note(f"board show --plans {' '.join(map(str, numbers))}")
    for match, clock in zip(matches, shown, strict=True):
        planned = {userid: write(plan) for userid, plan in match.plans} if plans else {}
        if as_json:
            facts = transcript.facts(match)
            print_json({**facts, **_running(match, clock), **({"plans": planned} if plans else {})})
        else:
            click.echo(transcript.text(match), nl=False)
            for userid, plan in planned.items():
                click.echo(f"Plan of {userid}: {plan}")


def _running(match: Match, clock: ClockFace | None) -> dict[str, Any]:
    """Return what a board's JSON object has besides its record; ``clock``: the time, if it's limited."""
    deadline = clock and clock.deadline
    return {
        "requests": [
            {"kind": r.kind, "userid": r.userid, "data": r.data} for r in (match.request,) if r
        ],
        "clock": dict(clock.left) if clock else None,
        "deadline": when(deadline) if deadline else None,
    }


@board.command("reset", example="17 --to-move 12")
@_numbers
@click.option(
    "--to-move",
    type=int,
    default=1,
    help="Go back to the position before this move. Without it, the board is empty again.",
)
def board_reset(numbers: tuple[int, ...], to_move: int) -> None:
    """Put boards back to an earlier move.

    We put all of them back, or none, and tell their players.
    """
    from ...service.admin import operator

    with work() as at:
        matches = [operator.reset_board(at, number, to_move) for number in numbers]
    for match in matches:
        click.echo(f"Board {match.number} reset: move {match.turn} is next, by {match.to_move}.")


@board.command("remove", example="17")
@_numbers
@yes_option
def board_remove(numbers: tuple[int, ...], is_sure: bool) -> None:
    """Delete boards.

    We delete all of them, or none, and tell their players.
    """
    from ...service.admin import operator

    make_sure(f"Delete {plural(len(numbers), 'board')} for good?", is_sure)
    with work() as at:
        for number in numbers:
            operator.remove_board(at, number)
    for number in numbers:
        click.echo(f"Board {number} removed.")


@board.command("export", example="17 > board17.json")
@click.argument("number", metavar="BOARD", type=NUMBER)
@click.option("--sgf", is_flag=True, help="Only the moves, as SGF (for Hex and Y).")
def board_export(number: int, sgf: bool) -> None:
    """Print a board, to take it to another server.

    You get its record, its players' messages and their notes. On the other server, use `board import`.
    """
    from ...render.board import transcript
    from ...service.admin import operator, transfer

    with work(writes=False) as at:
        if not sgf:
            print_json(transfer.exported(at.tx, number))
            return
        text = transcript.as_sgf(operator.board(at, number))
    with statuses():
        if not text:
            raise BadInput("Only games of Hex and Y can be written as SGF.", "no-sgf")
        click.echo(text, nl=False)


@board.command("import", example="board17.json --as alice=alicia")
@click.argument("file", type=click.File("r"))
@click.option(
    "--as",
    "names",
    metavar="THERE=HERE",
    multiple=True,
    help="A player's userid there, and the one here.",
)
def board_import(file: TextIO, names: tuple[str, ...]) -> None:
    """Add a board from another server.

    FILE is what `board export` printed there, or a game of Hex or Y as SGF. Use - to read standard input.
    First we replay the record. The board gets a new number. Its players need accounts here, and get the board
    by mail.
    """
    from ...games import sgf
    from ...service.admin import transfer

    with statuses():
        called = dict(_pair(name) for name in names)
        text = file.read(_LONGEST + 1)
        record = sgf.read(text) if text.lstrip().startswith("(") else None
        exported = {} if record else _exported(text)
    with work() as at:
        if record:
            match = transfer.bring(at, transfer.of_sgf(record, called, at.now), {})
        else:
            match = transfer.bring(at, exported, called)
    click.echo(f"Board {match.number} imported: {' and '.join(match.seats)}.")


def _exported(text: str) -> dict[str, Any]:
    """Return the exported board of a file. Raises BadInput if it has none."""
    try:
        exported = json.loads(text) if len(text) <= _LONGEST else None
    except (ValueError, RecursionError):
        exported = None
    if not isinstance(exported, dict):
        raise BadInput("That isn't an exported board.", "bad-board")
    return exported


def _pair(text: str) -> tuple[str, str]:
    there, equal, here = text.lower().partition("=")
    if not equal or not there or not here:
        raise BadInput("Use --as THERE=HERE, with the two userids.", "bad-userid")
    return there, here


@admin.command(example="backup.db --user alice")
@click.argument("backup", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--user", "userid", help="Bring back an account, and those of its boards that are gone."
)
@click.option("--board", "number", type=NUMBER, help="Put a board back to how it was.")
def restore(backup: Path, userid: str | None, number: int | None) -> None:
    """Restore one player or board from a backup.

    The server can keep running, and everything else stays as it is. If the board is still running, its
    players get it by mail, and replies to earlier letters no longer work. An account that was closed after
    the backup is open again, as it was then. To restore everything, put the backup where the database is: see
    docs/how-to/restore.md.
    """
    from ...service.admin import transfer

    if bool(userid) == bool(number):
        raise click.UsageError("Use --user or --board.")
    config = configuration()
    with statuses(), TemporaryDirectory(prefix="restore-", dir=config.spool) as folder:
        copy = Path(folder) / "copy.db"  # an older backup is migrated; the file itself stays
        shutil.copyfile(backup, copy)
        try:
            with (
                closing(Store(f"sqlite:///{copy}", make=False)) as opened,
                opened.transaction() as tx,
                work() as at,
            ):
                done = transfer.restore(at, tx, (userid or "").lower(), number or 0)
        except CorruptDatabase:
            raise BadInput(f"{backup} is damaged, or isn't a backup.", "bad-backup") from None
    boards = ", ".join(map(str, done.boards)) or "none"
    click.echo(
        f"Account {userid.lower()} restored; boards: {boards}."
        if userid
        else f"Board {number} restored."
    )
    if done.ended:
        ended = ", ".join(map(str, done.ended))
        click.echo(
            f"These boards have ended since the backup, and stay so: {ended}. To put one back: "
            f"pbmstar admin restore {backup} --board {done.ended[0]}"
        )


@admin.command()
@as_json_option
def check(as_json: bool) -> None:
    """Replay every record, and compare.

    It prints each difference between a record and what we've stored besides it. The exit status is 1 if
    there's a difference.
    """
    from ...service.admin import operator

    with work(writes=False) as at, bar("boards") as show:
        problems = operator.check_all(at.tx, show)
    print_facts(problems, [*problems, f"{plural(len(problems), 'difference')}."], as_json)
    sys.exit(REFUSED if problems else 0)


@admin.command(example="17")
@click.argument("number", type=NUMBER, required=False)
def export(number: int | None) -> None:
    """Print all boards, or one, as text.

    The third line of each board is a command that draws it, `pbmstar analyse`.
    """
    from ...render.board import transcript
    from ...service.admin import operator

    with work(writes=False) as at:
        rows = [operator.board(at, number)] if number else operator.all_matches(at.tx)
        click.echo("\n".join(transcript.text(match) for match in rows), nl=False)


# -- times in which no clock runs


@admin.group(cls=Group, example="list")
def outage() -> None:
    """Times when nobody could reach the server.

    No player's clock runs then.
    """


@outage.command("add", example="2026-12-06T13:20Z 2026-12-06T18:00Z 'the line was down'")
@click.argument("begin", type=moment)
@click.argument("until", type=moment)
@click.argument("why")
def outage_add(begin: Epoch, until: Epoch, why: str) -> None:
    """Don't count the time from BEGIN to UNTIL.

    Both are times such as 2026-12-06T13:20Z. WHY is a note for yourself. We list the games that were lost on
    time during the outage, but don't change them.
    """
    from ...service.admin import operator

    with work() as at:
        number, forfeits = operator.add_outage(at, begin, until, why)
    click.echo(f"Outage {number} added.")
    for board in forfeits:
        click.echo(
            f"Board {board} was lost on time during the outage. Reset it if the outage was the reason."
        )


@outage.command("list")
@lists("No outages are recorded.")
def outage_list(at: Work) -> Rows:
    """List all outages.

    This includes the outages that the server noticed itself.
    """
    return [
        {
            "id": each.id,
            "begin": when(each.begin),
            "until": None if each.until == inf else when(each.until),
            "why": each.why,
        }
        for each in at.tx.clocks.outages()
    ]


@outage.command("remove", example="3")
@click.argument("number", metavar="ID", type=NUMBER)
def outage_remove(number: int) -> None:
    """Delete an outage, so that its time counts."""
    from ...service.admin import operator

    with work() as at:
        operator.remove_outage(at, number)
    click.echo(f"Outage {number} removed.")


@admin.command()
def pause() -> None:
    """Defer all mail until resume.

    Other mail servers keep their messages, and send them later. Letters still go out, and all clocks are
    stopped.
    """
    from ...service.admin import operator

    with work() as at:
        operator.pause(at)
    click.echo(
        "Paused: we don't take mail, and all clocks are stopped. To resume: pbmstar admin resume"
    )


@admin.command()
def resume() -> None:
    """Take mail again."""
    from ...service.admin import operator

    with work() as at:
        seconds = operator.resume(at)
    click.echo(
        f"Resumed: we take mail again. The {seconds / HOUR:.1f} hours don't count against anyone."
    )


@admin.group(cls=Group, example="check")
def ratings() -> None:
    """Compute the ratings again, and compare them.

    They are kept with each game that ends; this is for after a game was corrected by hand.
    """


@ratings.command("check")
@as_json_option
def ratings_check(as_json: bool) -> None:
    """Compute all ratings again, and compare.

    This doesn't save anything. The exit status is 1 if the ratings differ.
    """
    from ...ratings.rows import Ratings

    with work(writes=False) as at:
        differences = list(at.tx.of(Ratings).differences())
    print_facts(differences, [*differences, f"{plural(len(differences), 'difference')}."], as_json)
    sys.exit(REFUSED if differences else 0)


@ratings.command("rebuild", example="--since 2027-01-15")
@_since
@as_json_option
def ratings_rebuild(since: datetime | None, as_json: bool) -> None:
    """Compute all ratings again, and save them.

    Players whose ratings change by five points or more are told in their next letter.
    """
    from ...service.admin.ratings import rebuild

    with work() as at, bar("boards") as show:
        begin = since.replace(tzinfo=UTC).timestamp() if since else float("-inf")
        moved = rebuild(at, begin, show)
    lines = [f"{each.userid} in {each.game}: {each.before} -> {each.after}" for each in moved]
    print_facts(lines, [*lines, f"{plural(len(moved), 'rating').capitalize()} changed."], as_json)


@admin.command()
@lists("No two accounts look as if they belonged to one person.")
def twins(at: Work) -> Rows:
    """List accounts that may belong to one person.

    They share a mailbox, or one of them always loses to the other.
    """
    from ...service.admin import ratings as rated

    return rated.twins(at.tx)
