"""Invitations: one letter to a friend, and a game that begins with the friend's first move.

The address of the letter that asks for a name keeps that move: nothing is stored for a reader without an
account, except the mark of the address.

The sentence that a player sends to a friend with an invitation. Pure.

A stranger gets it from our address. So it is short, and has nothing that a mail program makes a link of, and
nothing like a password.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import dropwhile, takewhile

from ... import identity
from ...command import Command, FirstMove, read_first_move, read_reply
from ...errors import Refusal, Sentence, UsageError, say, together
from ...games.hexagon.star import Star
from ...grammar.arguments import may_be_secret
from ...identity import GuestAddress
from ...inbound import Inbound, phrases
from ...machine.times import DAY
from ...match import Terms, begin, dates
from ...match.terms import NONE
from ...matchmaking.offers import INVITATIONS
from ...matchmaking.rows import Invitations
from ...render.facts import DeclinedFacts, InvitationFacts, RefusedLine, WaitsFacts
from ...store import User
from ..letters.post import tell_account
from ..proof import authentication, strangers
from ..proof.strangers import usable_address
from ..work.feature import Writer
from ..work.letter import PlainLetter, signed
from ..work.work import Work
from . import membership
from .beginning import INVITATION, INVITED_TO
from .offers import require_active

_GAME = INVITED_TO
_READER = "you"  # no userid, since it is an English word
_WEEK, _MONTH = 7 * DAY, 30 * DAY
LONGEST = 120  # characters
_LINK = re.compile(r"@|://|\bwww\b|\bmailto:|\w[.\u3002][^\W\d_]{2}|\d[.\u3002]\d+[.\u3002]\d")
_TELEPHONE = re.compile(r"\+?(?:\d[\s()/.-]*){9}")


@dataclass(frozen=True)
class ToFriend:
    """A letter of a player to a person without an account.

    topic, told  of the answer to the player: the end of its Subject, and its sentences
    writer       makes the letter
    may_follow   a game with the player begins if an account is opened at the address
    """

    topic: Sentence
    told: Sequence[Sentence]
    writer: Writer
    may_follow: bool = True


def invite(work: Work, command: Command, user: User) -> None:
    """Mail an invitation to an address, if no such letter went there before. Raises Refusal."""
    below = command.args.get("below", ())
    said = greeting_of(command.args.get("words", ""), below)
    told = [
        say(
            "We'll send an invitation to that address, unless its owner has an account, was "
            "invited before, or has asked us not to write."
        ),
        say(
            "Your game of Star will start once your friend has chosen a name here. Your friend "
            "goes first."
        ),
    ]
    if said:
        told.append(say('We\'ll add your message: "{words}"', words=said))
    if any(map(str.strip, dropwhile(str.strip, below))):
        told.append(say("We won't send what you wrote below the blank line."))
    writer = partial(_invitation, work, user.userid, said)
    mail_once(work, user, command["address"], ToFriend(say("invitation"), told, writer))


def mail_once(work: Work, user: User, address: str, letter: ToFriend) -> None:
    """Mail a letter for a player to an address, if it has no account and none went there before.

    The answer is the same if no letter goes out: it tells nothing about that address. Raises Refusal.
    """
    require_active(user)
    address = usable_address(work, address)
    invitations = work.tx.of(Invitations)
    if invitations.is_stopped(user.userid):
        raise Refusal(
            say(
                "The operator of this server has blocked you from sending invitations and "
                "postcards. If a friend would like to play, they can write to {address}.",
                address=work.context.config.address,
            ),
            "invitations-stopped",
        )
    if work.limited and invitations.count(user.userid, work.now, _WEEK) >= INVITATIONS:
        raise Refusal(
            say(
                "You can only invite {most} people a week. Try again later.",
                most=INVITATIONS,
            ),
            "too-many-invitations",
        )
    strangers.require_room(work, address)
    tell_account(work, user, letter.topic, together(*letter.told))
    mark = identity.reader_mark(address)
    is_wanted = not (
        invitations.get(mark)
        or work.tx.accounts.users_at(address)
        or strangers.is_suppressed(work, address)
    )
    invitations.add(mark, user.userid, work.now, is_wanted)
    if not is_wanted:
        return
    if not letter.may_follow:
        invitations.set_begun(mark, 0)
    work.tx.people.count_guest(mark, work.now)
    authentication.post_stranger(work, replace(letter.writer(address), language=user.language))


# -- the letters


def _invitation(work: Work, inviter: str, said: str, address: str) -> PlainLetter:
    """Return the letter that invites a reader. A tap on a cell sends the move, and a name."""
    name = membership.free_name(work, address)
    facts = InvitationFacts(inviter, name, said, f"signup {name}" if name else "")
    letter = PlainLetter(facts, "", address, _heads(work, address), answers=False)
    return _showing(work, letter, inviter)


def waiting(work: Work, address: str, facts: WaitsFacts) -> PlainLetter:
    """Return the letter that asks the reader of an invitation for a name, after the first move or before."""
    first = work.guest.first
    facts = replace(facts, first=first)
    letter = PlainLetter(facts, "", address, _heads(work, address, first))
    return _showing(work, letter, facts.inviter, first) if first else letter


def _heads(work: Work, address: str, first: str = "") -> dict[str, str]:
    number = _GAME.grid.index[first] + 1 if first else 0
    return {"Reply-To": signed(work, INVITATION, identity.reader_mark(address), number)}


def _showing(work: Work, letter: PlainLetter, inviter: str, first: str = "") -> PlainLetter:
    match = begin(0, _GAME, (_READER, inviter), work.now, Terms(time=NONE))
    if first:
        match = match.after(_READER, first, work.now)
    return letter.showing(match, _READER)


# -- the answers


def guess(work: Work, address: GuestAddress, mail: Inbound) -> Writer | None:
    """Return the letter that answers a reply to an invitation; None for one that is carried out as a command.

    The author's first move is kept for the game that begins with the account.
    """
    inviter = work.tx.of(Invitations).inviter(address.mark)
    if not inviter:
        return None
    names = _GAME.grid.names
    first = names[address.number - 1] if 0 < address.number <= len(names) else ""
    work.guest = work.guest._replace(first=first)
    if _declines(mail):
        _tell(work, inviter, address.mark)
        return partial(_declined, inviter)
    move = read_first_move(mail.subject, mail.is_reply, mail.lines, _GAME)
    if not move.cell:
        return None
    if move.cell not in names:
        return partial(_asking, work, inviter, move, (_no_cell(move),))
    work.guest = work.guest._replace(first=move.cell)
    return None if move.signs_up else partial(_asking, work, inviter, move, ())


def _asking(
    work: Work,
    inviter: str,
    move: FirstMove,
    refusals: tuple[RefusedLine, ...],
    address: str,
) -> PlainLetter:
    name = membership.free_name(work, address)
    return waiting(work, address, WaitsFacts(inviter, name, "", refusals, move.has_more))


def _no_cell(move: FirstMove) -> RefusedLine:
    return RefusedLine(move.cell, membership.no_cell(move.cell, "F6"))


_THANKS = frozenset(word for line in phrases.WITH_YES for word in line.split("|"))


def _declines(mail: Inbound) -> bool:
    """Return True if a reply says no, or decline, and no more than thanks beside it."""
    reply = read_reply(mail.subject, mail.is_reply, mail.lines, Star)
    command = reply.commands[0]
    if isinstance(command, UsageError) or not reply.bare:
        return False
    words = membership.plainly(command.args.get("words", ""))
    is_no = command.verb.name in ("no", "decline")
    return is_no and (not words or words in _THANKS)


def _declined(inviter: str, address: str) -> PlainLetter:
    return PlainLetter(DeclinedFacts(inviter), "", address)


def _tell(work: Work, inviter: str, mark: str) -> None:
    """Tell a player once that a friend has declined; the letter names no address."""
    user, invitation = work.tx.accounts.user(inviter), work.tx.of(Invitations).get(mark)
    if not (user and invitation) or work.tx.ledger.count(f"declined {mark}", work.now, _MONTH) > 1:
        return
    notice = say(
        "Your invitation was declined: the friend you invited on {day} doesn't want to play "
        "right now.",
        day=dates.in_full(invitation.at, user.zone),
    )
    tell_account(work, user, say("invitation declined"), notice, answers=False)


def greeting(
    work: Work, address: str, name: str, refusals: Sequence[RefusedLine]
) -> PlainLetter | None:
    """Return the letter to a friend who has replied to an invitation, and has no name yet; None for others.

    name      a free userid for the guest; empty if none is known
    refusals  the lines of the mail that were refused
    """
    inviter = work.tx.of(Invitations).inviter(identity.reader_mark(address))
    if not inviter:
        return None
    return waiting(work, address, WaitsFacts(inviter, name, refusals=refusals))


def greeting_of(words: str, below: Sequence[str]) -> str:
    """Return the sentence of a command: the rest of its line, and the lines directly below it.

    A mail program may have broken the line; a blank line ends the sentence. It is empty if there is none.
    Raises Refusal.
    """
    said = _clean([words, *takewhile(str.strip, below)])
    if len(said) > LONGEST:
        raise Refusal(
            say(
                "Your message to your friend is {number} characters long, but the limit is "
                "{most}. We didn't send anything.",
                number=len(said),
                most=LONGEST,
            ),
            "long-words",
        )
    if _LINK.search(said) or _TELEPHONE.search(said):
        raise Refusal(
            say(
                "Your message can't contain a link, an email address or a phone number. (If you "
                "didn't write one, check for a missing space after a period.) We didn't send "
                "anything."
            ),
            "link-in-words",
        )
    if any(map(_is_like_a_password, said.split())):
        raise Refusal(
            say("Your message to your friend may contain a password, so we didn't send anything."),
            "secret-in-words",
        )
    return said


def _clean(lines: Iterable[str]) -> str:
    """Return lines as one, in letters that look as they are, without characters that nobody sees."""
    text = unicodedata.normalize("NFKC", " ".join(lines))
    seen = (" " if each.isspace() else each for each in text)
    return " ".join("".join(e for e in seen if unicodedata.category(e)[0] != "C").split())


def _is_like_a_password(word: str) -> bool:
    """Return True for letters with digits among them, except a number with its unit: ``10am``."""
    return may_be_secret(word) and not word[0].isdigit()
