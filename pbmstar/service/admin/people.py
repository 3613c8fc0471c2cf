"""The operator's acts on accounts, addresses and invitations, and letters to all; each is noted for audit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ... import identity
from ...errors import BadInput, say, together
from ...grammar.literals import Secret
from ...grammar.words import ENGLISH
from ...identity import Purpose
from ...identity.addresses import shown, stored
from ...inbound import names
from ...machine.times import DAY, HOUR
from ...match import dates
from ...matchmaking.rows import Invitations
from ...ratings.rows import Ratings
from ...render.facts import AnnouncementFacts, WelcomeFacts
from ...store import Tx, User
from ..letters import chores, first
from ..letters.post import send, tell_account
from ..proof import authentication
from ..proof.authentication import former
from ..proof.strangers import require_free, usable_address
from ..reminders import leave
from ..verbs import addresses, beginning, membership
from ..work import timekeeping
from ..work.feature import Feature, features
from ..work.letter import PlainLetter, unsubscribe
from ..work.work import Work
from .lookup import addresses as all_addresses
from .lookup import of_mark, user

_LETTERS = 25  # of an announcement in a piece
GONE = "gone"  # with a number, a userid for the games of an erased person
_KEPT = say("Your games, letters, settings and password haven't changed.")
_REPLIES = say("You can still reply to the board letters you already have.")


def add_user(
    work: Work,
    userid: str,
    address: str,
    password: Secret | None,
    language: str = ENGLISH,
    opener: str | None = "",
) -> None:
    """Open an account without confirmation by mail, and welcome its owner. Raises BadInput.

    password  None for none: its owner replies to letters
    opener    the name of the person who opens it, for the letter; empty for "the operator"; None writes no
              letter
    """
    membership.require_free_userid(work, userid)
    _refuse_own(work, address)
    address = stored(address)
    require_free(work, address, userid, as_first=True)
    user = User(userid, address, "", "active", work.now, language=language)
    if password:
        authentication.require_secret(work, user, password)
        user = user._replace(password=identity.hash_password(password))
    user = user._replace(public=membership.is_shown(work, work.now))
    work.tx.accounts.add(user)
    work.note(f"user add {userid}")
    if opener is not None:
        site = first.place_of(work) if user.public else ""
        work.tx.ledger.set_fact(membership.unasked(address), str(work.now))
        membership.greet(work, user, WelcomeFacts(userid, site=site, opener=opener))
        beginning.follow_invitation(work, user)


def _refuse_own(work: Work, address: str) -> None:
    """Raise BadInput for an address of this server: it would write to itself."""
    local, _, domain = address.lower().rpartition("@")
    config = work.context.config
    if domain == config.domain and local.partition("+")[0] in (config.local, "postmaster", "abuse"):
        raise BadInput("That is an address of this server.", "own-address")


def _open(work: Work, userid: str) -> User:
    """Return the account of a userid. Raises BadInput if there is none, or it is closed or a program."""
    row = user(work.tx, userid)
    if row.is_program:
        raise BadInput(f"{userid} is a bot: it doesn't have a password or an address.", "program")
    if row.state == "closed":
        raise BadInput(f"The account {userid} is closed.", "closed")
    return row


def close_user(work: Work, userid: str) -> None:
    """Close an account, and resign its running games. Raises BadInput."""
    membership.close_account(work, _open(work, userid))
    work.note(f"user close {userid}")


def set_password(work: Work, userid: str, password: Secret) -> None:
    """Give an account another password. Raises BadInput."""
    user = _open(work, userid)
    authentication.require_secret(work, user, password)
    membership.set_password(work, user, identity.hash_password(password))
    work.note(f"user password {userid}")


def set_address(work: Work, userid: str, address: str) -> None:
    """Give an account another address without confirmation, and tell both addresses. Raises BadInput."""
    _refuse_own(work, address)
    addresses.move_account(work, _open(work, userid).userid, stored(address))
    work.note(f"user address {userid}")


def remove_address(work: Work, userid: str, address: str) -> None:
    """Take a further address from an account, and tell the first one. Raises BadInput."""
    row = _open(work, userid)
    address = stored(address)
    if address not in work.tx.accounts.addresses(row)[1:]:
        raise BadInput(
            f"{userid} doesn't have that address, or it is the account's first.", "no-such-address"
        )
    addresses.take_away(work, row, address)
    notice = say("{address} no longer belongs to this account.", address=shown(address))
    tell_account(work, row, say("address removed"), notice)
    work.note(f"user address {userid} --remove")


def suppress(work: Work, address: str, lift: bool = False) -> None:
    """Stop mail to an address unless an account has it, or allow it again. Raises BadInput."""
    address = usable_address(work, address)
    known, mark = identity.marks(address), identity.reader_mark(address)
    if not lift:
        work.tx.people.suppress(mark, work.now)
    elif not {work.tx.people.unsuppress(each) for each in known} - {False}:
        raise BadInput("That address isn't suppressed.", "not-suppressed")
    work.note(f"suppress {'remove' if lift else 'add'} {mark}")


def export_user(work: Work, userid: str) -> dict[str, list[dict[str, Any]]]:
    """Return all data about a person, by table, without passwords and tokens. Raises BadInput."""
    row = user(work.tx, userid)
    return work.tx.people.about(userid, *work.tx.accounts.addresses(row))


def resign_some(work: Work, userid: str, after: int) -> int | None:
    """Resign some running games of a player before the account is erased, on boards above ``after``.

    Return the last of these boards; None if there are no more. Raises BadInput if there is no such player.
    """
    facts: chores.Facts = {"userid": _person(work, userid).userid, "after": after}
    rest = membership.give_up_some(work, facts)
    return rest["after"] if rest else None


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
    chores.finish(work)
    work.tx.people.forget(userid, *addresses)
    work.tx.of(Invitations).forget(userid)
    dropped = 0
    for each in addresses:
        mails = work.tx.people.mask_address(each, partial(names, address=each))
        dropped += sum(map(work.tx.outbox.drop, mails))
    for name in (*former(work, userid), userid):
        work.tx.ledger.drop_fact(f"was {name}")
    if not rename:
        work.note(f"user erase {userid}")
        return userid, addresses, dropped
    number = next(n for n in range(1, 10**6) if work.tx.accounts.user(f"{GONE}{n}") is None)
    work.tx.people.rename(userid, f"{GONE}{number}")
    work.note(f"user erase {GONE}{number}")
    return f"{GONE}{number}", addresses, dropped


def ban(work: Work, what: str, lift: bool = False) -> list[str]:
    """Ignore all mail from an address or a domain from now on, or lift that ban. Raises BadInput.

    Return the userids of the open accounts that it is about. Only a hash of an address is kept: the stored
    bans do not reveal addresses.
    """
    what = what.strip().lower()
    local, _, domain = what.partition("@")
    if local and domain:
        mark = identity.address_mark(stored(what))
    elif "." in what:
        mark = "@" + stored("x@" + what.strip("@")).partition("@")[2]
    else:
        raise BadInput("Name an address, or a domain like example.org.", "bad-address")
    if not lift:
        work.tx.people.ban(mark, work.now)
    elif not work.tx.people.unban(mark):
        raise BadInput("That isn't banned.", "not-banned")
    work.note(f"user {'unban' if lift else 'ban'} {mark}")
    return of_mark(all_addresses(work.tx), mark)


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
    work.note(f"announce: {len(users)} letters")
    return len(users)


def write(work: Work, users: Sequence[User], subject: str, text: str, an_hour: int) -> None:
    """Write an announcement to players, ``an_hour`` letters an hour; if they are many, in pieces."""
    facts = {
        "userids": [user.userid for user in users],
        "place": 0,
        "told": [subject, text],
        "pace": HOUR / an_hour,
        "since": work.now,
    }
    if rest := write_some(work, facts):
        chores.later(work, write_some, f"{work.now}", rest)


def write_some(work: Work, facts: chores.Facts) -> chores.Facts | None:
    """Write an announcement to the next players, unless they have left or no longer want it."""
    userids, place = facts["userids"], facts["place"]
    for userid in userids[place : place + _LETTERS]:
        user = work.tx.accounts.user(userid)
        if user is not None and user.state == "active" and user.news:
            letter = PlainLetter(
                AnnouncementFacts(*facts["told"]),
                userid,
                user.address,
                {"List-Unsubscribe": unsubscribe(work, Purpose.STOP_NEWS, user)},
                at=facts["since"] + place * facts["pace"],
            )
            send(work, letter)
        place += 1
    return {**facts, "place": place} if place < len(userids) else None


def grant_leave(work: Work, userid: str, days: int) -> int:
    """Give a player more days of leave this year. Return the days that are left. Raises BadInput."""
    zone = user(work.tx, userid).zone
    now = work.now
    work.tx.clocks.add_grant(userid, now, now + days * DAY, zone)
    work.note(f"user grant-leave {userid} +{days}")
    return leave.left_of(work, dates.year_of(now, zone), work.tx.clocks.absences(userid))


def rename_user(work: Work, userid: str, new: str) -> None:
    """Give an account another userid in every place that names it. Raises BadInput."""
    row = _person(work, userid)
    membership.require_free_userid(work, new)
    chores.finish(work)
    _keep_former(work, userid, new)
    work.tx.people.rename(userid, new)
    work.note(f"user rename {userid} {new}")
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
    chores.finish(work)
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
    work.tx.of(Ratings).rebuild()
    for feature in features(Feature.on_correction):
        feature.on_correction(work, None)
    timekeeping.count_again(work.tx, 0.0)  # the two were on leave at different times
    work.note(f"user merge {userid} {into}")
    tell_account(
        work,
        account,
        say("merged"),
        together(
            say(
                "Your account {userid} and its games are now part of {other}, which "
                "keeps its own password and settings.",
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
        raise BadInput(f"{userid} is a bot.", "program")
    return row


def _keep_former(work: Work, userid: str, new: str) -> None:
    """Remember the old userid: replies to letters from before the change are then understood."""
    names = [*former(work, new), *former(work, userid), userid]
    work.tx.ledger.drop_fact(f"was {userid}")
    work.tx.ledger.set_fact(f"was {new}", " ".join(name for name in names if name != new))


def stop_invitations(work: Work, userid: str) -> None:
    """Let a player send no more invitations and postcards. Raises BadInput."""
    work.tx.of(Invitations).stop(user(work.tx, userid).userid)
    work.note(f"invitation stop {userid}")


def allow_invitations(work: Work, userid: str) -> None:
    """Let a player send invitations and postcards again. Raises BadInput."""
    if not work.tx.of(Invitations).allow(userid):
        raise BadInput(f"The invitations of {userid} are not stopped.", "not-stopped")
    work.note(f"invitation allow {userid}")
