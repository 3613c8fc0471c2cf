"""The verbs that only ask: boards, score reports, lists, help. Nothing is changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from ... import games
from ...command import GAME_VERBS, SERVER_VERBS, Command
from ...errors import NOTHING, BadInput, Sentence, say, say_many, together
from ...games.base import Game
from ...games.puzzles.puzzle import Puzzle
from ...machine.times import DAY, Epoch
from ...match import Happening, dates, spelled_result
from ...match.happenings import AsItWas
from ...render.facts import (
    BestFacts,
    BestLine,
    BoardFacts,
    PageFacts,
    ScoreFacts,
    WhoFacts,
    WhoLine,
)
from ...render.pages import found_on, names_of, topics
from ...store import Best, User
from ..letters import stakes
from ..letters.post import BoardLetter
from ..proof.limits import ask
from ..reminders import leave
from ..work.apply import as_it_was, look
from ..work.bots import opponents
from ..work.letter import PlainLetter
from ..work.work import BoardRefusal, Work

_SHOWN = 10  # boards that one command shows
_LISTED = 50  # names on a list of players to challenge
_WEEK = 7 * DAY
_BEST = 20  # players of a list of the best
_NEAREST, _ALIKE = 3, 0.75  # topics that are told for a misspelled one, and how alike they are
_SHORTEST = 3  # letters that two topics have in common at their beginnings


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
                "The game on board {number} is still running. You'll get its album when it's over.",
                number=match.number,
            ),
            "not-over",
            match,
        )
    letter = replace(BoardLetter.answer(match, reader.userid), album=True)
    ask(work, reader, ("album", *match.state), letter)


def who(work: Work, _command: Command, reader: User) -> None:
    """Mail a list of players who take challenges and agree to be named, those who wrote last first."""
    players = [
        WhoLine(userid, running, _seen(work, at), leave.is_away(work, userid))
        for userid, refuses, running, at in work.tx.accounts.listed(_LISTED)
        if userid != reader.userid and len(refuses.split()) < len(games.GAMES)
    ]
    at_once = bool(opponents(work, games.GAMES[0]({})))
    ask(work, reader, ("who",), PlainLetter.to(reader, WhoFacts(reader.userid, players, at_once)))


def _seen(work: Work, at: Epoch) -> Sentence:
    """Return in words how many weeks ago that was: nobody needs to know the day. Empty for 0."""
    if not at:
        return NOTHING
    weeks = int((work.now - at) / _WEEK)
    if weeks < 1:
        return say("this week")
    return say_many("{count} week ago", "{count} weeks ago", weeks)


def best(work: Work, command: Command, reader: User) -> None:
    """Mail the best results of players in a puzzle."""
    assert command.game is not None
    game = command.game(command["options"])
    bests = [
        BestLine(
            best.rank,
            dates.date_of(best.at),
            best.userid,
            _reached(game, best),
        )
        for best in work.tx.notebook.bests(game.word, games.dump(game), _BEST)
    ]
    assert isinstance(game, Puzzle)
    facts = BestFacts(game.title, game.word, game.described(), game.known, bests)
    ask(work, reader, ("best", game.word, games.dump(game)), PlainLetter.to(reader, facts))


def _reached(game: Game, best: Best) -> Sentence:
    """Return what a player has reached; its note was stored in English, the number of stones first."""
    assert isinstance(game, Puzzle)
    note = game.noted(int(best.note.split(" ", 1)[0]))
    if not best.turns:
        return note
    return together(note, say_many("{count} turn", "{count} turns", best.turns), by=", ")


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
    known = topics(work.context.config.templates)
    if not found_on(topic, known) and topic in _VERBS:
        topic = "commands"
    if not found_on(topic, known):
        near = ", ".join(_nearest(topic, known))
        why = (
            say("We don't have help on that. You can ask for {topics}.", topics=near)
            if near
            else say("We don't have help on that. For a list of topics, reply: help")
        )
        raise BadInput(why, "no-help")
    return topic


def _nearest(topic: str, pages: Sequence[str]) -> list[str]:
    """Return the topics nearest to a misspelled one, the nearest first: those that begin like it, if any."""
    verbs = (name for name in _VERBS if " " not in name)
    names = sorted({*pages, *names_of(pages), *(game.word for game in games.GAMES), *verbs})
    begun = [
        name
        for name in names
        if min(len(name), len(topic)) >= _SHORTEST
        and (name.startswith(topic) or topic.startswith(name))
    ]
    return get_close_matches(topic, begun or names, _NEAREST, 0.0 if begun else _ALIKE)
