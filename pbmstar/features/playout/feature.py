"""Play it out: its answers to core, and what its command does."""

from __future__ import annotations

from ...command import Command
from ...errors import say
from ...match import Match, Terms
from ...service.verbs import beginning
from ...service.verbs.beginning import agreed_on, start
from ...service.verbs.challenges import count
from ...service.work.bots import opponents
from ...service.work.feature import AboutBoard, Below, Feature, Tip
from ...service.work.work import BoardRefusal, Speaker, Work
from ...store import User
from .commands import PlayedOn

_LONG = 8  # moves of a game of which players are told that they can play it on


def play_on(work: Work, command: Command, speaker: Speaker) -> None:
    """Begin a game from a position of one that is over, against its opponent or a program; tell both.

    Raises Refusal.
    """
    match, userid, number = speaker.match, speaker.userid, command["number"]
    if not match.position.over:
        raise BoardRefusal(
            say(
                "The game is still running. Once it's over, you can play on from any of its moves."
            ),
            "still-running",
            match,
        )
    setup = _moves_to(match, number)
    rival = _rival(work, match, userid, command.args.get("rival") or match.opponent(userid), number)
    players = [work.account(userid), rival]
    beginning.require_consent(work, players[0], players, match.game, is_proved=True)
    count(work, players[0], players)
    seats = tuple(userid if each == userid else rival.userid for each in match.seats)
    agreed = _agreed(work, match, seats)._replace(setup=setup, origin=match.number)
    because = PlayedOn(userid, match.number, number)
    start(work, match.game, seats, userid, because, agreed=agreed, is_proved=True)


def _moves_to(match: Match, number: int) -> tuple[str, ...]:
    """Return the moves up to that one. Raises BoardRefusal if nothing is left to be played after it."""
    last = match.position.played
    last -= match.at_move(last).position.over
    if number > last:
        said = say(
            "On board {number}, you can play on from any move between 1 and {last}.",
            number=match.number,
            last=last,
        )
        raise BoardRefusal(said, "no-move", match)
    return tuple(entry.move for entry in match.at_move(number).whole)


def _rival(work: Work, match: Match, userid: str, rival: str, number: int) -> User:
    """Return the opponent whom a player names. Raises BoardRefusal for people other than the opponent."""
    user = work.tx.accounts.user(rival)
    if user and (user.is_program or rival == match.opponent(userid)):
        return user
    programs = opponents(work, match.game)
    opponent = match.opponent(userid)
    said = (
        say(
            "You can only continue this game against {opponent} or a bot. To play a bot, reply: "
            "{command}",
            opponent=opponent,
            command=f"from {number} {programs[0]}",
        )
        if programs
        else say("You can only continue this game against {opponent}.", opponent=opponent)
    )
    raise BoardRefusal(said, "not-the-opponent", match)


def _agreed(work: Work, match: Match, seats: tuple[str, ...]) -> Terms:
    """Return the terms of the new game, without moves: as in the finished one, but not rated.

    What a league, a cup or the like has agreed on for its players is not kept.
    """
    chosen = {"rated": False, "private": match.terms.private}
    return agreed_on(work, seats, chosen, None if match.terms.contest else match.terms)


class PlayoutFeature(Feature):
    """Games that go on from a position of a finished one."""

    title = "games from a position"

    def tip(self, work: Work, letter: AboutBoard, user: User) -> Tip | None:
        """Tell of it who has not won a game that was long enough to have a middle."""
        match = letter.match
        if match.winner == user.userid or match.position.played < _LONG:
            return None
        text = say(
            "Could it have gone differently? You can play on from any move of this game. To "
            "try again from the middle, reply:"
        )
        return Tip("from", Below(text, (f"from {match.position.played // 2}",)), at_end=True)


FEATURE = PlayoutFeature()
