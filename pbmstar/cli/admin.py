"""The commands of ``pbmstar admin``: the same functions as by mail, from the operator's hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from .shared import REFUSED, Group, configuration, desk, send, statuses, store

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _print(rows: list[dict[str, Any]], as_json: bool) -> None:
    """A listing: JSON, or a line each."""
    if as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    for row in rows:
        click.echo("  ".join(f"{value}" for value in row.values() if value not in (None, "", {})))


@click.group(cls=Group)
def admin() -> None:
    """Users, boards, quarantine, outgoing mail, checks, backups."""


# -- users


@admin.group(cls=Group)
def user() -> None:
    """Accounts."""


@user.command("add")
@click.argument("userid")
@click.argument("address")
@click.option("--password", help="Asked for when absent.")
def user_add(userid: str, address: str, password: str | None) -> None:
    """Open an account without confirmation by mail."""
    from ..command import read_address, read_password, read_userid
    from ..service import admin as service

    with desk() as at:
        service.add_user(
            at, read_userid(userid), read_address(address), read_password(_ask(password))
        )
    click.echo(f"{userid.lower()} added")


@user.command("list")
@_json
def user_list(as_json: bool) -> None:
    """All accounts."""
    from ..service import admin as service

    with desk(writes=False) as at:
        rows = [service.user_line(user) for user in at.tx.users()]
    _print(rows, as_json)


@user.command("show")
@click.argument("userid")
@_json
def user_show(userid: str, as_json: bool) -> None:
    """One account, with its boards."""
    from ..service import admin as service

    with desk(writes=False) as at:
        found = service.user(at.tx, userid.lower())
        boards = [service.board_line(row) for row in at.tx.boards_of(found.userid, None)]
    facts = {**service.user_line(found), "boards": boards}
    if as_json:
        click.echo(json.dumps(facts, indent=1))
        return
    _print([service.user_line(found)], False)
    _print(boards, False)


@user.command("remove")
@click.argument("userid")
def user_remove(userid: str) -> None:
    """Close an account; its running games are resigned."""
    from ..service import admin as service

    with desk() as at:
        service.remove_user(at, userid.lower())
    click.echo(f"{userid.lower()} removed")


@user.command("password")
@click.argument("userid")
@click.option("--password", help="Asked for when absent.")
def user_password(userid: str, password: str | None) -> None:
    """Give an account another password."""
    from ..command import read_password
    from ..service import admin as service

    with desk() as at:
        service.set_password(at, userid.lower(), read_password(_ask(password)))
    click.echo("password changed")


@user.command("address")
@click.argument("userid")
@click.argument("address")
def user_address(userid: str, address: str) -> None:
    """Give an account another address; both addresses are told."""
    from ..command import read_address
    from ..service import admin as service

    with desk() as at:
        service.set_address(at, userid.lower(), read_address(address))
    click.echo("address changed")


def _ask(password: str | None) -> str:
    return password or click.prompt("Password", hide_input=True, confirmation_prompt=True)


# -- boards


@admin.group(cls=Group)
def board() -> None:
    """Boards."""


@board.command("list")
@_json
def board_list(as_json: bool) -> None:
    """All boards."""
    from ..service import admin as service

    with desk(writes=False) as at:
        rows = [service.board_line(row) for row in service.all_boards(at.tx)]
    _print(rows, as_json)


@board.command("show")
@click.argument("number", type=int)
@_json
def board_show(number: int, as_json: bool) -> None:
    """One board with its record."""
    from ..service import admin as service
    from ..service import play

    with desk(writes=False) as at:
        match = play.load(at, number)
    if as_json:
        click.echo(json.dumps(service.board_facts(match), indent=1))
    else:
        click.echo(service.export(match), nl=False)


@board.command("reset")
@click.argument("number", type=int)
@click.option(
    "--to-move", type=int, default=1, help="Back to before this move; else to the empty board."
)
def board_reset(number: int, to_move: int) -> None:
    """Put a board back; both players are told by mail."""
    from ..service import admin as service

    with desk() as at:
        match = service.reset_board(at, number, to_move)
    click.echo(f"board {number} is before move {match.turn}, {match.to_move} to move")


@board.command("remove")
@click.argument("number", type=int)
def board_remove(number: int) -> None:
    """Delete a board; both players are told by mail."""
    from ..service import admin as service

    with desk() as at:
        service.remove_board(at, number)
    click.echo(f"board {number} removed")


# -- quarantine: mails that a fault of the program kept from being handled


@admin.group(cls=Group)
def quarantine() -> None:
    """Mails that a fault of the program kept from being handled."""


@quarantine.command("list")
@_json
def quarantine_list(as_json: bool) -> None:
    """All such mails."""
    from .. import quarantine as kept

    _print([entry.line() for entry in kept.entries(configuration().spool)], as_json)


@quarantine.command("show")
@click.argument("ident")
def quarantine_show(ident: str) -> None:
    """One mail, what may be a password masked, and the fault."""
    from .. import quarantine as kept

    with statuses():
        click.echo(kept.shown(configuration().spool, ident), nl=False)


@quarantine.command("retry")
@click.argument("ident")
def quarantine_retry(ident: str) -> None:
    """Handle the mail as if it came now; it leaves the quarantine if that succeeds."""
    from ..receive import retry
    from .shared import context

    config = configuration()
    with statuses():
        opened = store(config)
        click.echo(retry(config, context(config), opened, ident))
        send(config, opened)


@quarantine.command("drop")
@click.argument("ident")
def quarantine_drop(ident: str) -> None:
    """Throw the mail away."""
    from .. import quarantine as kept

    with desk() as at:
        kept.drop(at.context.config.spool, ident)
        at.tx.add_audit(at.now, "operator", f"quarantine drop {ident}")
    click.echo(f"{ident} dropped")


# -- outgoing mail


@admin.group(cls=Group)
def outbox() -> None:
    """Letters that have not been sent."""


@outbox.command("list")
@_json
def outbox_list(as_json: bool) -> None:
    """All letters that wait, or that the relay refused for good."""
    from ..service import admin as service

    with desk(writes=False) as at:
        rows = [service.letter_line(letter) for letter in at.tx.letters()]
    _print(rows, as_json)


@outbox.command("retry")
@click.argument("numbers", type=int, nargs=-1)
def outbox_retry(numbers: tuple[int, ...]) -> None:
    """Make letters due at once, all or those named, and send them."""
    with desk() as at:
        waiting = numbers or tuple(letter.id for letter in at.tx.letters())
        count = sum(at.tx.revive(number, at.now) for number in waiting)
    click.echo(f"{count} letters due now")


# -- the whole


@admin.command()
def check() -> None:
    """Replay every record and report any difference; exit status 1 if there is one."""
    from ..service import admin as service

    with desk(writes=False) as at:
        problems = service.check(at.tx)
    for problem in problems:
        click.echo(problem)
    click.echo(f"{len(problems)} differences")
    sys.exit(REFUSED if problems else 0)


@admin.command()
@click.argument("file", type=click.Path(path_type=Path))
def backup(file: Path) -> None:
    """Write a consistent copy of the database to FILE while the server runs."""
    config = configuration()
    with statuses():
        store(config).backup(file)
    click.echo(f"{file} written")


@admin.command()
@click.argument("number", type=int, required=False)
def export(number: int | None) -> None:
    """All boards, or one, as text that a person and ``pbmstar analyse`` can read."""
    from ..service import admin as service
    from ..service import play

    with desk(writes=False) as at:
        rows = [play.load(at, number)] if number else service.all_matches(at.tx)
        click.echo("\n".join(service.export(match) for match in rows), nl=False)


@admin.command()
@_json
def audit(as_json: bool) -> None:
    """What was done by hand."""
    from ..service import admin as service

    with desk(writes=False) as at:
        rows = [service.audit_line(*row) for row in at.tx.audit()]
    _print(rows, as_json)
