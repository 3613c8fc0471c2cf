"""The facts of letters: a class for each letter, which names its template and what the template is told.

What sends a letter makes one of these values, and mypy checks it. A recipe keeps it as JSON. A letter
that an earlier version has left in the outbox may lack what was added since: that has its default then.
The facts of a feature's letters are classes in the module ``facts`` of its folder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, ClassVar

from ..features import modules


@dataclass(frozen=True)
class Facts:
    """The facts of a letter besides its board. A field has a default if it was added to a letter later.

    Values are texts, numbers, dataclasses, and what holds these. A template sees a dataclass as a mapping.
    """

    template: ClassVar[str]  # the name of the letter's template, without its ending

    def stored(self) -> dict[str, Any]:
        """Return the facts as JSON has them, by name, without those that have their default."""
        values = ((each, getattr(self, each.name)) for each in fields(self))
        return {each.name: _stored(value) for each, value in values if value != each.default}


def _stored(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        value = vars(value)
    if isinstance(value, Mapping):
        return {name: _stored(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_stored(each) for each in value]
    return value


def defaults(kind: type[Facts]) -> Mapping[str, Any]:
    """Return the defaults of a letter's facts, by name."""
    return {each.name: each.default for each in fields(kind) if each.default is not MISSING}


@cache
def kinds() -> Mapping[str, type[Facts]]:
    """Return the class of facts of each letter, of core and of features, by the name of its template."""
    own = list(globals().values())
    values = own + [each for _, module in modules("facts") for each in vars(module).values()]
    classes = [each for each in values if isinstance(each, type) and issubclass(each, Facts)]
    return {
        each.template: each for each in classes if isinstance(getattr(each, "template", None), str)
    }


@dataclass(frozen=True)
class AccountFacts(Facts):
    """A notice about the reader's account, and perhaps all its settings."""

    template = "account"
    userid: str
    topic: str
    notice: str
    replies: Sequence[str] = ()
    settings: Mapping[str, str] | None = None


@dataclass(frozen=True)
class PageFacts(Facts):
    """A help page."""

    template = "page"
    topic: str


@dataclass(frozen=True)
class WhoFacts(Facts):
    """Players who take challenges; ``at_once``: programs do, too."""

    template = "who"
    reader: str
    players: Sequence[WhoLine]
    at_once: bool = False


@dataclass(frozen=True)
class WhoLine:
    """A player who takes challenges: how many games are running, and how many weeks ago it was here."""

    userid: str
    running: int
    seen: str
    away: bool = False


@dataclass(frozen=True)
class BestFacts(Facts):
    """The best results in a puzzle, and in words the best that is ``known``."""

    template = "best"
    title: str
    word: str
    options: str
    known: str
    bests: Sequence[BestLine]


@dataclass(frozen=True)
class BestLine:
    """A result of a player in a puzzle; ``date``: its day, in UTC."""

    rank: int
    date: str
    userid: str
    note: str


# -- lists of games


@dataclass(frozen=True)
class GamesFacts(Facts):
    """The games of player ``of``, by some filters: of one game with a ``title``, or of all games.

    word  that game's, or any other
    more  games that are left out
    """

    template = "games"
    title: str
    word: str
    of: str
    filters: str
    games: Sequence[GameLine]
    more: int
    away: bool = False


@dataclass(frozen=True)
class GameLine:
    """A game of a list.

    against  the opponents; ``away``: one of them is on leave
    left     the time of the player to move in words, empty without a limit
    to_move  the userid of that player; empty in a game that is over, whose ``end`` is in words
    move     the number of the last move, in a running game of the next one
    days     since the last move
    reply    the address that the reader's move goes to; empty if it is not the reader's turn
    """

    number: int
    title: str
    word: str
    against: str
    left: str
    to_move: str
    end: str
    move: int
    days: int
    options: str
    reply: str
    away: bool = False


@dataclass(frozen=True)
class VersusFacts(Facts):
    """The counts of games of two players, running and over, and their results by game."""

    template = "versus"
    one: str
    two: str
    running: int
    over: int
    sums: Sequence[VersusSum]
    streak: str
    last: Sequence[VersusGame]


@dataclass(frozen=True)
class VersusSum:
    """The results in one game: those that each of the two ``won``, and of both ``ties`` and ``void`` ones.

    first  of each of the two: the games that it won, and played, as the first player
    """

    title: str
    won: tuple[int, int]
    ties: int
    void: int
    first: tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class VersusGame:
    """A game of two players that is over: who was ``first`` to move, and its ``end`` in words."""

    number: int
    title: str
    first: str
    end: str
    date: str


# -- one board, for its reader


