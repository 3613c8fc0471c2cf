"""The seam: the questions that core asks every feature. A feature answers those that concern it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..errors import Refusal
from . import modules

if TYPE_CHECKING:
    from ..command import Command, Reply
    from ..config import Config
    from ..delivery.dispatch import Submit
    from ..games.base import Game
    from ..identity import GuestAddress, QuestionAddress
    from ..inbound import Inbound
    from ..match import Happening, Match, Terms
    from ..service.admin.metrics import Metrics
    from ..service.letters.alerts import Kind
    from ..service.letters.post import BoardLetter, PlainLetter
    from ..service.work.apply import Change
    from ..service.work.context import Context
    from ..service.work.work import Seat, Work
    from ..store import Store, Tx, User

Labels = tuple[str, ...]  # their values, in the order of Gauge.labels
Gauges = Mapping[str, Mapping[Labels, float]]
Writer = Callable[[str], "PlainLetter"]  # it returns a letter to that address


class Strength(NamedTuple):
    """A player's strength in a game, for the choice of opponents; by default that of a beginner.

    is_provisional  too little is known of the player
    least           the player counts as this at least: to lose on purpose helps little
    """

    points: int = 1500
    is_provisional: bool = True
    least: int = 0

    def __str__(self) -> str:
        return f"{self.points}{'?' if self.is_provisional else ''}"

    @property
    def counted(self) -> int:
        """Return the points as which the player counts."""
        return max(self.points, self.least)


Strengths = Mapping[str, Mapping[str, Strength]]  # by userid and word of a game


class NextGame(NamedTuple):
    """A proposal for a next game: the line to send, and a sentence about it.

    opponent  another program; the line is then for the server, and no reply on the board that has ended
    """

    line: str
    said: str = ""
    opponent: str = ""


class Gauge(NamedTuple):
    """A figure for monitoring: help text, kind, names of its labels, bounds of a histogram."""

    text: str
    kind: str = "gauge"
    labels: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()


class TablePage(NamedTuple):
    """A page with a table, for a feature that shows such pages to everybody.

    path      its place among them: ``ladder/hex.html``
    template  below ``templates/<feature>/pages``; ``facts`` fill it
    players   the userids in it
    joins     the word of a game whose next season players can join; empty if nobody can
    first     the best players for the front page with their points, by the title of a game
    of_each   what the player's own page shows of the table, by userid: it is written anew if that changes
    """

    path: str
    template: str
    title: str
    facts: Mapping[str, Any]
    players: frozenset[str] = frozenset()
    joins: str = ""
    first: Mapping[str, Sequence[tuple[str, int]]] = MappingProxyType({})
    of_each: Mapping[str, tuple[Any, ...]] = MappingProxyType({})


class Finding(NamedTuple):
    """The result of one check: good, look (may be intended) or bad; advice is empty if it is good."""

    verdict: str
    what: str
    advice: str = ""

    def __str__(self) -> str:
        line = f"{self.verdict:<5} {self.what}"
        return f"{line}\n      {self.advice}" if self.advice else line


class Expected(NamedTuple):
    """An answer of a feature's player that is to come: what a letter tells of it now.

    seconds  the letter waits so long for it, so that it can tell of both; 0 if it goes at once
    """

    happenings: tuple[Happening, ...]
    seconds: float = 0.0


class Tools(NamedTuple):
    """What a worker works with.

    context  the surroundings of the service
    submit   gives the writer a job
    deliver  to be called when there are letters to send
    metrics  the figures of the daemon, to count in
    """

    context: Context
    submit: Submit
    deliver: Callable[[], object]
    metrics: Metrics


class Worker(Protocol):
    """A part of the daemon with threads of its own."""

    def start(self) -> None: ...

    def wake(self) -> None:
        """Look for work, since a mail may have given some. Any thread may call this; it returns at once."""

    def stop(self, patience: float) -> bool:
        """End the threads. Return False if one has not ended after some ``patience``, in seconds."""


class Feature:
    """A part of the server beyond one game. Core asks all in the order of ``NAMES``, in the transaction.

    name    its folder, and the word by which an operator switches it off
    title   what it is to a player, in the plural: ``ladders``
    needs   the features that it imports
    binding its players agree to all its games by joining it: who does not begin one in time loses it
    figures the figures for monitoring that ``gauges`` and ``census`` count
    alerts  the kinds of letters to the operator about its troubles

    A feature that is switched off (``without``) keeps its data, and they stay true: its commands are
    refused, but it is still asked about games that it has begun or that end, and about players who leave
    or want no more of its letters.
    """

    name = ""
    title = ""
    needs: tuple[str, ...] = ()
    binding = False
    figures: Mapping[str, Gauge] = MappingProxyType({})
    alerts: Mapping[str, Kind] = MappingProxyType({})

    # -- a game

    def after(self, work: Work, match: Match) -> tuple[Happening, ...]:
        """Do what follows from the end of a game, or from taking back its end, so that it goes on.

        Return the happenings that its players are told of.
        """
        return ()

    def require(self, work: Work, seat: Seat, act: str) -> None:
        """Raise Refusal if a player may not do an act in a game of this feature, or against its player.

        ``act``: ``decline`` (a new game), ``cancel``, ``extend``, ``counter``, ``plan`` or ``say``.
        """

    def unbegun(self, work: Work, match: Match, late: str) -> None:
        """Note that ``late`` has not begun a game of this feature in time; its board is removed."""

    def began(self, work: Work, match: Match) -> Mapping[str, int]:
        """Do what follows from the beginning of a game; return the ``counts`` that it has changed."""
        return {}

    def told(self, work: Work, change: Change) -> None:
        """Tell others than its players of a change of a game."""

    def replied(self, work: Work, change: Change) -> Change:
        """Return a change with the answer that a player of this feature gives at once to what is asked.

        It is the same change if there is none. Raises Missing if something must be computed first.
        """
        return change

    def awaited(self, work: Work, match: Match) -> Expected | None:
        """Return the answer that a player of this feature will give to a change; None if none is due."""
        return None

    def shown(self, work: Work, match: Match) -> Mapping[str, Any]:
        """Return facts of each letter that shows a board to be answered. See ``modules("rendering")``."""
        return {}

    def stakes(self, work: Work, match: Match, reader: str) -> Mapping[str, Any]:
        """Return facts of the letter that tells a reader of a new or a finished game for two.

        ``reader``: the userid of a player; empty for anybody else. See ``modules("rendering")``.
        """
        return {}

    def next_game(self, work: Work, match: Match, reader: str) -> NextGame | None:
        """Return the next game for a player of a finished one, if this feature proposes any."""
        return None

    def below(
        self, work: Work, letter: BoardLetter, user: User, reader: str
    ) -> tuple[Mapping[str, str], ...]:
        """Return what a letter about a board says at its end: ``said``, and a ``reply`` or none.

        ``reader``: the userid of a player of the board; empty for anybody else.
        """
        return ()

    def replaced(self, work: Work, match: Match) -> None:
        """Count a finished game whose record the operator has put in place."""

    def removed(self, work: Work, match: Match) -> None:
        """Count a game no longer that the operator removes."""

    # -- a player

    def strengths(self, tx: Tx, now: float, userids: Sequence[str]) -> Strengths:
        """Return the strengths of players, as far as they are known."""
        return {}

    def opponents(self, work: Work, game: Game) -> Sequence[str]:
        """Return the players of this feature who begin a game with anybody at once, the weakest first."""
        return ()

    def accept(
        self, work: Work, challenger: User, player: User, game: Game, is_proved: bool
    ) -> None:
        """Raise Refusal if ``player``, who is of this feature, does not take a challenge.

        Games that other people began in the challenger's name do not count against one who is proved.
        """
        text = f"{player.userid} is not taking this challenge at present."
        raise Refusal(text, "challenge-not-taken")

    def meant(self, work: Work, userid: str) -> str:
        """Return a sentence for somebody who may mean a player of this feature by a name that nobody has."""
        return ""

    def measured(self, word: str) -> Mapping[str, int]:
        """Return the points, which no game changes, of the players of this feature, the weakest first.

        ``word``: that of a game. It is empty for one in which they are not measured.
        """
        return {}

    def rival(self, work: Work, userid: str, word: str) -> str:
        """Return the program that is as strong as a player in a game; empty if this feature knows none."""
        return ""

    def profile(self, tx: Tx, userid: str) -> Mapping[str, Any]:
        """Return facts for the player's page on the site."""
        return {}

    def merged(self, work: Work) -> None:
        """Do what follows when all rows of one player have become another's."""

    def joined(self, work: Work, user: User) -> None:
        """Do what follows from the opening of an account."""

    def greeting(self, work: Work, address: str, name: str) -> PlainLetter | None:
        """Return the letter that answers a guest's first words in place of a welcome; None if none does.

        ``name``: a free userid for the guest; empty if none is known.
        """
        return None

    def daily(self, work: Work, user: User, last: float) -> tuple[Mapping[str, Any], bool]:
        """Return what this feature adds to the facts of a player's daily letter, and if it is news.

        ``last``: the time of the last such letter. News alone is reason enough for a letter.
        """
        return {}, False

    def stop(self, work: Work, user: User) -> str:
        """Return the command that stops what this feature adds to a player's daily letter, if anything."""
        return ""

    def titles(self, tx: Tx, userid: str) -> Iterable[str]:
        """Return what a player has won, such as ``first of the Hex ladder``."""
        return ()

    def leaves(self, work: Work, userid: str) -> None:
        """Let a player go who closes the account; the games still run."""

    def left(self, work: Work, userid: str) -> None:
        """Let a player go who closes the account; the games have been resigned."""

    def forget(self, tx: Tx, userid: str) -> None:
        """Erase what is kept about a person, except in tables that are ``own``: their rows are erased."""

    def shows(self, config: Config) -> str:
        """Return the place where everybody sees the games of players who are public; empty if nowhere."""
        return ""

    def unsubscribe(self, work: Work, user: User, purpose: str) -> None:
        """Stop the letters of a kind to a player; ``commands`` has STOPS, the letters of the kinds."""

    # -- the replies to its questions; ``commands`` has QUESTIONS, the letter of each kind's address, and
    # GUESSES, the same for readers without an account

    def reader(self, work: Work, address: QuestionAddress) -> Callable[[Inbound], Reply] | None:
        """Return the function that reads the answers to a question; None if it is not known here."""
        return None

    def guess(self, work: Work, address: GuestAddress, mail: Inbound) -> Writer | None:
        """Judge an answer of a reader without an account, and store nothing.

        Return None if the mail has no answer to a question of this feature. Raises BadInput.
        """
        return None

    def asked(self, work: Work, command: Command) -> Writer | None:
        """Return what a command of a reader without an account asks for; None for any other command."""
        return None

    # -- the server

    def burdens(self, tx: Tx, since: float) -> Mapping[str, Mapping[str, float]]:
        """Return what players have caused since a time, by the name of a figure, then by userid."""
        return {}

    def troubles(self, tx: Tx, config: Config, now: float, began: float) -> Iterator[str]:
        """Yield the kinds of its alerts that are due now; the daemon began at ``began``."""
        yield from ()

    def set_free(self, tx: Tx, node: str) -> None:
        """Give back what a node has claimed that has ended."""

    def check_board(self, tx: Tx, match: Match) -> Iterator[str]:
        """Yield each difference between stored values and the record of a board for two."""
        yield from ()

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """Do what is due in this round of ``remind``; ``is_up``: players can reach the server."""

    def worker(self, tools: Tools) -> Worker | None:
        """Return a part for the daemon, not started; None if there is nothing to do beside the mail."""
        return None

    def answer(self, context: Context, store: Store) -> bool:
        """Do what a mail has given its worker to do, for servers without a daemon.

        Return True if there may be letters to send. Raises Passing.
        """
        return False

    def catch_up(self, config: Config, store: Store) -> None:
        """Do once what its worker does again and again beside that, for servers without a daemon.

        Raises Passing, OSError.
        """

    def gauges(self, config: Config, tx: Tx | None, now: float) -> Gauges:
        """Return figures for Prometheus that are quickly read from this node, or counted in the store.

        ``tx``: None if another node tells of the store.
        """
        return {}

    def examine(self, config: Config, now: float) -> Iterator[Finding]:
        """Yield what ``pbmstar doctor`` says of it."""
        yield from ()

    def check(self, tx: Tx) -> Iterator[str]:
        """Yield each difference between stored values and what they follow from."""
        yield from ()

    def best(self, work: Work, count: int) -> list[dict[str, Any]]:
        """Return the best players for the operator, each with whom the wins are over."""
        return []

    def census(self, tx: Tx) -> Gauges:
        """Return figures for Prometheus that are counted over whole tables."""
        return {}

    def pages(self, tx: Tx, name: Callable[[str], str]) -> Iterable[TablePage]:
        """Return pages with tables; ``name`` returns the name that they show for a userid."""
        return ()


