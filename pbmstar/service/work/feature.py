"""The seam: the questions that core asks every feature, and the values in which a feature answers.

A feature answers those that concern it, see ``Feature``. Core asks in one way: ``features``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from ...config import Config
from ...errors import Sentence, Value
from ...identity import GuestAddress
from ...machine.times import HOUR, Epoch, Seconds
from ...match import Change, Happening, Match
from ...parts import modules, switched_off
from ...store import Store, Tx, User
from .context import Context
from .work import Asking, Speaker, Work

if TYPE_CHECKING:  # commands at the prompt ask features, and need none of these
    from ...command import Command, Reply
    from ...inbound import Inbound
    from ...render.facts import OfBoardFacts
    from ...render.letter import AddedFacts
    from .letter import PlainLetter

Labels = tuple[str, ...]  # their values, in the order of Gauge.labels
Series = Mapping[Labels, float]
Gauges = Mapping[str, Series]
Writer: TypeAlias = "Callable[[str], PlainLetter]"  # it returns a letter to that address
Reader: TypeAlias = "Callable[[Inbound], Reply]"  # it reads the answer to a question
Guess: TypeAlias = "Callable[[Work, GuestAddress, Inbound], Writer | Asking | None]"


class Gauge(NamedTuple):
    """A figure for monitoring: help text, kind, names of its labels, bounds of a histogram.

    of_node   returns a feature's figure that each node has of its own
    of_store  the same for one that is counted in the store, over whole tables
    """

    text: str
    kind: str = "gauge"
    labels: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()
    of_node: Callable[[Config], Series] | None = None
    of_store: Callable[[Tx], Series] | None = None


class TablePage(NamedTuple):
    """A page with a table, for a feature that shows such pages to everybody.

    path      its place among them: ``NAME/hex.html``
    template  below ``templates/<feature>/pages``; ``facts`` fill it
    players   the userids in it
    joins     the command that joins it; empty while nobody can
    first     the best players for the front page with their points, as they are shown, by the title of a game
    of_each   what the player's own page shows of the table, by userid: it is written anew if that changes
    """

    path: str
    template: str
    title: Value
    facts: Mapping[str, Any]
    players: frozenset[str] = frozenset()
    joins: str = ""
    first: Mapping[str, Sequence[tuple[str, str]]] = MappingProxyType({})
    of_each: Mapping[str, tuple[Any, ...]] = MappingProxyType({})


OK, WARN, FAIL = "ok", "warn", "fail"


class Finding(NamedTuple):
    """The result of one check: OK, WARN (it may be meant so) or FAIL; advice is empty if it is OK."""

    verdict: str
    what: str
    advice: str = ""

    def __str__(self) -> str:
        line = f"{self.verdict:<4} {self.what}"
        return f"{line}\n     {self.advice}" if self.advice else line


class Below(NamedTuple):
    """A sentence at the end of a letter about a board; it ends before ``replies``, lines to reply.

    One of a pair of ``replies`` is a line, the other one what its link says.

    close  it follows the one before it without a gap
    """

    said: Sentence
    replies: Sequence[str | tuple[str, str]] = ()
    close: bool = False


class Wish(NamedTuple):
    """The wish of a player about the letters of a feature.

    name, value  a setting, as letters list it; without a name it is none
    change       the line that changes it
    stop         the command that ends what the feature adds to a daily letter; empty if it adds nothing
    """

    name: Sentence | None = None
    value: Sentence | str = ""
    stop: str = ""
    change: str = ""


class Worker(Protocol):
    """A part of the daemon with threads of its own."""

    def start(self) -> None: ...

    def wake(self) -> None:
        """Look for work, which a message may have caused. Any thread may call this, and need not wait."""

    def stop(self, patience: Seconds) -> bool:
        """End the threads. Return False if one has not ended after some ``patience``, in seconds."""


class Beside(Worker, Protocol):
    """A part of a feature, which does the same again and again."""

    def catch_up(self, store: Store) -> None:
        """Do once what the threads do again and again, for servers without a daemon.

        Raises TemporaryFailure, OSError.
        """

    def examine(self, now: Epoch) -> Iterator[Finding]:
        """Yield what ``pbmstar doctor`` says of it; it need not have started."""


class Kind(NamedTuple):
    """A kind of alert: its title, a sentence about the trouble, advice, and the command to run first.

    pause    seconds between two letters; 0 if each is wanted
    counted  it is an event, not a state that lasts
    """

    title: str
    sentence: str
    advice: str
    command: str
    pause: Seconds = HOUR
    counted: bool = True


class Tip(NamedTuple):
    """Something that a new player may not know: a letter about a board says it once.

    name      of the tip, which is kept with the player
    below     what the letter says
    at_end    it is for the last letter of a game; otherwise for one in which another is to move
    """

    name: str
    below: Below
    at_end: bool = False


class Group(NamedTuple):
    """Games in which a bot answers equal positions alike.

    opens  returns True if players with these names may see each of its boards, private ones too
    """

    name: str
    opens: Callable[[Collection[str]], bool]


class Answers(NamedTuple):
    """The answers to mail that comes to an address in a feature's letters; None for a kind that doesn't come.

    read   returns what reads a player's answers to the question with a number; None if it is unknown
    guess  answers a reader without an account, with a letter, or with what the welcome says; returns None
           if the mail has no answer, and is carried out as any other. Raises BadInput
    stop   stops a kind of letters to a player
    """

    read: Callable[[Work, int], Reader | None] | None = None
    guess: Guess | None = None
    stop: Callable[[Work, User], None] | None = None


class AboutBoard(Protocol):
    """A letter about a board, as ``Feature.footer`` is told of it; ``is_public``: its readers only watch."""

    @property
    def match(self) -> Match: ...
    @property
    def happenings(self) -> Sequence[Happening]: ...
    @property
    def facts(self) -> OfBoardFacts: ...
    @property
    def is_public(self) -> bool: ...


class Feature:
    """A part of the server beyond one game. Core asks all in the order of ``FEATURES``, in the transaction.

    title           what it is to a player, in the plural: there are no ... on this server
    figures         its figures for monitoring, by name
    alerts          the kinds of letters to the operator about its troubles
    shows_games     everyone sees the games of players who are public there, if the configuration has a place
    answers         what becomes of mail to the addresses in its letters, by the purpose of an address
    guest_commands  what such a reader may ask for, by the verb of the command; None for what cannot be shown

    A feature that is switched off (``without``) keeps its data, and they stay true: its commands are
    refused, but it is still asked about games that it has begun or that end, and about players who leave
    or want no more of its letters.
    """

    title = ""
    figures: Mapping[str, Gauge] = MappingProxyType({})
    alerts: Mapping[str, Kind] = MappingProxyType({})
    shows_games = False
    answers: Mapping[str, Answers] = MappingProxyType({})
    guest_commands: Mapping[str, Callable[[Work, Command], Writer | None]] = MappingProxyType({})

    @property
    def name(self) -> str:
        """Its folder, which is the word by which an operator switches it off."""
        return type(self).__module__.split(".")[-2]

    # -- a game

    def on_game_end(self, work: Work, match: Match, late: str = "") -> tuple[Happening, ...]:
        """Do what follows from the end of a game, or from taking back its end, so that it goes on.

        Return the happenings that its players are told of. ``late``: the player who has not begun the game
        in time, so that its board is removed now.
        """
        return ()

    def check_act(self, work: Work, speaker: Speaker, act: str) -> None:
        """Raise Refusal if a player may not do an act in a game of this feature.

        ``act``: ``decline`` (a new game), ``cancel``, ``extend``, ``counter``, ``plan`` or ``say``.
        """

    def group(self, work: Work, match: Match) -> Group | None:
        """Return the games of this feature that are played alike with this one; None if it stands alone."""
        return None

    def on_game_start(self, work: Work, match: Match) -> Mapping[str, int]:
        """Do what follows from the beginning of a game; return the ``counts`` that it has changed."""
        return {}

    def on_change(self, work: Work, change: Change) -> None:
        """Note a change of a game, or tell others than its players of it."""

    def board_facts(self, work: Work, match: Match) -> AddedFacts | None:
        """Return facts of each letter that shows a board to be answered. See ``render.letter.Letters``."""
        return None

    def footer(self, work: Work, letter: AboutBoard, user: User, reader: str) -> tuple[Below, ...]:
        """Return what a letter about a board says at its end.

        ``reader``: the userid of a player of the board; empty for anybody else.
        """
        return ()

    def tip(self, work: Work, letter: AboutBoard, user: User) -> Tip | None:
        """Return what a new player should hear of the feature once; None if the player knows it.

        ``letter``: the one that would say it.
        """
        return None

    def on_correction(self, work: Work, match: Match | None, is_removed: bool = False) -> None:
        """Count again what the operator has corrected.

        ``match``: a game whose record has been put in place, or that is being removed; None: the rows of
        one player have become another's.
        """

    # -- a player

    def titles(self, tx: Tx, userid: str) -> Iterable[Sentence]:
        """Return what a player has won, each title as a letter has it after the name: ``first of ...``."""
        return ()

    def on_account_close(self, work: Work, userid: str) -> None:
        """Let a player go who closes the account; then core resigns the games, see ``on_game_end``."""

    def letter_settings(self, work: Work, user: User) -> Iterable[Wish]:
        """Return what a player wants of its letters."""
        return ()

    # -- the server

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """Do what is due in this round of ``remind``; ``is_up``: players can reach the server."""

    def worker(self, config: Config) -> Beside | None:
        """Return a part for the daemon, not started; None if there is nothing to do alongside the mail.

        Without a daemon it catches up, and ``pbmstar doctor`` examines it.
        """
        return None

    def check(self, tx: Tx, match: Match | None) -> Iterator[str]:
        """Yield each difference between stored values and what they follow from.

        ``match``: compare what is kept about this board for two; None: all that is kept about no board.
        """
        yield from ()

    def pages(self, tx: Tx, name: Callable[[str], str]) -> Iterable[TablePage]:
        """Return pages with tables; ``name`` returns the name that they show for a userid."""
        return ()


# What is asked of features that are switched off, too: their data stay true, and so do the games that they
# have begun.
_OF_ALL = frozenset(
    [
        "on_game_end",
        "check_act",
        "group",
        "on_correction",
        "titles",
        "on_account_close",
        "check",
    ]
)


@cache
def features(
    question: Callable[..., object] | None = None,
    without: frozenset[str] = frozenset(),
    of: str | None = None,
) -> tuple[Feature, ...]:
    """Return the features to ask a question, such as ``Feature.footer``: those that answer it themselves.

    This is the way to ask: a default answer says nothing and does nothing, so nobody calls it. Without a
    question the marks of all can be read. Features that are switched off, and those that need them, are
    left out, unless the question is one that they answer anyway. ``of``: only the feature that a game
    belongs to, see ``Terms.contest``.
    """
    asked = question.__name__ if question else ""
    off = () if asked in _OF_ALL else switched_off(without)
    return tuple(
        each
        for each in (module.FEATURE for _, module in modules("feature"))
        if each.name not in off
        and (question is None or asked in vars(type(each)))
        and (of is None or of == each.name)
    )


def answers_to(purpose: str, without: frozenset[str] = frozenset()) -> tuple[str, Answers]:
    """Return what becomes of mail to an address for that purpose, after the name of the feature that has it.

    If no feature has it, the name is empty, and all of the answers are None.
    """
    for each in features(without=without):
        if purpose in each.answers:
            return each.name, each.answers[purpose]
    return "", Answers()


def workers(config: Config) -> dict[str, Beside]:
    """Return the features' parts for the daemon, by the title of the feature; none has started."""
    made = ((each.title, each.worker(config)) for each in features(Feature.worker, config.without))
    return {title: worker for title, worker in made if worker}


def group_of(work: Work, match: Match) -> Group | None:
    """Return the games that are played alike with this one; None if it stands alone."""
    asked = features(Feature.group, of=match.terms.contest)
    return next(filter(None, (each.group(work, match) for each in asked)), None)
