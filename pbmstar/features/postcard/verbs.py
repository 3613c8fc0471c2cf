"""The verb that sends a postcard, and the answer to a bet on one."""

from __future__ import annotations

import re
from functools import partial

from ...command import Command
from ...games.base import PLAYERS
from ...games.spelling import plural
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
        "A postcard goes to that address, unless an account has it, an invitation or a postcard went there "
        "before, or no letters are wanted there.",
        f"It shows board {match.number} as it stood when both of you could still win, and asks who won. It "
        "names you, but no other person, and has no words of yours.",
    )
    writer = partial(_letter, work, match, user.userid)
    letter = ToFriend("postcard", told, writer, may_follow=False)
    mail_once(work, user, command["address"], letter)


def _require_shown(match: Match) -> None:
    if match.terms.private:
        text = f"Board {match.number} is private: it is shown to its players only."
        raise BoardRefusal(text, "private", match)
    if not match.position.over:
        text = f"Board {match.number} is still being played: a postcard shows a finished game."
        raise BoardRefusal(text, "not-over", match)
    if match.position.played < LEAST or match.result == "void":
        text = f"A postcard needs a game of {LEAST} moves or more that has a result."
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
    """Return who won, for a mail that bets on a player, and the game to try; None for any other mail."""
    lines = [line for line in mail.lines if line.strip()][:1] if mail.is_reply else [mail.subject]
    bet = _BET.fullmatch(membership.plainly(lines[0])) if lines else None
    if not bet:
        return None
    row = work.tx.boards.get(address.number)
    match = load(work, address.number) if row else None
    if match is None or not match.position.over:
        return Asking(answers=("Nobody can tell you who won: that game is not over any more.",))
    sent = work.tx.of(Invitations).get(address.mark)
    said = _outcome(match, bet[1].upper(), sent.userid if sent else "")
    words = [game.word for game in membership.FIRST_GAMES]
    return Asking(match.game.word if match.game.word in words else "", (said,))


def _outcome(match: Match, side: str, sender: str) -> str:
    """Return who won, as a reader is told who has bet on a side; only the sender of the postcard is named."""
    if not match.winner:
        return "Nobody won, and nobody lost: the game was a tie."
    winner = _side(match, match.winner)
    won = f"{winner.lower()} won"
    if sender in match.seats:
        won = f"{sender} {'won' if sender == match.winner else 'lost'}"
    by = f"{won} by {plural(points, 'point')}" if (points := margin(match)) else won
    return f"You saw it: {by}." if side == winner else f"Not this time: {by}."