@cache
def features(without: frozenset[str] = frozenset()) -> tuple[Feature, ...]:
    """Return the features in the order of ``NAMES``, except those switched off and those that need them."""
    every = tuple(module.FEATURE for _, module in modules("feature"))
    return tuple(each for each in every if without.isdisjoint((each.name, *each.needs)))


def owner(agreed: Terms) -> Feature:
    """Return the feature that a game with these terms belongs to.

    For a game on its own return one that allows everything and does nothing.
    """
    return next((each for each in features() if each.name == agreed.contest), _NONE)


def player_of(userid: str) -> Feature:
    """Return the feature that makes the moves of a player; for a person, or nobody, one that does nothing."""
    found = (name for name, module in modules("players") if userid in module.PLAYERS)
    name = next(found, "")
    return next((each for each in features() if each.name == name), _NONE)


def opponents(work: Work, game: Game) -> list[str]:
    """Return the programs of this server that begin a game with anybody at once, the weakest first."""
    return [userid for each in work.context.features for userid in each.opponents(work, game)]


def require(work: Work, seat: Seat, act: str) -> None:
    """Raise Refusal if a player may not do an act, because of what the game belongs to or the opponent."""
    owner(seat.match.terms).require(work, seat, act)
    player_of(seat.match.program).require(work, seat, act)


_NONE = Feature()