@dataclass(frozen=True)
class NotesFacts(Facts):
    """The reader's notes on a board."""

    template = "notes"
    notes: Sequence[NoteLine]


@dataclass(frozen=True)
class NoteLine:
    """A note: the number of moves before it, its time in UTC, and its text."""

    move: int
    when: str
    text: str


@dataclass(frozen=True)
class RecordFacts(Facts):
    """The record of a board."""

    template = "record"
    parts: Sequence[RecordPart]


@dataclass(frozen=True)
class RecordPart:
    """Lines of a record, and the board after ``move`` moves; None for the board as it is."""

    lines: Sequence[str]
    move: int | None = None


# -- people


@dataclass(frozen=True)
class AwayFacts(Facts):
    """The notice that an opponent is on leave."""

    template = "away"
    who: str
    notice: str


@dataclass(frozen=True)
class AnnouncementFacts(Facts):
    """The words of the operator to all players."""

    template = "announcement"
    subject: str
    announcement: str


@dataclass(frozen=True)
class LeavingFacts(Facts):
    """The way in which a stranger gets no more mail."""

    template = "leaving"


@dataclass(frozen=True)
class WelcomeFacts(Facts):
    """The first letter to an account. What opens it fills in ``others``, ``at_once`` and
    ``has_password``.

    others  players who take challenges
    at_once a program plays at once
    unkept  the word behind the userid was no password
    site    where the reader's games are shown; empty if they are not
    """

    template = "welcome"
    userid: str
    others: Sequence[str] = ()
    at_once: bool = False
    has_password: bool = False
    unkept: bool = False
    site: str = ""


# -- to confirm something


@dataclass(frozen=True)
class TokenFacts(Facts):
    """A letter with a token that confirms something. What mails it fills in all but the userid.

    days      so long the token is good
    stranger  the address is not that of the account
    """

    userid: str
    token: str = ""
    days: int = 0
    stranger: bool = False


@dataclass(frozen=True, kw_only=True)
class SignupFacts(TokenFacts):
    """Open an account.

    site    where its games will be shown; empty if nowhere
    chosen  it gets a password from the word behind the userid; ``unkept``: that was none
    left    lines of the mail that were not carried out
    """

    template = "signup"
    site: str = ""
    chosen: bool = False
    unkept: bool = False
    left: int = 0


class TakenFacts(TokenFacts):
    """The userid of a signup is not free."""

    template = "taken"


class AddressFacts(TokenFacts):
    """Move an account to this address."""

    template = "address"


@dataclass(frozen=True, kw_only=True)
class FurtherFacts(TokenFacts):
    """Use an account from this address too; ``kind``: the letters that come here."""

    template = "further"
    kind: str


class ForgotFacts(TokenFacts):
    """Choose another password."""

    template = "forgot"


@dataclass(frozen=True, kw_only=True)
class ResignAllFacts(TokenFacts):
    """Give up all running games."""

    template = "resign_all"
    count: int


@dataclass(frozen=True, kw_only=True)
class WishFacts(TokenFacts):
    """Do ``what`` a reply without a password has asked for."""

    template = "wish"
    what: str


@dataclass(frozen=True)
class UnclearFacts(Facts):
    """An answer to a letter with a token of that kind has done nothing; it came from ``elsewhere``."""

    template = "unclear"
    userid: str
    kind: str
    elsewhere: bool


# -- for the operator, and those who are asked by the operator


@dataclass(frozen=True)
class ProbeFacts(Facts):
    """Does mail of this server arrive as it should?"""

    template = "probe"


@dataclass(frozen=True)
class ReportFacts(Facts):
    """A player reports a board, with the last words that were written there."""

    template = "report"
    by: str
    number: int
    title: str
    against: str
    words: str
    comments: Sequence[ReportedComment]


@dataclass(frozen=True)
class ReportedComment:
    """Words of a player on a board; ``when``: in UTC."""

    userid: str
    when: str
    text: str


@dataclass(frozen=True)
class AlertFacts(Facts):
    """A trouble that needs a hand.

    sentence  about the trouble; it is left out unless it has happened ``again``
    pause     seconds between two letters about it
    more      times that it has happened since the last letter
    """

    template = "alert"
    title: str
    sentence: str
    advice: str
    command: str
    pause: float
    detail: str
    more: int
    again: bool


@dataclass(frozen=True)
class Loose(Facts):
    """The facts of a letter that has no class yet."""

    name: str
    values: Mapping[str, Any]

    @property
    def template(self) -> str:  # type: ignore[override]
        """Return the name of the letter's template."""
        return self.name

    def stored(self) -> dict[str, Any]:
        """Return the facts as they are."""
        return {name: _stored(value) for name, value in self.values.items()}
