"""The verbs that only ask: boards, score reports, lists, help. Nothing is changed."""

from __future__ import annotations

from dataclasses import replace

from ... import games
from ...command import GAME_VERBS, SERVER_VERBS, Command
from ...errors import BadInput, Said, say, say_many, together
from ...features.feature import opponents
from ...games.base import Game
from ...games.puzzles.puzzle import Puzzle
from ...machine.times import Seconds
from ...match import Happening, spelled_result, zones
from ...match.happenings import AsItWas
from ...match.terms import DAY
from ...render.facts import (
    BestFacts,
    BestLine,
    BoardFacts,
    PageFacts,
    ScoreFacts,
    WhoFacts,
    WhoLine,
)
from ...store import Best, User
from ..letters import stakes
from ..letters.post import BoardLetter, PlainLetter
from ..proof.rations import ask
from ..reminders import leave
from ..work.apply import as_it_was, look
from ..work.work import BoardRefusal, Work

_SHOWN = 10  # boards that one command shows
_LISTED = 50  # names on a list of players to challenge
_WEEK = 7 * DAY
_BEST = 20  # players of a list of the best


_VERBS = frozenset(
    name for verb in (*GAME_VERBS, *SERVER_VERBS) for name in (verb.name, *verb.aliases)
)


def show(work: Work, command: Command, reader: User) -> None:
    """Mail boards as they are, or as they were."""
    for number, at in command["boards"][:_SHOWN]:
        match = look(work, number, reader, command.game)
        happenings: tuple[Happening, ...] = ()
        if at is None:
            facts = stakes.of(work, match, reader.userid * (reader.userid in match.seats))
        else:
            facts = BoardFacts(result=spelled_result(match.result, match.winner))
            match = as_it_was(match, at)
            happenings = (AsItWas(at),)
        letter = BoardLetter.answer(match, reader.userid, facts, happenings)
        ask(work, reader, ("show", at, *match.state), letter)


def score(work: Work, command: Command, reader: User) -> None:
    """Mail the detailed score report of a board."""
    match = look(work, command["board"], reader, command.game)
    letter = BoardLetter.answer(match, reader.userid, ScoreFacts())
    ask(work, reader, ("score", *match.state), letter)


def album(work: Work, command: Command, reader: User) -> None:
    """Mail the album of a game that is over: its last letter again, with all words written since."""
    match = look(work, command["board"], reader, command.game)
    if not match.position.over:
        raise BoardRefusal(
            say(
                "The game on board {number} is still running; its album comes with the last letter.",
                number=match.number,
            ),
            "not-over",
            match,
        )
    letter = replace(BoardLetter.answer(match, reader.userid), album=True)
    ask(work, reader, ("album", *match.state), letter)


def who(work: Work, _command: Command, reader: User) -> None:
    """Mail a list of players who take challenges and agree to be named, those seen last first."""
    players = [
        WhoLine(userid, running, _weeks(work.now - seen), leave.is_away(work, userid))
        for userid, refuses, running, seen in work.tx.accounts.listed(_LISTED)
        if userid != reader.userid and len(refuses.split()) < len(games.GAMES)
    ]
    at_once = bool(opponents(work, games.GAMES[0]({})))
    ask(work, reader, ("who",), PlainLetter.to(reader, WhoFacts(reader.userid, players, at_once)))


def _weeks(seconds: Seconds) -> Said:
    """Return in words how many weeks ago that is: nobody needs to know the day."""
    weeks = int(seconds / _WEEK)
    if weeks < 1:
        return say("this week")
    return say_many("last week", "{count} weeks ago", weeks)


def best(work: Work, command: Command, reader: User) -> None:
    """Mail the best results of players in a puzzle."""
    assert command.game is not None
    game = command.game(command["options"])
    bests = [
        BestLine(
            best.rank,
            zones.date_of(best.at),
            best.userid,
            _reached(game, best),
        )
        for best in work.tx.notebook.bests(game.word, games.dump(game), _BEST)
    ]
    known = game.best_known(game.start())
    facts = BestFacts(game.title, game.word, game.described(), known, bests)
    ask(work, reader, ("best", game.word, games.dump(game)), PlainLetter.to(reader, facts))


def _reached(game: Game, best: Best) -> Said:
    """Return what a player has reached; its note was stored in English, the number of stones first."""
    assert isinstance(game, Puzzle)
    note = game.noted(int(best.note.split(" ", 1)[0]))
    if not best.turns:
        return note
    return together(note, say_many("1 turn", "{count} turns", best.turns), by=", ")


def help_page(work: Work, command: Command, reader: User) -> None:
    """Mail the help page of a game, or of a topic."""
    topic = topic_of(work, command)
    ask(work, reader, ("help", topic), PlainLetter.to(reader, PageFacts(topic)))


def topic_of(work: Work, command: Command) -> str:
    """Return the topic that a command for help is about. Raises BadInput if there is no page on it."""
    topic = command.args.get("topic") or ("index" if command.game is None else "")
    game = command.game or games.find(topic)
    if game:
        topic = games.path_of(game.word)
    if topic not in work.context.topics and topic in _VERBS:
        topic = "commands"
    if topic not in work.context.topics:
        known = ", ".join(work.context.topics)
        raise BadInput(
            say("There is no help on that. There is help on: {topics}.", topics=known), "no-help"
        )
    return topic
