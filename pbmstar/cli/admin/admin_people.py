"""The commands of ``pbmstar admin`` about people: ``user``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

import click

from ...errors import BadInput
from ...games.spelling import plural
from ...grammar.literals import read_address, read_password, read_userid
from ...machine.times import DAY, when
from ...service.work.work import Work
from .. import listings
from ..listings import as_json_option, print_facts, print_json, print_rows
from ..main import admin
from ..options import REFUSED, Group, configuration, make_sure, refuse, statuses, yes_option
from ..shared import actor, context, send, store, work

if TYPE_CHECKING:
    from ...service.admin.friends import Done


@admin.group(cls=Group, example="list")
def user() -> None:
    """Accounts, and bans."""


def _password(command: Any) -> Any:
    """Add the two options that give a password."""
    seen = "A password. Other users of this machine can see it while the command runs."
    stdin = "Read the password from the first line of standard input."
    command = click.option("--password-stdin", is_flag=True, help=stdin)(command)
    return click.option("--password", help=seen)(command)


_opener = click.option(
    "--by", "opener", default="", metavar="NAME", help="Your name, for the welcome letter."
)


@user.command("add", example="alice alice@home.example")
@click.argument("userid")
@click.argument("address")
@_password
@click.option(
    "--language", default="en", help="The language of the letters, like de.  [default: en]"
)
@_opener
@click.option("--no-letter", is_flag=True, help="Don't send a welcome letter.")
def user_add(
    userid: str,
    address: str,
    language: str,
    opener: str,
    no_letter: bool,
    **passwords: Any,
) -> None:
    """Open an account without asking by mail.

    The welcome letter says who opened the account, and how to close it with a one-word reply. Players don't
    need a password, since their replies prove who they are. They can set one later.
    """
    from ...service.admin import people

    with work() as at:
        secret = _given(**passwords)
        people.add_user(
            at,
            read_userid(userid),
            read_address(address),
            None if secret is None else read_password(secret),
            _language(language),
            None if no_letter else _name(opener),
        )
    click.echo(f"Account {userid.lower()} opened.")


@user.command("import", example="friends.csv --by 'Anna Schmidt' --dry-run")
@click.argument("file", type=click.File("r", encoding="utf-8"))
@_opener
@click.option("--dry-run", is_flag=True, help="Only print what it would do.")
@as_json_option
def user_import(file: TextIO, opener: str, dry_run: bool, as_json: bool) -> None:
    """Open accounts for a list of people.

    Each line of FILE has a name, an address and a language, like `anna,anna@home.example,de`. Without a
    language, it's English. Use - to read standard input. Nobody gets a password, but everyone gets a welcome
    letter that says who opened the account. We skip people who already have an account at their address, so
    you can fix a file and run the command again. The exit status is 1 if we can't use a line.
    """
    from ...service.admin import friends

    config = configuration()
    with statuses():
        try:
            found = friends.read(file.read())
        except ValueError:
            refuse(f"{file.name} isn't UTF-8 text.")
        name = _name(opener)
    with statuses(), store(config) as opened:
        surroundings = context(config)
        done = []
        if dry_run:
            with suppress(_NotDone), opened.transaction() as tx:
                at = Work(surroundings, tx, surroundings.clock(), operator=actor())
                done = [friends.add(at, friend, name) for friend in found]
                raise _NotDone
        else:
            for friend in found:  # each for itself: what is done stays done
                with opened.transaction() as tx:
                    at = Work(surroundings, tx, surroundings.clock(), operator=actor())
                    done.append(friends.add(at, friend, name))
            send(config, opened)
    lines = [*map(_about_friend, done), _count(done, dry_run)]
    print_facts([each._asdict() for each in done], lines, as_json)
    sys.exit(REFUSED if any(each.outcome == friends.REFUSED for each in done) else 0)


class _NotDone(Exception):
    pass


def _about_friend(done: Done) -> str:
    """Return the sentence about one line of the file."""
    start = f"Line {done.line}, {done.address or 'without an address'}:"
    if done.outcome == "opened":
        return f"{start} account {done.userid} opened, letters in {done.language}."
    return f"{start} " + (
        f"already has the account {done.userid}." if done.outcome == "there" else done.why
    )


def _count(done: Sequence[Done], dry_run: bool) -> str:
    """Return the sentence about all lines of the file."""
    count = Counter(each.outcome for each in done)
    would = "would be " if dry_run else ""
    return (
        f"{plural(count['opened'], 'account')} {would}opened, {count['there']} already there, "
        f"{plural(count['refused'], 'line')} not used."
    )


def _name(opener: str) -> str:
    """Return the name of the person who opens accounts, as letters print it. Raises BadInput."""
    name = " ".join(opener.split())
    if len(name) > 60 or not name.isprintable() or "@" in name:
        raise BadInput("--by is a name of at most 60 characters, without an address.", "bad-name")
    return name


def _language(word: str) -> str:
    """Return a language in which there are letters. Raises BadInput."""
    from ...render.translator import Translator

    if word.lower() not in Translator.offered():
        raise BadInput(f"--language is one of {', '.join(Translator.offered())}.", "no-language")
    return word.lower()


@user.command("list", example="--idle 90")
@click.option(
    "--idle",
    type=click.IntRange(1, 10_000),
    metavar="DAYS",
    help="Only open accounts that haven't been seen for this many days, longest first.",
)
@click.option("--leave", is_flag=True, help="Only players who are on leave, or have booked some.")
@as_json_option
def user_list(idle: int | None, leave: bool, as_json: bool) -> None:
    """List all accounts.

    We've seen an account when we got a message that's proved to be from it, or when it made a move. We
    remember messages without a move for 180 days.
    """
    from ...service.admin import lookup

    if idle and leave:
        raise click.UsageError("You can't use --idle and --leave together.")
    empty = "There are no accounts yet. See: pbmstar admin user add"
    with work(writes=False) as at:
        if leave:
            rows = [listings.times(row, "begin", "until") for row in lookup.on_leave(at)]
            empty = "Nobody is on leave, or has booked any."
        elif idle:
            found = lookup.idle(at, idle * DAY)
            rows = [{**listings.user_line(user), "last_seen": when(seen)} for user, seen in found]
            empty = f"Every open account was seen in the last {plural(idle, 'day')}."
        else:
            rows = [listings.user_line(user) for user in at.tx.accounts.users()]
    print_rows(rows, as_json, empty)


@user.command("show", example="alice")
@click.argument("userid")
@as_json_option
def user_show(userid: str, as_json: bool) -> None:
    """Print one account with its boards."""
    from ...service.admin import lookup

    with work(writes=False) as at:
        account = lookup.user(at.tx, userid.lower())
        boards = [listings.board_line(at.tx, row) for row in at.tx.boards.of(account.userid)]
        facts = lookup.user_facts(at, account)
    if as_json:
        print_json({**listings.user_line(account), **listings.times(facts), "boards": boards})
        return
    click.echo("\n".join(listings.about_user(facts)))
    print_rows(boards, False, "  It has no boards.")


@user.command("find", example="alice@home.example")
@click.argument("address")
@as_json_option
def user_find(address: str, as_json: bool) -> None:
    """List the accounts at a mail address.

    The exit status is 1 if there aren't any.
    """
    with work(writes=False) as at:
        rows = [
            listings.user_line(user) for user in at.tx.accounts.users_at(address.strip().lower())
        ]
    print_rows(rows, as_json, "No account has that address.")
    sys.exit(0 if rows else REFUSED)


@user.command("close", example="alice")
@click.argument("userid")
@yes_option
def user_close(userid: str, is_sure: bool) -> None:
    """Close an account.

    This resigns its running games. To delete its address, too: user erase
    """
    from ...service.admin import people

    make_sure(f"Close the account {userid.lower()}, and resign its games?", is_sure)
    with work() as at:
        people.close_user(at, userid.lower())
    click.echo(f"Account {userid.lower()} closed.")


@user.command("password", example="alice")
@click.argument("userid")
@_password
def user_password(userid: str, password: str | None, password_stdin: bool) -> None:
    """Give an account a new password."""
    from ...service.admin import people

    with work() as at:
        people.set_password(at, userid.lower(), read_password(_ask(password, password_stdin)))
    click.echo(f"Password of {userid.lower()} changed.")


@user.command("address", example="alice alice@work.example")
@click.argument("userid")
@click.argument("address")
@click.option("--remove", is_flag=True, help="Remove an address (not the first one).")
def user_address(userid: str, address: str, remove: bool) -> None:
    """Change an account's first address.

    We write to both addresses.
    """
    from ...service.admin import people

    act = people.remove_address if remove else people.set_address
    with work() as at:
        act(at, userid.lower(), read_address(address))
    click.echo(f"Address of {userid.lower()} {'removed' if remove else 'changed'}.")


@user.command("export", example="alice --json")
@click.argument("userid")
@as_json_option
def user_export(userid: str, as_json: bool) -> None:
    """Print all data about a person.

    You can give it to that person. It's text, or with --json, JSON.
    """
    from ...service.admin import people

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


@user.command("erase", example="alice --rename")
@click.argument("userid")
@click.option("--rename", is_flag=True, help="Keep the games under a name like gone17.")
@click.option(
    "--was", metavar="ADDRESS", default="", help="The address of an account that's already closed."
)
@yes_option
def user_erase(userid: str, rename: bool, was: str, is_sure: bool) -> None:
    """Close an account and delete its addresses.

    The games stay, because they're also the opponents'; running ones are resigned. We mask the addresses in
    what players wrote. We delete waiting letters to the person, messages in the quarantine or for the
    operator that name an address, and the person's maildirs, if letters go into maildirs. We don't touch
    backups and delivered letters. In the end, we rewrite the database file, so that its unused parts are
    empty, too. Meanwhile, the daemon defers messages.
    """
    from ...delivery.maildir import drop_box
    from ...intake import quarantine
    from ...service.admin import people

    make_sure(f"Erase {userid.lower()}, and resign the running games?", is_sure)
    config = configuration()
    with statuses():
        former = read_address(was).lower() if was else ""
    with statuses(), store(config) as opened:
        surroundings = context(config)
        board: int | None = 0
        while board is not None:
            with opened.transaction() as tx:
                at = Work(surroundings, tx, surroundings.clock())
                board = people.resign_some(at, userid.lower(), board)
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


@user.command("rename", example="alice alicia")
@click.argument("userid")
@click.argument("new")
def user_rename(userid: str, new: str) -> None:
    """Give an account another userid everywhere.

    We tell the player. Replies to earlier letters still work, but in the player's email app each board starts
    a new thread. Others can then take the old userid.
    """
    from ...service.admin import people

    with work() as at:
        people.rename_user(at, userid.lower(), read_userid(new))
    click.echo(f"Account {userid.lower()} renamed to {new.lower()}.")


@user.command("merge", example="alice2 alice")
@click.argument("userid")
@click.argument("into")
@yes_option
def user_merge(userid: str, into: str, is_sure: bool) -> None:
    """Join two accounts of one person.

    INTO gets the games of USERID, and keeps its own address, password and settings. USERID is closed.
    Ratings, and everything else that depends on games, are computed again. You can't join two accounts that
    have played each other.
    """
    from ...service.admin import people

    make_sure(f"Join {userid.lower()} to {into.lower()} for good?", is_sure)
    with work() as at:
        boards = people.merge_users(at, userid.lower(), into.lower())
    click.echo(
        f"Account {userid.lower()} merged into {into.lower()}, with {plural(boards, 'board')}."
    )


def _set_ban(what: str, lift: bool) -> None:
    from ...service.admin import people

    with work() as at:
        names = people.ban(at, what, lift)
    click.echo(f"{what} is {'no longer' if lift else 'now'} banned.")
    if names and not lift:
        click.echo(
            f"From now on we ignore messages from these accounts: {', '.join(names)}. They stay open."
        )


@user.command("ban", example="spam.example")
@click.argument("what", metavar="[ADDRESS|DOMAIN]", required=False)
@click.option("--list", "as_list", is_flag=True, help="List the bans instead.")
@as_json_option
def user_ban(what: str | None, as_list: bool, as_json: bool) -> None:
    """Ignore all mail from an address or a domain.

    Accounts stay open until you close them. We only keep a hash of a banned address, so the list shows the
    accounts that have it.
    """
    from ...service.admin import lookup

    if as_list == bool(what) or (as_json and not as_list):
        raise click.UsageError("Name an address or a domain, or use --list.")
    if what:
        _set_ban(what, lift=False)
        return
    with work(writes=False) as at:
        rows = [listings.times(row) for row in lookup.bans(at)]
    print_rows(rows, as_json, "Nobody is banned.")


@user.command("unban", example="spam.example")
@click.argument("what", metavar="ADDRESS|DOMAIN")
def user_unban(what: str) -> None:
    """Take mail from an address or a domain again."""
    _set_ban(what, lift=True)


def _given(password: str | None, password_stdin: bool) -> str | None:
    """Return the password that an option gives, or None."""
    return sys.stdin.readline().rstrip("\r\n") if password_stdin else password


def _ask(password: str | None, stdin: bool) -> str:
    """Return the password that an option gives, or the one that is typed now."""
    given = _given(password, stdin)
    if given is None:
        given = str(click.prompt("Password", hide_input=True, confirmation_prompt=True))
    return given


@user.command("grant-leave", example="alice 14")
@click.argument("userid")
@click.argument("days", type=click.IntRange(1, 366))
def user_grant_leave(userid: str, days: int) -> None:
    """Give a player more days of leave this year."""
    from ...service.admin import people

    with work() as at:
        left = people.grant_leave(at, userid.lower(), days)
    click.echo(f"Leave granted: {userid.lower()} can take {plural(left, 'day')} this year.")
