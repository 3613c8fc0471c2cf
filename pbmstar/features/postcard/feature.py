"""Postcards: their answers to core, and what their command does."""

from __future__ import annotations

import re
from functools import partial
from types import MappingProxyType

from ... import identity
from ...command import Command, read_first_move
from ...errors import Sentence, say, say_many
from ...games.base import PLAYERS
from ...identity import GuestAddress
from ...inbound import Inbound
from ...match import Match, Terms, begin, is_move
from ...match.terms import NONE
from ...matchmaking.rows import Invitations
from ...render.board.opening import margin
from ...service.verbs import membership
from ...service.verbs.invitations import ToFriend, mail_once
from ...service.work.apply import load
from ...service.work.feature import AboutBoard, Answers, Below, Feature, Tip
from ...service.work.letter import PlainLetter, signed
from ...service.work.work import Asking, BoardRefusal, Speaker, Work
from ...store import User
from .facts import PostcardFacts

LEAST = 4  # moves of a game that can be shown
_TERMS = Terms(time=NONE)


def moment(match: Match) -> int:
    """Return the number of the last move before the end after which both players could still win.

    No stone hurts its owner, so a game that is decided stays so.
    """
    open_, decided = 1, match.position.played
    while decided - open_ > 1:
        middle = (open_ + decided) // 2
        if match.at_move(middle).bounds.decided is None:
            open_ = middle
        else:
            decided = middle
    return open_


def scene(match: Match, number: int, sender: str, other: str) -> Match:
    """Return a game as it stood after move ``number``, with ``other`` as the name of the sender's opponent.

    Nothing in it tells more of them.
    """
    first, second = (sender if each == sender else other for each in match.seats)
    shown = begin(0, match.game, (first, second), 0.0, _TERMS)
    for entry in match.at_move(number).whole:
        if is_move(entry.number, entry.move):
            shown = shown.after(shown.to_move, entry.move, 0.0)
    return shown


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
            "We'll send a postcard to that address, unless someone there already has an account, "
            "has gotten an invitation or a postcard before, or has asked us not to write."
        ),
        say(
            "It shows board {number} at the last moment when either of you could still win, and "
            "asks who won. Your name is on it, but your opponent's isn't, and neither is "
            "anything the two of you wrote.",
            number=match.number,
        ),
    )
    writer = partial(_letter, work, match, user.userid)
    letter = ToFriend(say("postcard"), told, writer, may_follow=False)
    mail_once(work, user, command["address"], letter)


def _require_shown(match: Match) -> None:
    if match.terms.private:
        text = say(
            "Board {number} is private, so only its players can see it.", number=match.number
        )
        raise BoardRefusal(text, "private", match)
    if not match.position.over:
        text = say(
            "The game on board {number} is still running. You can only send a postcard of a "
            "finished game.",
            number=match.number,
        )
        raise BoardRefusal(text, "not-over", match)
    if match.position.played < LEAST or match.result == "void":
        text = say(
            "You can only send a postcard of a game with at least {least} moves and a result.",
            least=LEAST,
        )
        raise BoardRefusal(text, "no-postcard", match)


def _letter(work: Work, match: Match, sender: str, address: str) -> PlainLetter:
    number = moment(match)
    first = membership.first_game(match.game.word)
    facts = PostcardFacts(
        sender,
        _side(match, sender),
        match.program,
        match.game.title,
        number,
        match.position.played,
        membership.like(first) if membership.host(work, first) else "",
    )
    heads = {"Reply-To": signed(work, BET, identity.reader_mark(address), match.number)}
    shown = scene(match, number, sender, match.program or _OTHER)
    return PlainLetter(facts, "", address, heads, answers=False).showing(shown)


def _side(match: Match, userid: str) -> str:
    return next(each for each in PLAYERS if match.players[each] == userid)


def answered(work: Work, address: GuestAddress, mail: Inbound) -> Asking | None:
    """Return who won, for a message that bets on a player, and the game to try; None for any other mail.

    For a message that names a cell it is that game alone.
    """
    lines = [line for line in mail.lines if line.strip()][:1] if mail.is_reply else [mail.subject]
    bet = _BET.fullmatch(membership.plainly(lines[0])) if lines else None
    row = work.tx.boards.get(address.number)
    match = load(work, address.number) if row else None
    first = membership.first_game(match.game.word if match else "")
    if not bet:
        move = read_first_move(mail.subject, mail.is_reply, mail.lines, first)
        return Asking(first.word) if move.cell else None
    if match is None or not match.position.over:
        return Asking(
            answers=(
                say(
                    "We can't tell you who won, because that game was reopened and is still "
                    "being played."
                ),
            )
        )
    sent = work.tx.of(Invitations).get(address.mark)
    said = _outcome(match, bet[1].upper(), sent.userid if sent else "")
    return Asking(first.word, (said,))


def _outcome(match: Match, side: str, sender: str) -> Sentence:
    """Return who won, as a reader is told who has bet on a side; only the sender of the postcard is named."""
    if not match.winner:
        return say("Nobody won: the game was a tie.")
    winner = _side(match, match.winner)
    how = _won(sender if sender in match.seats else winner.lower(), match, sender)
    return (
        say("You saw it coming: {outcome}.", outcome=how)
        if side == winner
        else say("Not this time: {outcome}.", outcome=how)
    )


def _won(who: str, match: Match, sender: str) -> Sentence:
    """Return a clause that says if the sender of a postcard, or else the winner, won, and by how much."""
    points, is_lost = margin(match), sender in match.seats and sender != match.winner
    if is_lost:
        by = say_many(
            "{who} lost by {count} point", "{who} lost by {count} points", points, who=who
        )
        return by if points else say("{who} lost", who=who)
    by = say_many("{who} won by {count} point", "{who} won by {count} points", points, who=who)
    return by if points else say("{who} won", who=who)


class PostcardFeature(Feature):
    """The answers of postcards to what core asks: see ``Feature``."""

    title = "postcards"
    answers = MappingProxyType({BET: Answers(guess=answered)})

    def tip(self, work: Work, letter: AboutBoard, user: User) -> Tip | None:
        """Tell of postcards who has won a game that may be shown."""
        match = letter.match
        if match.winner != user.userid or match.terms.private:
            return None
        said = say(
            "To show this game to a friend, reply with the word postcard and your friend's email "
            "address. Your friend sees the board at a point when either of you could still win, "
            "and guesses who did."
        )
        return Tip("postcard", Below(said), at_end=True)


FEATURE = PostcardFeature()
