"""Messages that machines send: bounces, complaints, requests to stop letters, and automatic answers."""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import partial

from ... import identity
from ...errors import say
from ...features.feature import features
from ...inbound import admit, returned
from ...match.happenings import Unreachable
from ...match.terms import DAY
from ...store import KeptLetter, NewLetter, User
from ...store.play.clocks import BOUNCE
from ..admin import probes
from ..letters.post import BoardLetter, send, tell_account
from ..proof import authentication, strangers
from ..reminders import leave
from ..verbs import addresses
from ..verbs.preferences import keep_wishes
from ..work.apply import load
from ..work.context import Outcome
from ..work.tasks import Task
from ..work.work import Work

HARD, SOFT = 1.0, 0.25  # the scores of a permanent and of a passing failure
SUSPENDED_AT = 3.0  # the score that suspends an address; any message from the player clears it
# A reader who calls our mail spam (RFC 5965) must get no more, like one whose address is gone: providers
# count such reports, and in the end refuse our mail to all their readers.
COMPLAINT = SUSPENDED_AT
_WEIGHTS = {returned.COMPLAINT: COMPLAINT, returned.PERMANENT: HARD, returned.PASSING: SOFT}
STRANGER_LEFT = 30 * DAY  # for so long no letter goes to a stranger's address after a bounce
BOUNCES_A_DAY = 50  # the most that are looked at for one address
# The names that ``inbound.nature`` gives to answers of programs, except reports of bounces.
_ANSWERS = frozenset(("auto-submitted", "autoresponder", "out of office"))


def take(
    work: Work, address: identity.ServiceAddress, raw: bytes, authentic: str = "none"
) -> Outcome:
    """Carry out a message to a service address. Raises Missing if it must be read first.

    The address alone counts: nobody is answered, and the From address of the mail does not matter.
    """
    purpose, userid = address.purpose, address.name
    if purpose == "p":
        return _of_probe(work, address, raw, authentic)
    if purpose in "ns":
        return _from_stranger(work, address, raw)
    user = work.tx.accounts.user(userid)
    own = work.tx.accounts.addresses(user) if user else ()
    signed = (each for each in own if identity.is_signed(work.keys, address, purpose, userid, each))
    to = next(signed, None)
    if user is None or to is None:
        return Outcome("ignored", "unknown token")
    match purpose:
        case "u":
            keep_wishes(work, user._replace(reminders=0))
        case "w":
            keep_wishes(work, user._replace(news=0))
        case "b":
            score = _weight(work, user.userid, raw)
            return bounced(work, user, to, score) if score else Outcome("ignored", "no bounce")
        case _:  # also if the feature is switched off, for the time when it is on again
            for feature in features():
                feature.unsubscribe(work, user, purpose)
    return Outcome("applied", "unsubscribe")


def _of_probe(work: Work, address: identity.ServiceAddress, raw: bytes, authentic: str) -> Outcome:
    """Note for the operator that a probe came back, or the verdict on the reply to it."""
    if not identity.is_signed(work.keys, address, "p", address.name, ""):
        return Outcome("ignored", "unknown token")
    score = _weight(work, address.name, raw)
    what = "a bounce" if score else f"a reply, {authentic} by our mail server"
    known = probes.came_back(work, address.name, what)
    return Outcome("applied", "probe") if known else Outcome("ignored", "no bounce")


def _from_stranger(work: Work, address: identity.ServiceAddress, raw: bytes) -> Outcome:
    """Suppress a stranger's address if it refuses our letters for good, or wants none."""
    purpose, mark = address.purpose, address.name
    if not identity.is_signed(work.keys, address, purpose, mark, ""):
        return Outcome("ignored", "unknown token")
    score = _weight(work, mark, raw) if purpose == "s" else COMPLAINT
    if score < HARD:
        return Outcome("ignored", "no hard bounce")
    work.tx.people.suppress(
        mark, work.now, None if score >= COMPLAINT else work.now + STRANGER_LEFT
    )
    return Outcome("applied", "suppressed")


def _weight(work: Work, userid: str, raw: bytes) -> float:
    """Return the score of a returned mail; 0 if it is not a bounce, or if too many came today."""
    if work.exceeds(BOUNCES_A_DAY, f"bounces {userid}"):
        work.report.reached("bounces")
        return 0.0
    return float(work.results.of(Task("weight", partial(weight, raw), "bounce")))


def weight(raw: bytes) -> float:
    """Return the score of a returned mail; 0 if it is not a bounce, or cannot be read."""
    return _WEIGHTS.get(returned.read(raw), 0.0)


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
            mark = strangers.reader(letter.address)
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
            "{address} is no longer an address of this account: letters came back from there.",
            address=address,
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
    """Tell the opponents in a player's running games that messages to the player come back."""
    for row in work.tx.boards.of(user.userid, "active"):
        match = load(work, row.board)
        if opponent := match.opponent(user.userid):
            send(work, BoardLetter(match, (Unreachable(user.userid),), (opponent,)))


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
        case identity.ServiceAddress(purpose="b"):
            userid = address.name
        case identity.ReplyAddress():
            _, userid, _ = authentication.speaker(work, address)
    user = work.tx.accounts.user(userid) if userid else None
    if user is not None and work.tx.ledger.count(f"absent {userid}", work.now, DAY) == 1:
        work.tx.accounts.set_absent(userid, work.now)
        leave.look_again(work, userid)
