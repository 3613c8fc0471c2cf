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

from ..errors import Said, Value
from ..features import modules
from ..machine.times import Seconds
from .recipe import Packed


@dataclass(frozen=True)
class AddedFacts:
    """Facts that a feature adds to a letter of core, by names of its own: see its module ``rendering``.

    Values are texts, sentences, numbers, dataclasses, and what holds these. A template sees a dataclass as
    a mapping.
    """

    def stored(self) -> dict[str, Any]:
        """Return the facts as JSON has them, by name, without those that have their default."""
        usual = defaults[type(self)]
        return {
            name: value if type(value) in _PLAIN else _stored(value)
            for name, value in vars(self).items()
            if name not in usual or value != usual[name]
        }


@dataclass(frozen=True)
class Facts(AddedFacts):
    """The facts of a letter besides its board. A field has a default if it was added to a letter later."""

    template: ClassVar[str]  # the name of the letter's template, without its ending


Settings = Sequence[tuple[Said, Value]]  # a name and a value each
_PLAIN = frozenset((str, int, float, bool, type(None)))  # the types of JSON that hold nothing else


def _stored(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [each if type(each) in _PLAIN else _stored(each) for each in value]
    if isinstance(value, Said):
        return value.stored()
    whole = vars(value) if is_dataclass(value) else value
    if not isinstance(whole, dict | Mapping):  # the first of them is found at once
        return value
    return {name: each if type(each) in _PLAIN else _stored(each) for name, each in whole.items()}


class _Defaults(dict[type, Mapping[str, Any]]):
    """The defaults of each class of facts, by name, found once."""

    def __missing__(self, kind: type[AddedFacts]) -> Mapping[str, Any]:
        usual = {each.name: each.default for each in fields(kind) if each.default is not MISSING}
        self[kind] = usual
        return usual


defaults = _Defaults()


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
    """A notice about the reader's account, and perhaps all its settings.

    subject  the topic in English, as programs find it in the Subject
    """

    template = "account"
    userid: str
    topic: Said | str
    notice: Said | str
    replies: Sequence[str] = ()
    settings: Settings = ()
    subject: str = ""


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
    seen: Said
    away: bool = False


@dataclass(frozen=True)
class BestFacts(Facts):
    """The best results in a puzzle, and in words the best that is ``known``."""

    template = "best"
    title: str
    word: str
    options: str
    known: Said | str
    bests: Sequence[BestLine]


@dataclass(frozen=True)
class BestLine:
    """A result of a player in a puzzle; ``date``: its day, in UTC."""

    rank: int
    date: str
    userid: str
    note: Said


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
    left: Said | str
    to_move: str
    end: Said | str
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
    streak: Said | str
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
    end: Said | str
    date: str


# -- one board, for its reader


@dataclass(frozen=True)
class PlayerComment:
    """Words of a player to the opponent.

    cut       the rest was too long to be passed on
    unproved  nothing proves that the player wrote this
    """

    userid: str
    text: str
    cut: bool = False
    unproved: bool = False


@dataclass(frozen=True)
class NextGame:
    """A proposal for a next game: the line to send, and a sentence about it.

    opponent  another program; the line is then for the server, and no reply on the board that has ended
    """

    line: str
    said: Said | str = ""
    opponent: str = ""


@dataclass(frozen=True)
class PlayerNote:
    """A player's note on a board, and the number of moves before it."""

    move: int
    text: str


@dataclass(frozen=True, kw_only=True)
class SummaryFacts(Facts):
    """The facts of a board's summary besides the board, and the words of its players.

    stakes      sentences on what is at stake or was won; a feature makes them when the letter is written
    titles      the titles of each player who has any
    next_game   the reader's next game, after the end
    correction  the reader's rating before and after the operator corrected it
    note        the reader's last note on the board
    below       what features say at the end: ``said``, and ``replies``, lines to reply
    withheld    so many lines of the mail at hand were not passed on
    attached    something that was attached was not; ``unsigned``: the lines taken for a signature
    heard       the opponent who gets the reader's first words on this board
    is_muted    a comment was withheld, since the reader has muted the board
    more        what features tell
    """

    comment: PlayerComment | None = None
    stakes: Sequence[Said | str] = ()
    titles: Mapping[str, Sequence[Said | str]] | None = None
    next_game: NextGame | None = None
    correction: str = ""
    note: PlayerNote | None = None
    below: Sequence[Mapping[str, Said | str | Sequence[str]]] = ()
    withheld: int = 0
    attached: bool = False
    unsigned: str = ""
    heard: str = ""
    is_muted: bool = False
    more: Sequence[AddedFacts] = ()

    def stored(self) -> dict[str, Any]:
        """Return the facts as JSON has them, with what features tell."""
        own = super().stored()
        own.pop("more", None)
        for part in self.more:
            own |= part.stored()
        return own


@dataclass(frozen=True, kw_only=True)
class BoardFacts(SummaryFacts):
    """A board, as all letters about boards show it.

    receipt     the letter only confirms a move, and tells how to get no more such letters
    big         the address of the page with the big board; a feature adds it when the letter is written
    album       what the album of a finished game needs besides the record
    result      of a board as it was: the result that is known now, for programs
    used_up     the kinds of requests that the reader cannot make any more
    of_account  a reply speaks for the account, since the reader does not play here
    awaits      the state of the board in which the letter waits for the answer of a program
    """

    template = "board"
    receipt: bool = False
    big: str = ""
    album: AlbumFacts | None = None
    result: str = ""
    used_up: Sequence[str] = ()
    of_account: bool = False
    awaits: Sequence[int] = ()


@dataclass(frozen=True)
class AlbumFacts:
    """The needs of an album besides the record.

    words     for each text of a player: the number of entries of the record before it, the player, the text
    more      the number of texts that are left out
    time      the seconds that each player, except a program, has taken
    is_asked  the reader has asked for the album
    """

    words: Sequence[tuple[int, str, str]]
    more: int
    time: Mapping[str, int]
    is_asked: bool = False


@dataclass(frozen=True)
class RemovedFacts(SummaryFacts):
    """The notice that a board is gone."""

    template = "removed"


@dataclass(frozen=True)
class ScoreFacts(BoardFacts):
    """The detailed score of a board."""

    template = "score"


@dataclass(frozen=True, kw_only=True)
class PreviewFacts(BoardFacts):
    """Moves that were tried, and not played.

    first    the number of entries of the record before them
    stopped  why a further move could not be tried
    offers   sentences on what the reader can do now; ``words``: the replies that do it
    tried    the words that a further move follows
    """

    template = "preview"
    first: int
    stopped: Said | str = ""
    offers: Sequence[Said | str] = ()
    words: Sequence[str] = ()
    tried: str = ""


@dataclass(frozen=True, kw_only=True)
class ErrorFacts(BoardFacts):
    """Refused commands, and the board that they are about, if they are about one.

    done    the commands of the same mail that were carried out
    offers  the replies that do what was probably meant; ``deed`` says what that is
    helps   nothing was refused: the mail is answered with help
    ways    the replies that a player may want who wrote no command
    """

    template = "error"
    refusals: Sequence[RefusedLine]
    done: Sequence[Said | str] = ()
    offers: Sequence[str] = ()
    deed: Said | str = ""
    helps: bool = False
    ways: Sequence[str] = ()


@dataclass(frozen=True)
class RefusedLine:
    """A refused line as it was understood, and the reason."""

    understood: str
    reason: Said | str


@dataclass(frozen=True)
class NotesFacts(BoardFacts):
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
class RecordFacts(BoardFacts):
    """The record of a board."""

    template = "record"
    parts: Sequence[RecordPart]


@dataclass(frozen=True)
class RecordPart:
    """Lines of a record, and the board after ``move`` moves; None for the board as it is."""

    lines: Sequence[Said]
    move: int | None = None


# -- the boards of a day


@dataclass(frozen=True, kw_only=True)
class DigestFacts(SummaryFacts):
    """The daily letter of several boards.

    reader  its reader
    boards  the boards that are shown whole, and those on which something else has happened
    short   further boards that wait for the reader, a line each
    talk    somebody has written something
    at      the time of day of the letter, in ``zone``
    stop    the command that stops the letter; empty if this was the last one
    """

    template = "digest"
    reader: str
    boards: Sequence[DigestBoard]
    short: Sequence[FurtherBoard]
    talk: bool
    drawing: str
    at: str
    zone: str
    stop: str = "letters each"


@dataclass(frozen=True)
class DigestBoard:
    """A board of the daily letter: its name in the letter, the reader's time left, and the board, packed.

    waits     the reader is to move
    happened  what has happened last, packed; ``comments``: all words to the reader since the last letter
    """

    name: Said | str
    time: Said | str
    waits: bool
    match: Packed
    happened: Sequence[Sequence[str]]
    comments: Sequence[PlayerComment]


@dataclass(frozen=True)
class FurtherBoard:
    """A board that waits for the reader, by its name in the letter, its game's word and its number."""

    name: Said | str
    word: str
    number: int


# -- people


@dataclass(frozen=True)
class AwayFacts(Facts):
    """The notice that an opponent is on leave."""

    template = "away"
    who: str
    notice: Said | str


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
    unkept  the word after the userid was not a password
    site    where the reader's games are shown; empty if they are not
    hint    how to get letters in the language that the reader has written in, in that language; may be empty
    """

    template = "welcome"
    userid: str
    others: Sequence[str] = ()
    at_once: bool = False
    has_password: bool = False
    unkept: bool = False
    site: str = ""
    hint: str = ""


# -- a stranger


@dataclass(frozen=True)
class DoorGame:
    """A game that the mail of a stranger is about; ``goal`` is that of the player who begins."""

    word: str
    title: str
    goal: Said | str = ""
    seats: int = 2


@dataclass(frozen=True)
class DoorFacts(Facts):
    """The first letter to somebody without an account.

    refusals  the lines of the mail that were refused
    topic     the help page that was asked for, or empty
    example   without programs, a board as text, and the ``points`` of x and o on it
    first     the cell that the reader has played already, or empty
    is_known  the reader has had such a letter before, in this language
    name      a userid that could be the reader's
    answers   sentences that answer what the mail asks
    friend    the mail asks for a game with somebody the reader knows
    game      the game of the board, and the ``goals`` of its players; ``like``: a cell to play
    other     another game that the mail asks for
    """

    template = "door"
    refusals: Sequence[RefusedLine]
    topic: str
    example: str
    points: Mapping[str, int]
    first: str
    is_known: bool
    name: str = ""
    answers: Sequence[Said | str] = ()
    friend: bool = False
    game: DoorGame = DoorGame("star", "Star")
    goals: Sequence[Said | str] = ()
    like: str = "C3"
    other: DoorGame | None = None


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
    chosen  it gets a password from the word after the userid; ``unkept``: that was none
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
    what: Said


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
    pause: Seconds
    detail: str
    more: int
    again: bool
