"""The commands of ``pbmstar admin`` about people: ``user``."""

from __future__ import annotations

import sys
from typing import Any

import click

from ...command import read_address, read_password, read_userid
from ...delivery.maildir import drop_box
from ...games.spelling import plural
from ...intake import quarantine
from ...match.terms import DAY
from ...render.board.transcript import when
from ...service.admin import people
from ...service.admin.explain import user_facts
from .. import listings
from ..listings import as_json_option, print_json, print_rows
from ..main import admin
from ..options import REFUSED, Group, configuration, statuses
from ..shared import store, work


@admin.group(cls=Group, renamed={"remove": "close", "leave": "grant-leave"})
def user() -> None:
    """Accounts, and bans."""


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
    """Open an account without asking by mail."""
    with work() as at:
        people.add_user(
            at,
            read_userid(userid),
            read_address(address),
            read_password(_ask(password, password_stdin)),
        )
    click.echo(f"Account {userid.lower()} opened.")


@user.command("list")
@click.option(
    "--idle",
    type=click.IntRange(1, 10_000),
    metavar="DAYS",
    help="Open accounts that have not been seen for so many days, the longest first.",
)
@click.option("--leave", is_flag=True, help="Players who are on leave, or have booked one.")
@as_json_option
def user_list(idle: int | None, leave: bool, as_json: bool) -> None:
    """List all accounts.

    An account is seen when a message proves to be from it, or when it makes a move. Messages without a move
    are remembered for 180 days.
    """
    if idle and leave:
        raise click.UsageError("--idle and --leave do not go together.")
    empty = "There are no accounts yet. See: pbmstar admin user add"
    with work(writes=False) as at:
        if leave:
            rows = [listings.times(row, "begin", "until") for row in people.on_leave(at)]
            empty = "Nobody is on leave, and none is booked."
        elif idle:
            found = people.idle(at, idle * DAY)
            rows = [{**listings.user_line(user), "last_seen": when(seen)} for user, seen in found]
            empty = f"Every open account was seen in the last {plural(idle, 'day')}."
        else:
            rows = [listings.user_line(user) for user in at.tx.accounts.users()]
    print_rows(rows, as_json, empty)


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
    """List the accounts of a mail address.

    The exit status is 1 if there is none.
    """
    with work(writes=False) as at:
        rows = [
            listings.user_line(user) for user in at.tx.accounts.users_at(address.strip().lower())
        ]
    print_rows(rows, as_json, "No account has that address.")
    sys.exit(0 if rows else REFUSED)


@user.command("close")
@click.argument("userid")
def user_close(userid: str) -> None:
    """Close an account.

    Its running games are resigned. To delete its address too: user erase.
    """
    with work() as at:
        people.close_user(at, userid.lower())
    click.echo(f"Account {userid.lower()} closed.")


@user.command("password")
@click.argument("userid")
@_password
def user_password(userid: str, password: str | None, password_stdin: bool) -> None:
    """Give an account another password."""
    with work() as at:
        people.set_password(at, userid.lower(), read_password(_ask(password, password_stdin)))
    click.echo(f"Password of {userid.lower()} changed.")


@user.command("address")
@click.argument("userid")
@click.argument("address")
@click.option("--remove", is_flag=True, help="Take an address away that is not the first one.")
def user_address(userid: str, address: str, remove: bool) -> None:
    """Give an account another first address.

    Both addresses are told.
    """
    act = people.remove_address if remove else people.set_address
    with work() as at:
        act(at, userid.lower(), read_address(address))
    click.echo(f"Address of {userid.lower()} {'removed' if remove else 'changed'}.")


