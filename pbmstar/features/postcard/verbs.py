"""The verb that sends a postcard, and the answer to a bet on one."""

from __future__ import annotations

import re
from functools import partial

from ...command import Command
from ...errors import Said, say, say_many
from ...games.base import PLAYERS
from ...identity import GuestAddress
from ...inbound import Inbound
from ...match import Match
from ...render.board.opening import margin
from ...service.incoming.questions import Asking
from ...service.letters.headers import signed
from ...service.letters.post import PlainLetter
from ...service.proof import strangers
from ...service.verbs import membership
from ...service.work.apply import load
from ...service.work.work import BoardRefusal, Speaker, Work
from ..offers.invitations import ToFriend, mail_once
from ..offers.rows import Invitations
from .facts import PostcardFacts
from .rules import LEAST, moment, scene

BET = "bet"  # the question of the letter: who won?
_OTHER = "another player"
_BET = re.compile(r"(?:(?:i )?bet (?:on )?)?([xo])")


def postcard(work: Work, command: Command, speaker: Speaker) -> None:
    """Mail a postcard of a finished game to an address, if no such letter went there before. Raises Refusal.

    It counts as an invitation in each limit. A private game is shown to nobody, and no postcard names a
    person who has not sent it.
    """
    match, user = speaker.match, work.account(speaker.userid)
    _require_shown(match)
    told = (
        say(
            "We send a postcard to that address, unless it belongs to an account, has already had an "
            "invitation or a postcard, or wants no letters."
        ),
        say(
            "It shows board {number} as it was when both of you could still win, and asks who won. It "
            "names you, but no other person, and repeats none of your words.",
            number=match.number,
        ),
    )
    writer = partial(_letter, work, match, user.userid)
    letter = ToFriend(say("postcard"), told, writer, may_follow=False)
    mail_once(work, user, command["address"], letter)


def _require_shown(match: Match) -> None:
    if match.terms.private:
        text = say("Board {number} is private: only its players can see it.", number=match.number)
        raise BoardRefusal(text, "private", match)
    if not match.position.over:
        text = say(
            "The game on board {number} is still running; a postcard shows a finished game.",
            number=match.number,
        )
        raise BoardRefusal(text, "not-over", match)
    if match.position.played < LEAST or match.result == "void":
        text = say(
            "A postcard needs a game of at least {least} moves that has a result.", least=LEAST
        )
        raise BoardRefusal(text, "no-postcard", match)


def _letter(work: Work, match: Match, sender: str, address: str) -> PlainLetter:
    number = moment(match)
    facts = PostcardFacts(
        sender,
        _side(match, sender),
        match.program,
        match.game.title,
        number,
        match.position.played,
    )
    heads = {"Reply-To": signed(work, BET, strangers.reader(address), match.number)}
    shown = scene(match, number, sender, match.program or _OTHER)
    return PlainLetter(facts, "", address, heads, answers=False).showing(shown)


def _side(match: Match, userid: str) -> str:
    return next(each for each in PLAYERS if match.players[each] == userid)


def answered(work: Work, address: GuestAddress, mail: Inbound) -> Asking | None:
    """Return who won, for a message that bets on a player, and the game to try; None for any other mail."""
    lines = [line for line in mail.lines if line.strip()][:1] if mail.is_reply else [mail.subject]
    bet = _BET.fullmatch(membership.plainly(lines[0])) if lines else None
    if not bet:
        return None
    row = work.tx.boards.get(address.number)
    match = load(work, address.number) if row else None
    if match is None or not match.position.over:
        return Asking(answers=(say("Nobody can tell you who won: that game is no longer over."),))
    sent = work.tx.of(Invitations).get(address.mark)
    said = _outcome(match, bet[1].upper(), sent.userid if sent else "")
    words = [game.word for game in membership.FIRST_GAMES]
    return Asking(match.game.word if match.game.word in words else "", (said,))


def _outcome(match: Match, side: str, sender: str) -> Said:
    """Return who won, as a reader is told who has bet on a side; only the sender of the postcard is named."""
    if not match.winner:
        return say("Nobody won, and nobody lost: the game was a tie.")
    winner = _side(match, match.winner)
    how = _won(sender if sender in match.seats else winner.lower(), match, sender)
    return (
        say("You saw it: {outcome}.", outcome=how)
        if side == winner
        else say("Not this time: {outcome}.", outcome=how)
    )


def _won(who: str, match: Match, sender: str) -> Said:
    """Return a clause that says if the sender of a postcard, or else the winner, won, and by how much."""
    points, is_lost = margin(match), sender in match.seats and sender != match.winner
    if is_lost:
        by = say_many(
            "{who} lost by {count} point", "{who} lost by {count} points", points, who=who
        )
        return by if points else say("{who} lost", who=who)
    by = say_many("{who} won by {count} point", "{who} won by {count} points", points, who=who)
    return by if points else say("{who} won", who=who)
