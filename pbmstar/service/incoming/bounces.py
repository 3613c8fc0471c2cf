"""Messages that machines send: bounces, complaints, requests to stop letters, and automatic answers."""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import partial

from ... import identity
from ...errors import say
from ...identity import Purpose
from ...identity.addresses import shown
from ...inbound import admit, returned
from ...machine.times import DAY
from ...match.happenings import Unreachable
from ...store import KeptLetter, NewLetter, User
from ...store.play.clocks import BOUNCE
from ..admin import probes
from ..letters import chores
from ..letters.post import BoardLetter, send, tell_account
from ..proof import authentication
from ..reminders import leave
from ..verbs import addresses
from ..verbs.preferences import keep_wishes
from ..work.apply import load
from ..work.context import Computation, Outcome
from ..work.feature import answers_to
from ..work.work import Work

HARD, SOFT = 1.0, 0.25  # the scores of a permanent and of a passing failure
SUSPENDED_AT = (
    3.0  # the score that suspends an address, until its player writes: authentication.seen
)
# A reader who calls our mail spam (RFC 5965) must get no more, like one whose address is gone: providers
# count such reports, and in the end refuse our mail to all their readers.
COMPLAINT = SUSPENDED_AT
_WEIGHTS = {returned.COMPLAINT: COMPLAINT, returned.PERMANENT: HARD, returned.PASSING: SOFT}
STRANGER_LEFT = 30 * DAY  # for so long no letter goes to a stranger's address after a bounce
BOUNCES_A_DAY = 50  # the most that are looked at for one address
# The names that ``inbound.nature`` gives to answers of programs, except reports of bounces.
_ANSWERS = frozenset(("auto-submitted", "autoresponder", "out of office"))


def take(
    work: Work,
    address: identity.ServiceAddress,
    raw: bytes,
    authentic: str = "none",
    *,
    null: bool = False,
) -> Outcome:
    """Carry out a message to a service address; ``null``: it has the null sender.

    The address alone counts: nobody is answered, and the From address of the mail does not matter.
    Raises NeedsComputation if the mail must be read first.
    """
    purpose, userid = address.purpose, address.name
    if purpose is Purpose.PROBE:
        return _of_probe(work, address, raw, authentic, null=null)
    if purpose in (Purpose.NEVER, Purpose.STRANGER_BOUNCE):
        return _from_stranger(work, address, raw, null=null)
    found = authentication.reader(work, address, purpose, userid, work.tx.accounts.addresses)
    if found is None:
        return Outcome("ignored", "unknown token")
    user, to = found
    match purpose:
        case Purpose.STOP_REMINDERS:
            keep_wishes(work, user._replace(reminders=0))
        case Purpose.STOP_NEWS:
            keep_wishes(work, user._replace(news=0))
        case Purpose.BOUNCE:
            kind = _kind(work, user.userid, raw, to, null=null)
            score = _WEIGHTS.get(kind, 0.0)
            return bounced(work, user, to, score) if score else _no_bounce(kind)
        case _:  # also if the feature is switched off, for the time when it is on again
            _, answers = answers_to(purpose)
            if answers.stop:
                answers.stop(work, user)
    return Outcome("applied", "unsubscribe")


def _no_bounce(kind: str) -> Outcome:
    """Return the outcome of a message that isn't a bounce; the log has the type of a report."""
    return Outcome("ignored", kind or "no bounce")


def _of_probe(
    work: Work, address: identity.ServiceAddress, raw: bytes, authentic: str, *, null: bool
) -> Outcome:
    """Note for the operator that a probe came back, or the verdict on the reply to it."""
    if not identity.is_signed(work.keys, address, Purpose.PROBE, address.name, ""):
        return Outcome("ignored", "unknown token")
    kind = _kind(work, address.name, raw, null=null)
    what = "a bounce" if kind in _WEIGHTS else f"a reply, {authentic} by our mail server"
    known = probes.came_back(work, address.name, what)
    return Outcome("applied", "probe") if known else Outcome("ignored", "no bounce")


def _from_stranger(
    work: Work, address: identity.ServiceAddress, raw: bytes, *, null: bool
) -> Outcome:
    """Suppress a stranger's address if it refuses our letters for good, or wants none."""
    purpose, mark = address.purpose, address.name
    if not identity.is_signed(work.keys, address, purpose, mark, ""):
        return Outcome("ignored", "unknown token")
    kind = (
        _kind(work, mark, raw, null=null)
        if purpose is Purpose.STRANGER_BOUNCE
        else returned.COMPLAINT
    )
    score = _WEIGHTS.get(kind, 0.0)
    if score < HARD:
        return Outcome("ignored", "no hard bounce")
    work.tx.people.suppress(
        mark, work.now, None if score >= COMPLAINT else work.now + STRANGER_LEFT
    )
    return Outcome("applied", "suppressed")


def _kind(work: Work, userid: str, raw: bytes, to: str = "", *, null: bool) -> str:
    """Return what a returned mail is, see ``returned.read``; empty if too many came today.

    ``to``: the address to which our letter went, if we know it.
    """
    if work.exceeds(BOUNCES_A_DAY, f"bounces {userid}"):
        work.report.reached("bounces")
        return ""
    read = partial(returned.read, raw, to, null=null)
    return str(work.results.of(Computation(("bounce", to), read, "bounce")))


