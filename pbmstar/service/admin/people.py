"""The operator's acts on accounts and addresses, and letters to all players; each is noted for audit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from ... import identity
from ...command import Secret
from ...errors import BadInput, say, together
from ...features.feature import features
from ...inbound import names
from ...machine.times import Seconds
from ...match import zones
from ...match.terms import DAY, HOUR
from ...render.facts import AnnouncementFacts
from ...store import Tx, User
from ..letters.headers import unsubscribe
from ..letters.post import PlainLetter, send, tell_account
from ..proof import strangers
from ..proof.authentication import former
from ..proof.strangers import require_free, usable_address
from ..reminders import leave
from ..verbs import addresses, membership
from ..work import timekeeping
from ..work.work import Work
from .operator import note

GONE = "gone"  # with a number, a userid for the games of an erased person
_KEPT = say("Your games, letters and settings are as they were, and so is your password.")
_REPLIES = say("Replies to letters about older boards still work.")


def add_user(work: Work, userid: str, address: str, password: Secret) -> None:
    """Open an account without confirmation by mail. Raises BadInput."""
    membership.require_free_userid(work, userid)
    _refuse_own(work, address)
    require_free(work, address.lower(), userid, as_first=True)
    hashed = identity.hash_password(password)
    public = membership.is_shown(work, work.now)
    work.tx.accounts.add(User(userid, address.lower(), hashed, "active", work.now, public=public))
    note(work, f"user add {userid}")


def _refuse_own(work: Work, address: str) -> None:
    """Raise BadInput for an address of this server: it would write to itself."""
    local, _, domain = address.lower().rpartition("@")
    config = work.context.config
    if domain == config.domain and local.partition("+")[0] in (config.local, "postmaster", "abuse"):
        raise BadInput("That is an address of this server.", "own-address")


def user(tx: Tx, userid: str) -> User:
    """Return the account of a userid. Raises BadInput if there is none."""
    row = tx.accounts.user(userid)
    if row is None:
        raise BadInput(f"There is no user {userid}.", "no-user")
    return row


def _open(work: Work, userid: str) -> User:
    """Return the account of a userid. Raises BadInput if there is none, or it is closed or a program."""
    row = user(work.tx, userid)
    if row.is_program:
        raise BadInput(f"{userid} is a program: it has no password and no address.", "program")
    if row.state == "closed":
        raise BadInput(f"The account {userid} is closed.", "closed")
    return row


def close_user(work: Work, userid: str) -> None:
    """Close an account, and resign its running games. Raises BadInput."""
    membership.close_account(work, _open(work, userid))
    note(work, f"user close {userid}")


def idle(work: Work, seconds: Seconds) -> list[tuple[User, float]]:
    """Return the open accounts of people not seen for so long, each with the last time, the oldest first."""
    seen = work.tx.accounts.seen()
    found = [
        (user, max(user.made, seen.get(user.userid, 0.0)))
        for user in work.tx.accounts.users()
        if user.state in ("active", "suspended")
    ]
    late = [(user, at) for user, at in found if work.now - at >= seconds]
    return sorted(late, key=lambda each: (each[1], each[0].userid))


def on_leave(work: Work) -> list[dict[str, Any]]:
    """Return the leaves that have not ended, those that run first: ``begin`` and ``until`` are times."""
    return [
        {
            "userid": each.userid,
            "state": "away" if each.begin <= work.now else "booked",
            "begin": each.begin,
            "until": each.until,
            "kind": each.kind,
        }
        for each in work.tx.clocks.leaves(work.now)
    ]


def set_password(work: Work, userid: str, password: Secret) -> None:
    """Give an account another password. Raises BadInput."""
    membership.set_password(work, _open(work, userid), identity.hash_password(password))
    note(work, f"user password {userid}")


def set_address(work: Work, userid: str, address: str) -> None:
    """Give an account another address without confirmation, and tell both addresses. Raises BadInput."""
    _refuse_own(work, address)
    addresses.move_account(work, _open(work, userid).userid, address.lower())
    note(work, f"user address {userid}")


def remove_address(work: Work, userid: str, address: str) -> None:
    """Take a further address from an account, and tell the first one. Raises BadInput."""
    row = _open(work, userid)
    if address.lower() not in work.tx.accounts.addresses(row)[1:]:
        raise BadInput(
            f"{userid} does not have that address, or it is the account's first.", "no-such-address"
        )
    addresses.take_away(work, row, address.lower())
    notice = say("{address} is no longer an address of this account.", address=address.lower())
    tell_account(work, row, say("address removed"), notice)
    note(work, f"user address {userid} --remove")


def suppress(work: Work, address: str, lift: bool = False) -> None:
    """Stop mail to an address unless an account has it, or allow it again. Raises BadInput."""
    known = strangers.marks(usable_address(work, address))
    mark = strangers.reader(address)
    if not lift:
        work.tx.people.suppress(mark, work.now)
    elif not {work.tx.people.unsuppress(each) for each in known} - {False}:
        raise BadInput("That address is not suppressed.", "not-suppressed")
    note(work, f"suppress {'remove' if lift else 'add'} {mark}")


def suppressed(work: Work, address: str = "") -> list[dict[str, Any]]:
    """Return the addresses that get no letters, or that one if it gets none; ``mark`` is all that is kept.

    Raises BadInput for an address that cannot be one.
    """
    marks = strangers.marks(usable_address(work, address)) if address else frozenset()
    return [
        {
            "mark": mark,
            "since": since,
            "until": until,
            "why": "the reader wants none" if until is None else "letters came back",
        }
        for mark, since, until in work.tx.people.suppressed(work.now)
        if not address or mark in marks
    ]


def export_user(work: Work, userid: str) -> dict[str, list[dict[str, Any]]]:
    """Return all data about a person, by table, without passwords and tokens. Raises BadInput."""
    row = user(work.tx, userid)
    return work.tx.people.about(userid, *work.tx.accounts.addresses(row))


def erase_user(
    work: Work, userid: str, rename: bool, address: str = ""
) -> tuple[str, list[str], int]:
    """Close an account if it is open, and forget its addresses everywhere.

    Return its new userid, the addresses, and the number of messages to the operator that were deleted
    because they name one. ``address``: the former address of a closed account.

    Games and their records stay, because they belong to the opponent too. They keep the userid, or with
    ``rename`` get a neutral one; the old userid is then free again. Raises BadInput.
    """
    row = _person(work, userid)
    addresses = work.tx.accounts.addresses(row) or [address] * bool(address)
    if row.state != "closed":
        membership.close_account(work, row)
    work.tx.outbox.write()  # the farewell is then deleted with all other letters
    work.tx.people.forget(userid, *addresses)
    for feature in features():
        feature.forget(work.tx, userid)
    dropped = 0
    for each in addresses:
        mails = work.tx.people.mask_address(each, partial(names, address=each))
        dropped += sum(map(work.tx.outbox.drop, mails))
    for name in (*former(work, userid), userid):
        work.tx.ledger.drop_fact(f"was {name}")
    if not rename:
        note(work, f"user erase {userid}")
        return userid, addresses, dropped
    number = next(n for n in range(1, 10**6) if work.tx.accounts.user(f"{GONE}{n}") is None)
    work.tx.people.rename(userid, f"{GONE}{number}")
    note(work, f"user erase {GONE}{number}")
    return f"{GONE}{number}", addresses, dropped


def ban(work: Work, what: str, lift: bool = False) -> list[str]:
    """Ignore all mail from an address or a domain from now on, or lift that ban. Raises BadInput.

    Return the userids of the open accounts that it is about. Only a hash of an address is kept: the stored
    bans do not reveal addresses.
    """
    what = what.strip().lower()
    local, _, domain = what.partition("@")
    if local and domain:
        mark = identity.address_mark(what)
    elif "." in what and what.strip("@").isascii():
        mark = f"@{what.strip('@')}"
    else:
        raise BadInput("Name an address, or a domain like example.org.", "bad-address")
    if not lift:
        work.tx.people.ban(mark, work.now)
    elif not work.tx.people.unban(mark):
        raise BadInput("That is not banned.", "not-banned")
    note(work, f"user {'unban' if lift else 'ban'} {mark}")
    return _of_mark(_addresses(work.tx), mark)


def _addresses(tx: Tx) -> list[tuple[str, str]]:
    """Return each address of an open account, with the userid."""
    return [
        (row.userid, each) for row in tx.accounts.users() for each in tx.accounts.addresses(row)
    ]


def _of_mark(addresses: Iterable[tuple[str, str]], mark: str) -> list[str]:
    """Return the userids of the addresses that a mark is of, or that are of a domain like @x.example."""
    below = f".{mark[1:]}" if mark.startswith("@") else ""
    found = (
        userid
        for userid, each in addresses
        if (
            f".{each.rpartition('@')[2]}".endswith(below)
            if below
            else identity.address_mark(each) == mark
        )
    )
    return list(dict.fromkeys(found))


def bans(work: Work) -> list[dict[str, Any]]:
    """Return the bans, the oldest first: a domain or the mark of an address, and the accounts it is about."""
    addresses = _addresses(work.tx)
    return [
        {
            "banned": mark.removeprefix("@"),
            "kind": "domain" if mark.startswith("@") else "address",
            "since": since,
            "accounts": " ".join(_of_mark(addresses, mark)),
        }
        for mark, since in work.tx.people.bans()
    ]


def acts(work: Work, by: str = "") -> list[dict[str, Any]]:
    """Return the operator's acts, or those of one person, the oldest first.

    ``accounts`` are those of the address whose mark an act names.
    """
    addresses = _addresses(work.tx)
    known = {mark: userid for userid, each in addresses for mark in strangers.marks(each)}
    return [
        {
            "id": number,
            "at": at,
            "actor": actor,
            "act": act,
            "accounts": " ".join(known[word] for word in act.split(" ") if word in known),
        }
        for number, at, actor, act in work.tx.ledger.acts()
        if by in ("", actor.rpartition(" ")[2])
    ]


def is_banned(tx: Tx, address: str) -> bool:
    """Return True if mail with that From address is ignored: it or another address of its account is
    banned."""
    if not address or not tx.people.has_bans():
        return False
    if tx.people.is_banned(identity.address_mark(address), address.rpartition("@")[2].lower()):
        return True
    owners = (user for user in tx.accounts.users_at(address) if user.others)
    own = (each for user in owners for each in tx.accounts.addresses(user))
    return any(tx.people.is_banned(identity.address_mark(each), "") for each in own)


def announce(work: Work, subject: str, text: str, an_hour: int) -> int:
    """Write to every player who wants announcements. Return the number of letters."""
    users = [user for user in work.tx.accounts.users() if user.state == "active" and user.news]
    write(work, users, subject, text, an_hour)
    note(work, f"announce: {len(users)} letters")
    return len(users)


def write(work: Work, users: Sequence[User], subject: str, text: str, an_hour: int) -> None:
    """Write an announcement to players, ``an_hour`` letters an hour."""
    for place, each in enumerate(users):
        letter = PlainLetter(
            AnnouncementFacts(subject, text),
            each.userid,
            each.address,
            {"List-Unsubscribe": unsubscribe(work, "w", each)},
            at=work.now + place * HOUR / an_hour,
        )
        send(work, letter)


def grant_leave(work: Work, userid: str, days: int) -> int:
    """Give a player more days of leave this year. Return the days that are left. Raises BadInput."""
    zone = user(work.tx, userid).zone
    now = work.now
    work.tx.clocks.add_grant(userid, now, now + days * DAY, zone)
    note(work, f"user grant-leave {userid} +{days}")
    return leave.left_of(work, zones.year_of(now, zone), work.tx.clocks.absences(userid))


def rename_user(work: Work, userid: str, new: str) -> None:
    """Give an account another userid in every place that names it. Raises BadInput."""
    row = _person(work, userid)
    membership.require_free_userid(work, new)
    _keep_former(work, userid, new)
    work.tx.people.rename(userid, new)
    note(work, f"user rename {userid} {new}")
    renamed = row._replace(userid=new)
    called = say("Your account {userid} is now called {name}.", userid=userid, name=new)
    tell_account(work, renamed, say("new name"), together(called, _KEPT, _REPLIES))


def merge_users(work: Work, userid: str, into: str) -> int:
    """Give everything of one account to another of the same person; the other keeps its own settings.

    Return the number of boards. Raises BadInput, also if the two play or have played each other: one
    player cannot have both seats of a record.
    """
    _person(work, userid)
    account = _person(work, into)
    if userid == into:
        raise BadInput("Name two accounts.", "same-player")
    own = {row.board for row in work.tx.boards.of(userid)}
    both = sorted(own & {row.board for row in work.tx.boards.of(into)})
    if both:
        boards = ", ".join(map(str, both))
        raise BadInput(
            f"{userid} and {into} play each other on board {boards}. Remove it first.",
            "same-player",
        )
    _keep_former(work, userid, into)
    work.tx.people.merge(userid, into)
    for feature in features():
        feature.corrected(work, None)
    timekeeping.count_again(work.tx, 0.0)  # the two were on leave at different times
    note(work, f"user merge {userid} {into}")
    tell_account(
        work,
        account,
        say("merged"),
        together(
            say(
                "Your account {userid} is now part of {other}, with its games. Your password and "
                "settings are those of {other}.",
                userid=userid,
                other=into,
            ),
            _REPLIES,
        ),
    )
    return len(own)


def _person(work: Work, userid: str) -> User:
    row = user(work.tx, userid)
    if row.is_program:
        raise BadInput(f"{userid} is a program.", "program")
    return row


def _keep_former(work: Work, userid: str, new: str) -> None:
    """Remember the old userid: replies to letters from before the change are then understood."""
    names = [*former(work, new), *former(work, userid), userid]
    work.tx.ledger.drop_fact(f"was {userid}")
    work.tx.ledger.set_fact(f"was {new}", " ".join(name for name in names if name != new))
