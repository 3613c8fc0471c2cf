"""What the operator does with people and with the server as a whole: told to nobody, noted for audit."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from .. import identity
from ..errors import BadInput, Passing
from ..match import FORFEIT
from ..match.terms import DAY, HOUR
from ..store import Tx
from . import alerts, clocks, leave
from .operator import all_boards, note, user
from .post import detailed, post
from .verbs import accounts
from .work import Work

GONE = "gone"  # with a number: what an erased person's games may stand under
PAUSED = "paused by the operator"


def export_user(work: Work, userid: str) -> dict[str, list[dict[str, Any]]]:
    """All that is kept about a person, by table; no password, no token. Raises BadInput."""
    row = user(work.tx, userid)
    return work.tx.about(userid, row.address)


def erase_user(work: Work, userid: str, rename: bool) -> str:
    """Close an account if it is open, and forget its address everywhere; returns its new userid.

    Games and their records stay, because they are the opponent's too: under the userid, or with
    ``rename`` under one that says nothing, and then the old one is free again. Raises BadInput.
    """
    row = user(work.tx, userid)
    if row.state == "bot":
        raise BadInput(f"{userid} is a bot.", "bot")
    if row.state != "closed":
        accounts.close_account(work, row)
    work.tx.write_letters()  # the farewell is forgotten with all other letters
    work.tx.forget(userid, row.address)
    if not rename:
        note(work, f"user erase {userid}")
        return userid
    number = next(n for n in range(1, 10**6) if work.tx.user(f"{GONE}{n}") is None)
    work.tx.rename(userid, f"{GONE}{number}")
    note(work, f"user erase {GONE}{number}")
    return f"{GONE}{number}"


def ban(work: Work, what: str, lift: bool = False) -> None:
    """Ignore all mail of an address or a domain from now on; or lift that. Raises BadInput.

    Of an address only a hash is kept, so that a ban is no list of addresses.
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
        work.tx.ban(mark, work.now)
    elif not work.tx.unban(mark):
        raise BadInput("That is not banned.", "not-banned")
    note(work, f"user {'unban' if lift else 'ban'} {mark}")


def is_banned(tx: Tx, address: str) -> bool:
    """Whether mail that says it is from there is ignored."""
    return bool(address) and tx.is_banned(
        identity.address_mark(address), address.rpartition("@")[2].lower()
    )


def announce(work: Work, subject: str, text: str, an_hour: int) -> int:
    """Write to every player who wants announcements, so many letters an hour; returns how many."""
    users = [user for user in work.tx.users() if user.state == "active" and user.news]
    for place, each in enumerate(users):
        wish = identity.sign_account(work.keys[0][1], "w", each.userid, each.address)
        where = f"<mailto:{detailed(work, wish)}?subject=unsubscribe>"
        post(
            work,
            "announcement",
            each.userid,
            each.address,
            {"subject": subject, "announcement": text},
            {"List-Unsubscribe": where},
            at=work.now + place * HOUR / an_hour,
        )
    note(work, f"announce: {len(users)} letters")
    return len(users)


def pause(work: Work) -> None:
    """Take no mail from now on, and let no time run. Raises BadInput if it is so already."""
    if work.tx.paused() is not None:
        raise BadInput("The server is paused already.", "paused")
    work.tx.add_outage(work.now, None, PAUSED)
    work.tx.set_fact("paused", "1")
    note(work, "pause")


def resume(work: Work) -> float:
    """Take mail again; returns for how many seconds it was not taken. Raises BadInput."""
    outage = work.tx.paused()
    if outage is None:
        raise BadInput("The server is not paused.", "not-paused")
    work.tx.end_outage(outage.id, work.now)
    work.tx.set_fact("paused", "")
    alerts.note_remind(work.tx, work.now)  # that nothing ran meanwhile is no alert
    note(work, "resume")
    return work.now - outage.begin


def add_outage(work: Work, begin: float, until: float, why: str) -> tuple[int, list[int]]:
    """Let no clock run for a while; returns its number, and the boards forfeited since it began.

    What a move took in that time is given back. Raises BadInput.
    """
    if until <= begin:
        raise BadInput("An outage ends after it begins.", "bad-outage")
    number = work.tx.add_outage(begin, until, why)
    clocks.count_again(work.tx, begin)
    note(work, f"outage add {number}")
    over = (row for row in all_boards(work.tx) if not row.to_move and row.since >= begin)
    forfeits = [
        row.board
        for row in over
        if work.tx.record(row.board)[-1:] and work.tx.record(row.board)[-1].move == FORFEIT
    ]
    return number, forfeits


def remove_outage(work: Work, number: int) -> None:
    """Let time have run after all. Raises BadInput."""
    outage = next((each for each in work.tx.outages() if each.id == number), None)
    if outage is None:
        raise BadInput(f"There is no outage {number}.", "no-outage")
    work.tx.drop_outage(number)
    clocks.count_again(work.tx, outage.begin)
    work.tx.set_fact("reminders", "")  # what is due comes sooner: the next run looks at every board
    note(work, f"outage remove {number}")


def grant_leave(work: Work, userid: str, days: int) -> int:
    """Give a player more days of leave this year; returns how many are left. Raises BadInput."""
    user(work.tx, userid)
    now = work.now
    work.tx.add_grant(userid, now, now + days * DAY)
    note(work, f"user leave {userid} +{days}")
    year = datetime.fromtimestamp(now, UTC).year
    return leave.left_of(work, year, work.tx.absences(userid))


def admit_mail(tx: Tx) -> None:
    """Raises Passing while the server is paused: the mail comes again."""
    if tx.fact("paused"):
        raise Passing(PAUSED)