_LINE = 998  # bytes in a line of a message, by RFC 5322
_AS_MAIL = "Content-Type: message/rfc822\nContent-Transfer-Encoding: 8bit\n"
_AS_FILE = (  # a part of the kind message must not be encoded
    'Content-Type: application/octet-stream; name="mail.eml"\nContent-Transfer-Encoding: base64\n'
    'Content-Disposition: attachment; filename="mail.eml"\n'
)


def for_operator(work: Work, raw: bytes) -> Outcome:
    """Pass on a message to postmaster or abuse, unchanged and attached to a letter of ours.

    Other servers would not take it from us under the name of its author. Nor do they take lines that are too
    long: with such lines it is an attached file.
    """
    operator = work.context.config.operator
    serial = work.random(12).hex()
    domain = work.context.config.domain
    head = (
        f"From: {work.context.config.address}\nTo: {operator}\nSubject: Mail to the operator\n"
        f"Date: {format_datetime(datetime.fromtimestamp(work.now, UTC))}\n"
        f"Message-ID: <pbmstar.{serial}@{domain}>\nAuto-Submitted: auto-generated\n"
        f"MIME-Version: 1.0\n"
    )
    body, kind = admit(raw), _AS_MAIL
    if max(map(len, body.split(b"\n"))) > _LINE:
        body, kind = b64encode(body), _AS_FILE
        body = b"\n".join(body[at : at + 76] for at in range(0, len(body), 76)) + b"\n"
    content = f"{head}{kind}\n".encode() + body
    message_id = f"<pbmstar.{serial}@{domain}>"
    letter = work.tx.outbox.add(NewLetter(message_id, "", operator, "", content, work.now))
    work.report.letters.append(letter)
    return Outcome("applied", "passed on to the operator")


def refused(work: Work, letter: KeptLetter) -> None:
    """Count a letter as a permanent bounce, since the relay refused its recipient."""
    user = work.tx.accounts.user(letter.userid)
    if user is None:
        if letter.sender:  # a stranger, who was asked to confirm an address or got the welcome
            mark = identity.reader_mark(letter.address)
            work.tx.people.suppress(mark, work.now, work.now + STRANGER_LEFT)
    elif letter.address in work.tx.accounts.addresses(user):
        bounced(work, user, letter.address, HARD)


def bounced(work: Work, user: User, address: str, score: float) -> Outcome:
    """Count a bounce from an address of an account; after enough of them, give the address up.

    Another address takes the place of the first one; if there is none, the account is suspended.
    """
    other = next((o for o in work.tx.accounts.others(user) if o.address == address), None)
    if other is not None:
        if other.bounces + score < SUSPENDED_AT:
            work.tx.accounts.set_address_bounces(address, other.bounces + score)
            return Outcome("applied", "bounce")
        addresses.take_away(work, user, address)
        told = say(
            "We've removed {address} from this account, because our letters to it came back.",
            address=shown(address),
        )
        tell_account(work, user, say("address removed"), told, answers=False)
        return Outcome("applied", "address dropped")
    bounces = user.bounces + score
    if bounces < SUSPENDED_AT or user.state != "active":
        work.tx.accounts.set_bounces(user.userid, bounces, user.state)
        return Outcome("applied", "bounce")
    if addresses.succeed(work, user):
        return Outcome("applied", "address replaced")
    work.tx.accounts.set_bounces(user.userid, bounces, "suspended")
    work.tx.clocks.add_absence(user.userid, work.now, None, BOUNCE, work.now)
    tell_opponents(work, user)
    return Outcome("applied", "suspended")


def tell_opponents(work: Work, user: User) -> None:
    """Tell the opponents in a player's running games that messages to the player come back, in pieces."""
    if rest := tell_some(work, {"userid": user.userid, "after": 0}):
        chores.later(work, tell_some, user.userid, rest)


def tell_some(work: Work, facts: chores.Facts) -> chores.Facts | None:
    """Tell the opponents on the next boards, unless the player has written since."""
    userid = facts["userid"]
    user = work.tx.accounts.user(userid)
    if user is None or user.state != "suspended":
        return None

    def tell(number: int) -> None:
        match = load(work, number)
        if opponent := match.opponent(userid):
            send(work, BoardLetter(match, (Unreachable(userid),), (opponent,)))

    numbers = work.tx.boards.running_after(userid, facts["after"], chores.PIECE)
    chores.each(work, "board", numbers, tell)
    return {**facts, "after": numbers[-1]} if len(numbers) == chores.PIECE else None


def take_hint(work: Work, address: identity.Address, automatic: str) -> None:
    """Note that a program answers for the player that a signed address of ours speaks for.

    Any mail program can write such a message, so it stops no clock, and nobody is told. It only brings the
    player's next last warning a day earlier, with advice how to stop the clocks. At most one such mail
    for a player counts in a day.
    """
    if automatic not in _ANSWERS:
        return
    userid = ""
    match address:
        case identity.ServiceAddress(purpose=Purpose.BOUNCE):
            userid = address.name
        case identity.ReplyAddress():
            _, userid, _ = authentication.speaker(work, address)
    user = work.tx.accounts.user(userid) if userid else None
    if user is not None and work.tx.ledger.count(f"absent {userid}", work.now, DAY) == 1:
        work.tx.accounts.set_absent(userid, work.now)
        leave.look_again(work, userid)
