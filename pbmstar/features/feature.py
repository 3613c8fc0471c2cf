"""The seam: the questions that core asks every feature. A feature answers those that concern it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..errors import Refusal, Said, say
from ..machine.times import Epoch
from . import NAMES, modules

if TYPE_CHECKING:
    from ..command import Command, Reply
    from ..config import Config
    from ..contest.wishes import Strengths
    from ..games.base import Game
    from ..identity import GuestAddress, QuestionAddress
    from ..inbound import Inbound
    from ..match import Happening, Match, Terms
    from ..render.facts import AddedFacts, NextGame, RefusedLine
    from ..service.incoming.questions import Asking
    from ..service.letters.alerts import Kind
    from ..service.letters.post import BoardLetter, PlainLetter
    from ..service.work.apply import Change
    from ..service.work.context import Context
    from ..service.work.work import Speaker, Work
    from ..store import Store, Tx, User
    from .values import Below, Expected, Finding, Gauge, Gauges, TablePage, Tools, Worker, Writer


class Feature:
    """A part of the server beyond one game. Core asks all in the order of ``NAMES``, in the transaction.

    name    its folder, and the word by which an operator switches it off
    title   what it is to a player, in the plural: there are no ... on this server
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

    def require(self, work: Work, speaker: Speaker, act: str) -> None:
        """Raise Refusal if a player may not do an act in a game of this feature, or against its player.

        ``act``: ``decline`` (a new game), ``cancel``, ``extend``, ``counter``, ``plan`` or ``say``.
        """

    def unbegun(self, work: Work, match: Match, late: str) -> None:
        """Note that ``late`` has not begun a game of this feature in time; its board is removed."""

    def series(self, work: Work, match: Match) -> str:
        """Return the name of the games in which a program answers equal positions alike.

        It is empty if each game of this feature has answers of its own.
        """
        return ""

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

    def shown(self, work: Work, match: Match) -> AddedFacts | None:
        """Return facts of each letter that shows a board to be answered. See ``modules("rendering")``."""
        return None

    def stakes(self, work: Work, match: Match, reader: str) -> AddedFacts | None:
        """Return facts of the letter that tells a reader of a new or a finished game for two.

        ``reader``: the userid of a player; empty for anybody else. See ``modules("rendering")``.
        """
        return None

    def next_game(self, work: Work, match: Match, reader: str) -> NextGame | None:
        """Return the next game for a player of a finished one, if this feature proposes any."""
        return None

    def below(self, work: Work, letter: BoardLetter, user: User, reader: str) -> tuple[Below, ...]:
        """Return what a letter about a board says at its end.

        ``reader``: the userid of a player of the board; empty for anybody else.
        """
        return ()

    def corrected(self, work: Work, match: Match | None, is_removed: bool = False) -> None:
        """Count again what the operator has corrected.

        ``match``: a game whose record has been put in place, or that is being removed; None: the rows of
        one player have become another's.
        """

    # -- a player

    def strengths(self, tx: Tx, now: Epoch, userids: Sequence[str]) -> Strengths:
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
        text = say("{userid} does not accept this challenge at present.", userid=player.userid)
        raise Refusal(text, "challenge-not-taken")

    def meant(self, work: Work, userid: str) -> Said | None:
        """Return a sentence for somebody who may mean a player of this feature by a name that nobody has."""
        return None

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

    def joined(self, work: Work, user: User) -> None:
        """Do what follows from the opening of an account."""

    def greeting(
        self, work: Work, address: str, name: str, refusals: Sequence[RefusedLine]
    ) -> PlainLetter | None:
        """Return the letter that answers a guest's words in place of a welcome; None if none does.

        name      a free userid for the guest; empty if none is known
        refusals  the lines of the mail that were refused
        """
        return None

    def daily(self, work: Work, user: User, last: Epoch) -> tuple[AddedFacts | None, bool]:
        """Return what this feature adds to the facts of a player's daily letter, and if it is news.

        ``last``: the time of the last such letter. News alone is reason enough for a letter.
        """
        return None, False

    def stop(self, work: Work, user: User) -> str:
        """Return the command that stops what this feature adds to a player's daily letter, if anything."""
        return ""

    def titles(self, tx: Tx, userid: str) -> Iterable[Said]:
        """Return what a player has won, each title as a letter has it after the name: ``first of ...``."""
        return ()

    def leaves(self, work: Work, userid: str) -> None:
        """Let a player go who closes the account; then core resigns the games, and ``after`` is asked."""

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

    def guess(self, work: Work, address: GuestAddress, mail: Inbound) -> Writer | Asking | None:
        """Answer a reply of a reader without an account to a letter of this feature.

        Return the writer of a letter, or what the welcome answers: sentences, and the game of its board.
        Return None if the mail has no answer to a question of this feature: it is carried out as any other.
        Raises BadInput.
        """
        return None

    def asked(self, work: Work, command: Command) -> Writer | None:
        """Return what a command of a reader without an account asks for; None for any other command."""
        return None

    # -- the server

    def burdens(self, tx: Tx, since: Epoch) -> Mapping[str, Mapping[str, float]]:
        """Return what players have caused since a time, by the name of a figure, then by userid."""
        return {}

    def troubles(self, tx: Tx, config: Config, now: Epoch, began: Epoch) -> Iterator[str]:
        """Yield the kinds of its alerts that are due now; the daemon began at ``began``."""
        yield from ()

    def set_free(self, tx: Tx, node: str) -> None:
        """Give back what a node has claimed that has ended."""

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """Do what is due in this round of ``remind``; ``is_up``: players can reach the server."""

    def worker(self, tools: Tools) -> Worker | None:
        """Return a part for the daemon, not started; None if there is nothing to do alongside the mail."""
        return None

    def answer(self, context: Context, store: Store) -> bool:
        """Do what a message has given its worker to do, for servers without a daemon.

        Return True if there may be letters to send. Raises Passing.
        """
        return False

    def catch_up(self, config: Config, store: Store) -> None:
        """Do once what its worker does again and again alongside that, for servers without a daemon.

        Raises Passing, OSError.
        """

    def gauges(self, config: Config, tx: Tx | None, now: Epoch) -> Gauges:
        """Return figures for Prometheus that are quickly read from this node, or counted in the store.

        ``tx``: None if another node tells of the store.
        """
        return {}

    def examine(self, config: Config, now: Epoch) -> Iterator[Finding]:
        """Yield what ``pbmstar doctor`` says of it."""
        yield from ()

    def check(self, tx: Tx, match: Match | None) -> Iterator[str]:
        """Yield each difference between stored values and what they follow from.

        ``match``: compare what is kept about this board for two; None: all that is kept about no board.
        """
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


@cache
def that_answer(question: Callable[..., object], without: frozenset[str]) -> tuple[Feature, ...]:
    """Return those of ``features(without)`` that answer a question, such as ``Feature.below``, themselves.

    For the questions that each letter asks: an answer that does nothing need not be called.
    """
    name = question.__name__
    return tuple(each for each in features(without) if getattr(type(each), name) is not question)


def switched_off(without: frozenset[str]) -> tuple[str, ...]:
    """Return the names of the features that are not among ``features(without)``."""
    there = {each.name for each in features(without)}
    return tuple(name for name in NAMES if name not in there)


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


def require(work: Work, speaker: Speaker, act: str) -> None:
    """Raise Refusal if a player may not do an act, because of what the game belongs to or the opponent."""
    owner(speaker.match.terms).require(work, speaker, act)
    player_of(speaker.match.program).require(work, speaker, act)


_NONE = Feature()
