"""Mails that machines send back: bounces, complaints, and wishes to get no more."""

from __future__ import annotations

import email
from email.policy import compat32
from functools import partial

from flufl.bounce import all_failures

from .. import identity
from ..inbound import admit
from ..match import Happening
from ..match.terms import DAY
from ..store import Letter, User
from ..store.stops import BOUNCE
from .apply import load
from .context import Outcome
from .post import post_board
from .results import Task
from .verbs.wishes import keep_wishes
from .work import Work

HARD, SOFT = 1.0, 0.25  # what a permanent and a passing failure count
SUSPENDED_AT = 3.0  # and how much of it suspends an address; any mail of the player's clears it
# A reader who calls our mail spam (RFC 5965) is to get none, like one whose address is no more: the
# providers that report it count, and in the end take no mail of ours to anybody.
COMPLAINT = SUSPENDED_AT
# What is looked at of a bounce. The library that reads it takes time with the number of lines.
SIZE, LINES = 65_536, 2_000  # bytes, lines
BOUNCES_A_DAY = 50  # that are looked at, of one address


def take(work: Work, detail: str, raw: bytes) -> Outcome:
    """What becomes of a mail to such an address. Raises Missing if it has to be read first.

    The address alone speaks: nobody is answered, and who the mail says it is from does not matter.
    """
    account = identity.read_account(detail)
    assert account is not None
    purpose, userid, mac = account
    if purpose in "ns":
        return _from_stranger(work, purpose, userid, mac, raw)
    user = work.tx.user(userid)
    if user is None or not identity.speaks_for(work.keys, purpose, userid, user.address, mac):
        return Outcome("ignored", "unknown token")
    if purpose == "u":
        keep_wishes(work, user._replace(reminders=0))
        return Outcome("applied", "unsubscribe")
    if purpose == "w":
        keep_wishes(work, user._replace(news=0))
        return Outcome("applied", "unsubscribe")
    return _bounced(work, user, raw)


def _from_stranger(work: Work, purpose: str, mark: str, mac: str, raw: bytes) -> Outcome:
    """What comes back of a letter to an address that is no account's: it wants no more, or is none."""
    if not identity.speaks_for(work.keys, purpose, mark, "", mac):
        return Outcome("ignored", "unknown token")
    if purpose == "s" and _weight(work, mark, raw) < HARD:
        return Outcome("ignored", "no hard bounce")
    work.tx.suppress(mark, work.now)
    return Outcome("applied", "suppressed")


def _weight(work: Work, userid: str, raw: bytes) -> float:
    """How bad it is, what a mail says that came back; 0 if nothing, or if too many came today."""
    if work.limited and work.tx.count(f"bounces {userid}", work.now, DAY) > BOUNCES_A_DAY:
        work.reached("bounces")
        return 0.0
    return float(work.results.of(Task("weight", partial(weight, raw), "bounce")))


def weight(raw: bytes) -> float:
    """How bad it is, what a mail says that came back; 0 if nothing, or nothing that can be read.

    Looks at its beginning only.
    """
    try:
        return _weight_of(raw)
    except (
        Exception
    ):  # of the libraries: on what no mailer has written they raise whatever comes up
        return 0.0


def _weight_of(raw: bytes) -> float:
    lines = admit(raw)[:SIZE].split(b"\n", LINES)[:LINES]
    # As ASCII: a field of other bytes would be no text to the library that looks for bounces.
    text = b"\n".join(lines).decode("ascii", "replace")
    mail = email.message_from_string(text, policy=compat32)
    kind = str(mail.get_param("report-type", "")).lower()
    if mail.get_content_type() == "multipart/report" and kind == "feedback-report":
        return COMPLAINT
    passing, permanent = all_failures(mail)
    return HARD if permanent else SOFT if passing else 0.0


def for_operator(work: Work, raw: bytes) -> Outcome:
    """Pass a mail to postmaster or abuse on as it is."""
    operator = work.context.config.operator
    serial = work.random(12).hex()
    domain = work.context.config.domain
    letter = work.tx.add_letter(
        f"<pbmstar.{serial}@{domain}>",
        "",
        operator,
        "",
        admit(raw).replace(b"\r\n", b"\n"),
        work.now,
    )
    work.letters.append(letter)
    return Outcome("applied", "passed on to the operator")


def _bounced(work: Work, user: User, raw: bytes) -> Outcome:
    score = _weight(work, user.userid, raw)
    if not score:
        return Outcome("ignored", "no bounce")
    return bounced(work, user, score)


def refused(work: Work, letter: Letter) -> None:
    """The relay has refused a letter for its recipient: that is worth a permanent bounce."""
    user = work.tx.user(letter.userid)
    if user is None:
        if letter.sender:  # a stranger, who was to confirm an address or has asked what this is
            work.tx.suppress(identity.address_mark(letter.address), work.now)
    elif user.address == letter.address:
        bounced(work, user, HARD)


def bounced(work: Work, user: User, score: float) -> Outcome:
    """A letter to an account came back: suspend it once enough of them have."""
    bounces = user.bounces + score
    if bounces < SUSPENDED_AT or user.state != "active":
        work.tx.set_bounces(user.userid, bounces, user.state)
        return Outcome("applied", "bounce")
    work.tx.set_bounces(user.userid, bounces, "suspended")
    work.tx.add_absence(user.userid, work.now, None, BOUNCE, work.now)
    tell_opponents(work, user)
    return Outcome("applied", "suspended")


def tell_opponents(work: Work, user: User) -> None:
    """Tell the opponents in running games that mails to a player come back."""
    for row in work.tx.boards_of(user.userid, "active"):
        match = load(work, row.board)
        happening = Happening("unreachable", user.userid)
        post_board(work, match, (happening,), to=filter(None, [match.opponent(user.userid)]))
