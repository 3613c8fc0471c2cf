"""The commands of ``pbmstar admin`` about people: ``user``."""

from __future__ import annotations

import sys
from typing import Any

import click

from ...command import read_address, read_password, read_userid
from ...delivery.maildir import drop_box
from ...games.spelling import plural
from ...intake import quarantine
from ...service.admin import people
from ...service.admin.explain import user_facts
from ...service.work.work import Work
from .. import listings
from ..listings import Rows, as_json_option, lists, print_json, print_rows
from ..main import admin
from ..options import REFUSED, Group, configuration, statuses
from ..shared import store, work

# -- users


@admin.group(cls=Group)
def user() -> None:
    """Accounts."""


def _password(command: Any) -> Any:
    """Add the two options that give a password."""
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
    with work() as at:
        people.add_user(
            at,
            read_userid(userid),
            read_address(address),
            read_password(_ask(password, password_stdin)),
        )
    click.echo(f"{userid.lower()} added")


@user.command("list")
@lists("There are no accounts yet. See: pbmstar admin user add")
def user_list(at: Work) -> Rows:
    """List all accounts."""
    return [listings.user_line(user) for user in at.tx.accounts.users()]


@user.command("show")
@click.argument("userid")
@as_json_option
def user_show(userid: str, as_json: bool) -> None:
    """Print one account with its boards."""
    with work(writes=False) as at:
        account = people.user(at.tx, userid.lower())
        boards = [listings.board_line(at.tx, row) for row in at.tx.boards.of(account.userid)]
        facts = user_facts(at, account)
    if as_json:
        print_json({**listings.user_line(account), **listings.times(facts), "boards": boards})
        return
    click.echo("\n".join(listings.about_user(facts)))
    print_rows(boards, False, "  It has no boards.")


@user.command("find")
@click.argument("address")
@as_json_option
def user_find(address: str, as_json: bool) -> None:
    """List the accounts of a mail address; exit status 1 if there is none."""
    with work(writes=False) as at:
        rows = [
            listings.user_line(user) for user in at.tx.accounts.users_at(address.strip().lower())
        ]
    print_rows(rows, as_json, "No account has that address.")
    sys.exit(0 if rows else REFUSED)


@user.command("remove")
@click.argument("userid")
def user_remove(userid: str) -> None:
    """Close an account; its running games are resigned."""
    with work() as at:
        people.remove_user(at, userid.lower())
    click.echo(f"{userid.lower()} removed")


@user.command("password")
@click.argument("userid")
@_password
def user_password(userid: str, password: str | None, password_stdin: bool) -> None:
    """Give an account another password."""
    with work() as at:
        people.set_password(at, userid.lower(), read_password(_ask(password, password_stdin)))
    click.echo("password changed")


@user.command("address")
@click.argument("userid")
@click.argument("address")
@click.option("--remove", is_flag=True, help="Take an address away that is not the first one.")
def user_address(userid: str, address: str, remove: bool) -> None:
    """Give an account another first address; both addresses are told."""
    act = people.remove_address if remove else people.set_address
    with work() as at:
        act(at, userid.lower(), read_address(address))
    click.echo("address removed" if remove else "address changed")


@user.command("export")
@click.argument("userid")
@as_json_option
def user_export(userid: str, as_json: bool) -> None:
    """Print all data about a person, as text or JSON, to give to that person."""
    with work(writes=False) as at:
        about = people.export_user(at, userid.lower())
    tables = {name: [listings.times(row) for row in rows] for name, rows in about.items() if rows}
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
@click.option("--was", metavar="ADDRESS", default="", help="Of an account that is closed already.")
def user_erase(userid: str, rename: bool, was: str) -> None:
    """Close an account and delete its addresses everywhere; its games stay for the opponents.

    Running games are resigned. The addresses are masked in the players' texts. Waiting letters to the
    person, and mails in the quarantine or for the operator that name an address, are deleted; so are
    the person's maildirs, if letters go into maildirs. Backups and delivered letters are not touched.
    At last the database's file is rewritten, so that its unused parts are empty too; meanwhile a
    daemon defers mails.
    """
    config = configuration()
    with statuses():
        former = read_address(was).lower() if was else ""
    with work() as at:
        name, addresses, dropped = people.erase_user(at, userid.lower(), rename, former)
    for address in addresses:
        dropped += quarantine.drop_of(config.spool, address) + drop_box(config.relay, address)
    click.echo(
        f"erased; its games stand under {name}; {plural(dropped, 'mail')} that name it thrown away"
    )
    with statuses(), store(config) as opened:
        opened.wipe()


@user.command("rename")
@click.argument("userid")
@click.argument("new")
def user_rename(userid: str, new: str) -> None:
    """Call an account something else, everywhere; the player is told.

    Replies to letters of before are understood. In the player's mail program each board begins a new thread.
    The old userid is free for others.
    """
    with work() as at:
        people.rename_user(at, userid.lower(), read_userid(new))
    click.echo(f"{userid.lower()} is now {new.lower()}")


@user.command("merge")
@click.argument("userid")
@click.argument("into")
def user_merge(userid: str, into: str) -> None:
    """Give the games of an account to another one of the same person, and close it.

    INTO keeps its address, password and settings. All that follows from games is counted again. Two
    accounts that have played each other stay two.
    """
    with work() as at:
        boards = people.merge_users(at, userid.lower(), into.lower())
    click.echo(f"{userid.lower()} is now part of {into.lower()}, with {plural(boards, 'board')}")


def _set_ban(what: str, lift: bool) -> None:
    with work() as at:
        names = people.ban(at, what, lift)
    click.echo(f"{what} is {'no longer ' if lift else ''}banned")
    if names and not lift:
        click.echo(f"Mail of these accounts is ignored now: {', '.join(names)}. They stay open.")


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


@user.command("leave")
@click.argument("userid")
@click.argument("days", type=click.IntRange(1, 366))
def user_leave(userid: str, days: int) -> None:
    """Give a player more days of leave this year."""
    with work() as at:
        left = people.grant_leave(at, userid.lower(), days)
    click.echo(f"{plural(left, 'day')} of leave left this year")