@user.command("export")
@click.argument("userid")
@as_json_option
def user_export(userid: str, as_json: bool) -> None:
    """Print all data about a person.

    It is text, or JSON, to give to that person.
    """
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
@click.option("--rename", is_flag=True, help="Keep the games under a name like gone17.")
@click.option("--was", metavar="ADDRESS", default="", help="Of an account that is closed already.")
def user_erase(userid: str, rename: bool, was: str) -> None:
    """Close an account and delete its addresses.

    Its games stay for the opponents; those that run are resigned. The addresses are masked in the
    players' texts. Waiting letters to the person, and messages in the quarantine or for the operator that
    name an address, are deleted; so are the person's maildirs, if letters go into maildirs. Backups and
    delivered letters are not touched. At last the database's file is rewritten, so that its unused parts
    are empty too; meanwhile a daemon defers messages.
    """
    config = configuration()
    with statuses():
        former = read_address(was).lower() if was else ""
    with work() as at:
        name, addresses, dropped = people.erase_user(at, userid.lower(), rename, former)
    for address in addresses:
        dropped += quarantine.drop_of(config.spool, address) + drop_box(config.relay, address)
    click.echo(
        f"Account {userid.lower()} erased. Its games are kept under {name}. "
        f"Deleted: {plural(dropped, 'message')} that named it."
    )
    with statuses(), store(config) as opened:
        opened.wipe()


@user.command("rename")
@click.argument("userid")
@click.argument("new")
def user_rename(userid: str, new: str) -> None:
    """Give an account another userid everywhere.

    The player is told. Replies to earlier letters still work. In the player's mail program each board
    begins a new thread. The old userid is free for others.
    """
    with work() as at:
        people.rename_user(at, userid.lower(), read_userid(new))
    click.echo(f"Account {userid.lower()} renamed to {new.lower()}.")


@user.command("merge")
@click.argument("userid")
@click.argument("into")
def user_merge(userid: str, into: str) -> None:
    """Join two accounts of one person.

    The games of USERID become those of INTO, which keeps its address, password and settings; USERID is
    closed. All that follows from games is counted again. Two accounts that have played each other cannot
    be joined.
    """
    with work() as at:
        boards = people.merge_users(at, userid.lower(), into.lower())
    click.echo(
        f"Account {userid.lower()} merged into {into.lower()}, with {plural(boards, 'board')}."
    )


def _set_ban(what: str, lift: bool) -> None:
    with work() as at:
        names = people.ban(at, what, lift)
    click.echo(f"Ban of {what} {'lifted' if lift else 'set'}.")
    if names and not lift:
        click.echo(
            f"Messages of these accounts are ignored now: {', '.join(names)}. They stay open."
        )


@user.command("ban")
@click.argument("what", metavar="[ADDRESS|DOMAIN]", required=False)
@click.option("--list", "as_list", is_flag=True, help="List the bans instead.")
@as_json_option
def user_ban(what: str | None, as_list: bool, as_json: bool) -> None:
    """Ignore all mail of an address or a domain.

    An account stays open until you close it. Of a banned address only a hash is kept, so the list names it
    by the accounts that have it.
    """
    if as_list == bool(what) or (as_json and not as_list):
        raise click.UsageError("Name an address or a domain, or say --list.")
    if what:
        _set_ban(what, lift=False)
        return
    with work(writes=False) as at:
        rows = [listings.times(row) for row in people.bans(at)]
    print_rows(rows, as_json, "Nobody is banned.")


@user.command("unban")
@click.argument("what", metavar="ADDRESS|DOMAIN")
def user_unban(what: str) -> None:
    """Take mail of an address or a domain again."""
    _set_ban(what, lift=True)


def _ask(password: str | None, stdin: bool = False) -> str:
    if stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return password or click.prompt("Password", hide_input=True, confirmation_prompt=True)


@user.command("grant-leave")
@click.argument("userid")
@click.argument("days", type=click.IntRange(1, 366))
def user_grant_leave(userid: str, days: int) -> None:
    """Give a player more days of leave this year."""
    with work() as at:
        left = people.grant_leave(at, userid.lower(), days)
    click.echo(f"Leave granted: {userid.lower()} can take {plural(left, 'day')} this year.")
