"""The answers of bots to the questions of core."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ...config import Config
from ...delivery.courier import at_once
from ...errors import Said, say
from ...games.base import Game
from ...machine.times import Epoch
from ...match import Match
from ...match.happenings import Began
from ...service.letters.alerts import Kind
from ...service.letters.post import BoardLetter
from ...service.work.apply import Change
from ...service.work.context import Context
from ...service.work.work import Speaker, Work
from ...store import Store, Tx, User
from ..feature import Feature
from ..values import Below, Expected, Finding, Gauge, Gauges, Tools
from . import answers, budget, measure, operator, receipts
from .facts import ReviewsPart
from .players import PLAYERS
from .rows import Bots
from .thinker import Thinker

_A_BOT = re.compile(r"(?:ro)?bots?[0-9_-]*|computer|server")
_TURNS, _OLDEST = "pbmstar_bot_turns", "pbmstar_bot_oldest_turn_seconds"


class BotsFeature(Feature):
    """Players whose moves this server finds itself."""

    name = "bots"
    title = "bots"
    figures = MappingProxyType(
        {
            "pbmstar_bot_answers_total": Gauge("Turns that bots answered.", "counter", ("bot",)),
            "pbmstar_bot_thought_seconds_total": Gauge(
                "Processor time that bots took to answer.", "counter", ("bot",)
            ),
            "pbmstar_bot_wait_seconds": Gauge(
                "From the turn of a bot to its answer.",
                "histogram",
                bounds=(0.1, 0.3, 1, 3, 10, 30, 60, 300, 600, 3600),
            ),
            _TURNS: Gauge("Boards on which a bot is to move."),
            _OLDEST: Gauge("For how long the oldest of them has waited."),
        }
    )
    alerts = MappingProxyType(
        {
            "bot": Kind(
                "a bot failed",
                "The process that finds moves for bots failed. It was started again, and the bot has "
                "answered.",
                "The log of this server says why. It may need more memory, or pip install 'pbmstar[bot]'.",
                "pbmstar doctor",
            ),
            "bots": Kind(
                "a bot does not answer",
                "A bot's turn is older than ten minutes.",
                "See what it waits for:",
                "pbmstar admin bot list",
                counted=False,
            ),
        }
    )

    # -- a game

    def require(self, work: Work, speaker: Speaker, act: str) -> None:
        """Refuse a plan, words, and more time for a bot."""
        answers.require(speaker.match, act)

    def replied(self, work: Work, change: Change) -> Change:
        """Add the bot's answer to a request."""
        return answers.reply(work, change)

    def told(self, work: Work, change: Change) -> None:
        """Send what waits for the answer to the turn before."""
        receipts.let_go(work, change.before)

    def awaited(self, work: Work, match: Match) -> Expected | None:
        """Tell of the bot that is to move."""
        return receipts.awaited(work, match)

    def below(self, work: Work, letter: BoardLetter, user: User, reader: str) -> tuple[Below, ...]:
        """Say in the first letter of a game that the best bot may take minutes."""
        bot = letter.match.program
        if bot != PLAYERS[-1] or not any(isinstance(each, Began) for each in letter.happenings):
            return ()
        return (Below(say("{bot} may think about a move for some minutes.", bot=bot)),)

    def shown(self, work: Work, match: Match) -> ReviewsPart | None:
        """Say if finished games are reviewed here."""
        is_on = bool(budget.processes(work.context.config))
        return ReviewsPart(is_on) if match.position.over else None

    # -- a player

    def opponents(self, work: Work, game: Game) -> Sequence[str]:
        """Return the bots that play a game soon enough."""
        return answers.opponents(work, game)

    def accept(
        self, work: Work, challenger: User, player: User, game: Game, is_proved: bool
    ) -> None:
        """Refuse games that bots do not play, and more of them than a player may have."""
        answers.may_challenge(work, challenger, player, game, is_proved)

    def meant(self, work: Work, userid: str) -> Said | None:
        """Name the bots."""
        is_on = bool(budget.processes(work.context.config))
        if not is_on or not _A_BOT.fullmatch(userid):
            return None
        return say("The bots are {first} to {last}: help bots", first=PLAYERS[0], last=PLAYERS[-1])

    def measured(self, word: str) -> Mapping[str, int]:
        """Return the points of the bots."""
        return measure.points(word)

    # -- the server

    def burdens(self, tx: Tx, since: Epoch) -> Mapping[str, Mapping[str, float]]:
        """Return the processor seconds that bots have thought for players."""
        return {"bot_seconds": budget.used_since(tx, since)}

    def troubles(self, tx: Tx, config: Config, now: Epoch, began: Epoch) -> Iterator[str]:
        """Tell of a turn that waits for long."""
        if budget.processes(config) and answers.is_late(tx, config, now, began):
            yield "bots"

    def set_free(self, tx: Tx, node: str) -> None:
        """Let any node think about the boards that this one has claimed."""
        tx.of(Bots).drop_thoughts_of(node)

    def worker(self, tools: Tools) -> Thinker | None:
        """Return the threads that ask the processes that think."""
        return Thinker(tools.context, tools.submit, tools.deliver, tools.metrics)

    def answer(self, context: Context, store: Store) -> bool:
        """Answer all due turns, unless another process does."""
        is_on = bool(budget.processes(context.config))
        return is_on and bool(Thinker(context, at_once(store), lambda: None).run_once())

    def gauges(self, config: Config, tx: Tx | None, now: Epoch) -> Gauges:
        """Count the boards that wait for a bot."""
        if tx is None:
            return {}
        waiting = tx.of(Bots).waiting()
        age = 0.0 if waiting.since is None else max(now - waiting.since, 0.0)
        return {_TURNS: {(): waiting.boards}, _OLDEST: {(): age}}

    def examine(self, config: Config, now: Epoch) -> Iterator[Finding]:
        """Look at the turns that wait, and at failures."""
        return operator.examine(config, now)


FEATURE = BotsFeature()
