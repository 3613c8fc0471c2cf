"""The verbs that only ask: boards, score reports, lists, help. Nothing is changed."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from ... import games
from ...command import GAME_VERBS, SERVER_VERBS, Command
from ...errors import BadInput
from ...games.text import many
from ...match import Happening
from ...match.terms import DAY
from ...store import User
from .. import leave, reviews
from ..apply import look
from ..post import post, post_board
from ..rations import ask
from ..work import BoardRefusal, Work

_SHOWN = 10  # boards that one command mails
_LISTED = 50  # players of a list of those who can be challenged
_WEEK = 7 * DAY
_BEST = 20  # players of a list of the best


_VERBS = frozenset(
    name for verb in (*GAME_VERBS, *SERVER_VERBS) for name in (verb.name, *verb.aliases)
)


def show(work: Work, command: Command, reader: User) -> None:
    """Mail boards, or boards as they were."""
    for number, at in command["boards"][:_SHOWN]:
        match = look(work, number, reader, command.game)
        happenings: tuple[Happening, ...] = ()
        if at is not None:
            if at > match.position.played:
                raise BoardRefusal(f"Board {number} has no move {at} yet.", "no-move", match)
            match = match.at_move(at)
            happenings = (Happening("as-it-was", "", str(at)),)
        letter = partial(
            post_board,
            work,
            match,
            happenings,
            to=(reader.userid,),
            answers=reader.userid,
            past=at is not None,
        )
        ask(work, reader, ("show", number, at, match.resets, len(match.record)), letter)


def score(work: Work, command: Command, reader: User) -> None:
    """Mail the detailed score report of a board."""
    match = look(work, command["board"], reader, command.game)
    letter = partial(
        post_board, work, match, to=(reader.userid,), template="score", answers=reader.userid
    )
    ask(work, reader, ("score", match.number, match.resets, len(match.record)), letter)


def review(work: Work, command: Command, reader: User) -> None:
    """Mail where a finished game turned; the letter waits until that is known."""
    reviews.ask_for(work, look(work, command["board"], reader, command.game), reader)


def who(work: Work, _command: Command, reader: User) -> None:
    """Mail a list of players who take challenges and agree to be named, those seen last first."""
    players = [
        {
            "userid": userid,
            "running": running,
            "seen": _weeks(work.now - seen),
            "away": leave.away_until(work, userid) is not None,
        }
        for userid, refuses, running, seen in work.tx.listed(_LISTED)
        if userid != reader.userid and len(refuses.split()) < len(games.GAMES)
    ]
    letter = partial(
        post,
        work,
        "who",
        reader.userid,
        reader.address,
        {"reader": reader.userid, "players": players, "bots": bool(work.context.config.bots)},
    )
    ask(work, reader, ("who",), letter)


def _weeks(seconds: float) -> str:
    """How long ago that is, by the week: nobody needs to know the day."""
    weeks = int(seconds / _WEEK)
    return ("this week", "last week")[weeks] if weeks < 2 else f"{weeks} weeks ago"


def best(work: Work, command: Command, reader: User) -> None:
    """Mail the best that players have reached in a puzzle."""
    assert command.game is not None
    game = command.game(command["options"])
    bests = [
        {
            "rank": best.rank,
            "date": datetime.fromtimestamp(best.at, UTC).date().isoformat(),
            "userid": best.userid,
            "note": best.note + (f", {many(best.turns, 'turn')}" if best.turns else ""),
        }
        for best in work.tx.bests(game.word, games.dump(game), _BEST)
    ]
    facts = {
        "title": game.title,
        "word": game.word,
        "options": game.described(),
        "known": game.known,
        "bests": bests,
    }
    post(work, "best", reader.userid, reader.address, facts)


def help_page(work: Work, command: Command, reader: User) -> None:
    """Mail the help page of a game, or of a topic."""
    topic = topic_of(work, command)
    facts = {"topic": topic}
    letter = partial(post, work, "page", reader.userid, reader.address, facts)
    ask(work, reader, ("help", topic), letter)


def topic_of(work: Work, command: Command) -> str:
    """The topic that a command for help is about. Raises BadInput if there is no page on it."""
    topic = command.args.get("topic") or ("index" if command.game is None else "")
    game = command.game or games.find(topic)
    if game:
        topic = game.word.replace("*", "star")
    if topic not in work.context.topics and topic in _VERBS:
        topic = "commands"
    if topic not in work.context.topics:
        known = ", ".join(work.context.topics)
        raise BadInput(f"There is no help on that. There is help on: {known}.", "no-help")
    return topic
