"""The commands of ``pbmstar admin``: the same functions as by mail, from the operator's hand."""

from __future__ import annotations

import sys
from typing import Any

import click

from .shared import REFUSED, Group, work

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def print_json(value: Any) -> None:
    """A value as JSON."""
    import json

    click.echo(json.dumps(value, indent=1))


def print_rows(rows: list[dict[str, Any]], as_json: bool) -> None:
    """A listing: JSON, or a line each."""
    if as_json:
        print_json(rows)
        return
    for row in rows:
        click.echo("  ".join(_said(value) for value in row.values() if _says_something(value)))


def _says_something(value: Any) -> bool:
    """Whether a value of a row means something without its name."""
    return value not in (None, "", {}) and not isinstance(value, bool)


def _said(value: Any) -> str:
    """A value of a row; options as a challenge spells them."""
    if not isinstance(value, dict):
        return str(value)
    return " ".join(
        f"-{name}" + ("" if told is True else f"={told}") for name, told in value.items()
    )


@click.group(cls=Group)
def admin() -> None:
    """Users, boards, quarantine, outgoing mail, checks, backups."""


# -- users


@admin.group(cls=Group)
def user() -> None:
    """Accounts."""


def _password(command: Any) -> Any:
    """The two options that give a password."""
    seen = "Asked for when absent; others on this machine can see it meanwhile."
    stdin = "Read the password from the first line of standard input."
    command = click.option("--password-stdin", is_flag=True, help=stdin)(command)
    return click.option("--password", help=seen)(command)


@user.command("add")
@click.argument("userid")
@click.argument("address")
@_password
def user_add(userid: str, address: str, password: str | None, password_stdin: bool) -> None:
    """Open an account without confirmation by mail."""
    from ..command import read_address, read_password, read_userid
    from ..service import operator

    with work() as at:
        operator.add_user(
            at,
            read_userid(userid),
            read_address(address),
            read_password(_ask(password, password_stdin)),
        )
    click.echo(f"{userid.lower()} added")


@user.command("list")
@as_json_option
def user_list(as_json: bool) -> None:
    """All accounts."""
    from . import listings

    with work(writes=False) as at:
        rows = [listings.user_line(user) for user in at.tx.users()]
    print_rows(rows, as_json)


@user.command("show")
@click.argument("userid")
@as_json_option
def user_show(userid: str, as_json: bool) -> None:
    """One account, with its boards."""
    from ..service import operator
    from ..service.explain import user_facts
    from . import explained, listings

    with work(writes=False) as at:
        found = operator.user(at.tx, userid.lower())
        boards = [listings.board_line(row) for row in at.tx.boards_of(found.userid)]
        facts = user_facts(at, found)
    if as_json:
        print_json({**listings.user_line(found), **listings.times(facts), "boards": boards})
        return
    click.echo("\n".join(explained.user(facts)))
    print_rows(boards, False)


@user.command("find")
@click.argument("address")
@as_json_option
def user_find(address: str, as_json: bool) -> None:
    """The accounts of a mail address; exit status 1 if there is none."""
    from . import listings

    with work(writes=False) as at:
        rows = [listings.user_line(user) for user in at.tx.users_at(address.strip().lower())]
    print_rows(rows, as_json)
    sys.exit(0 if rows else REFUSED)


@user.command("remove")
@click.argument("userid")
def user_remove(userid: str) -> None:
    """Close an account; its running games are resigned."""
    from ..service import operator

    with work() as at:
        operator.remove_user(at, userid.lower())
    click.echo(f"{userid.lower()} removed")


@user.command("password")
@click.argument("userid")
@_password
def user_password(userid: str, password: str | None, password_stdin: bool) -> None:
    """Give an account another password."""
    from ..command import read_password
    from ..service import operator

    with work() as at:
        operator.set_password(at, userid.lower(), read_password(_ask(password, password_stdin)))
    click.echo("password changed")


@user.command("address")
@click.argument("userid")
@click.argument("address")
def user_address(userid: str, address: str) -> None:
    """Give an account another address; both addresses are told."""
    from ..command import read_address
    from ..service import operator

    with work() as at:
        operator.set_address(at, userid.lower(), read_address(address))
    click.echo("address changed")


@user.command("export")
@click.argument("userid")
@as_json_option
def user_export(userid: str, as_json: bool) -> None:
    """All that is kept about a person, as text or JSON; for the person to have."""
    from ..service import lifecycle
    from . import listings

    with work(writes=False) as at:
        found = lifecycle.export_user(at, userid.lower())
    tables = {name: [listings.times(row) for row in rows] for name, rows in found.items() if rows}
    if as_json:
        print_json(tables)
        return
    for name, rows in tables.items():
        click.echo(f"{name}:")
        for row in rows:
            facts = (f"{key} {value}" for key, value in row.items() if value not in (None, ""))
            click.echo(f"  {'; '.join(facts)}")


@user.command("erase")
@click.argument("userid")
@click.option("--rename", is_flag=True, help="Let the games stand under a name like gone17.")
def user_erase(userid: str, rename: bool) -> None:
    """Close an account and forget its address everywhere; its games stay, for the opponents.

    Running games are resigned. Letters to the person that wait are forgotten, and mails of theirs in
    the quarantine are thrown away. Backups and logs are not touched; logs name no address.
    """
    from ..intake import quarantine
    from ..service import lifecycle, operator

    with work() as at:
        address = operator.user(at.tx, userid.lower()).address
        name = lifecycle.erase_user(at, userid.lower(), rename)
        dropped = quarantine.drop_of(at.context.config.spool, address) if address else 0
    click.echo(f"erased; its games stand under {name}; {dropped} mails left the quarantine")


def _set_ban(what: str, lift: bool) -> None:
    from ..service import lifecycle

    with work() as at:
        lifecycle.ban(at, what, lift)
    click.echo(f"{what} is {'no longer ' if lift else ''}banned")


@user.command("ban")
@click.argument("what", metavar="ADDRESS|DOMAIN")
def user_ban(what: str) -> None:
    """Ignore all mail of an address or a domain; an account stays until it is removed."""
    _set_ban(what, lift=False)


@user.command("unban")
@click.argument("what", metavar="ADDRESS|DOMAIN")
def user_unban(what: str) -> None:
    """Take mail of an address or a domain again."""
    _set_ban(what, lift=True)


def _ask(password: str | None, stdin: bool = False) -> str:
    if stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return password or click.prompt("Password", hide_input=True, confirmation_prompt=True)
