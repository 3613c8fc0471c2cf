"""The letters of core: a class for each, which names its template, what that is told, and what's true of it.

See ``render.letter`` for what all of them have. Those of a feature are in the module ``facts`` of its folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import NOTHING, Sentence, Value
from ..games import load
from ..machine.times import Seconds
from ..match.terms import unrated
from ..parts import modules
from . import album, ratings, reviews, roundup, wire
from .board import transcript
from .board.view import preview_steps
from .letter import BY_TEMPLATE, AddedFacts, Facts, Pictures, Sheet
from .picture import attached
from .recipe import Packed

AWAITS = "review awaited"  # the fact of a waiting letter: the number of the board
Findings = Mapping[str, Any]  # what the process that thinks has found in a game, see ``engine``
Settings = Sequence[
    tuple[Sentence, Value, str]
]  # a name, a value, and the line that changes it, if any


@cache
def kinds() -> Mapping[str, type[Facts]]:
    """Return the class of facts of each letter, of core and of features, by the name of its template."""
    modules("facts")  # whose classes name themselves as they are made
    return dict(BY_TEMPLATE)


@dataclass(frozen=True)
class AccountFacts(Facts):
    """A notice about the reader's account, and perhaps all its settings.

    subject  the topic in English, as programs find it in the Subject
    """

    template = "account"
    always_first = True
    stays = True
    userid: str
    topic: Sentence
    notice: Sentence
    replies: Sequence[str] = ()
    settings: Settings = ()
    subject: str = ""


@dataclass(frozen=True)
class PageFacts(Facts):
    """A help page."""

    template = "page"
    topic: str

    @classmethod
    def filled(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return the page."""
        return {"page": sheet.help(sheet.facts["topic"])}

    @classmethod
    def pictures(cls, sheet: Sheet) -> Pictures:
        """Draw the figures of the page."""
        return {
            f"figure{number}": attached.of_position(each.game, each.stones)
            if each.game
            else attached.of_pentahexes()
            for number, each in enumerate(sheet.facts["page"].figures)
        }

    @classmethod
    def illustrated(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return each figure of the page with its picture."""
        figures = sheet.facts["page"].figures
        return {
            "figures": [(each, sheet.facts.get(f"figure{n}")) for n, each in enumerate(figures)]
        }


@dataclass(frozen=True)
class WhoFacts(Facts):
    """Players who take challenges; ``at_once``: programs do, too."""

    template = "who"
    reader: str
    players: Sequence[WhoLine]
    at_once: bool = False


@dataclass(frozen=True)
class WhoLine:
    """A player who takes challenges: how many games are running, and how many weeks ago it wrote.

    ``seen`` is empty if that is long ago, or the player has never written.
    """

    userid: str
    running: int
    seen: Sentence
    away: bool = False


@dataclass(frozen=True)
class BestFacts(Facts):
    """The best results in a puzzle, and in words the best that is ``known``."""

    template = "best"
    title: str
    word: str
    options: str
    known: Sentence
    bests: Sequence[BestLine]


@dataclass(frozen=True)
class BestLine:
    """A result of a player in a puzzle; ``date``: its day, in UTC."""

    rank: int
    date: str
    userid: str
    note: Sentence


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
    filters: Sentence
    games: Sequence[GameLine]
    more: int
    away: bool = False
    reader: str = ""

    @classmethod
    def pictures(cls, sheet: Sheet) -> Pictures:
        """Draw the boards of the first games as small as stamps."""
        return _stamps(sheet.facts["games"])


def _stamps(games: Iterable[Mapping[str, Any]]) -> Pictures:
    """Draw the boards of a list's running games that have their stones."""
    return {
        f"stamp{game['number']}": attached.of_stamp(
            load(game["word"], game["set_up"]), bytes.fromhex(game["stones"])
        )
        for game in games
        if game.get("stones")
    }


@dataclass(frozen=True)
class GameLine:
    """A game of a list.

    kind     its title with its size and options: ``Star 7, maxi``; ``set_up`` its options as they are kept
    against  the opponents; ``away``: one of them is on leave
    left     the time of the player to move in words, empty without a limit
    to_move  the userid of that player; empty in a game that is over, whose ``end`` is in words
    move     the number of the last move, in a running game of the next one
    days     since the last move
    reply    the address that the reader's move goes to; empty if it is not the reader's turn
    stones   the board's stones as hexadecimal digits; empty if it is listed without a small picture
    """

    number: int
    title: str
    word: str
    against: str
    left: Sentence
    to_move: str
    end: Sentence
    move: int
    days: int
    reply: str
    away: bool = False
    kind: str = ""
    set_up: str = ""
    stones: str = ""


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
    said: Sentence = NOTHING
    opponent: str = ""


@dataclass(frozen=True)
class PlayerNote:
    """A player's note on a board, and the number of moves before it."""

    move: int
    text: str


@dataclass(frozen=True, kw_only=True)
class SummaryFacts(Facts):
    """The facts of a board's summary besides the board, and the words of its players.

    stakes      sentences on what is at stake or was won, made when the letter is written
    titles      the titles of each player who has any
    next_game   the reader's next game, after the end
    correction  the reader's rating before and after the operator corrected it
    note        the reader's last note on the board
    below       what features say at the end: ``said``, and ``replies``, lines to reply
    withheld    so many lines of the mail at hand were not passed on
    attached    something that was attached was not; ``unsigned``: the lines taken for a signature
    left_out    so many of its lines, below the line ``left_out_below``, were taken for no words of its writer
    masked      an address was left out of the writer's words
    heard       the opponent who gets the reader's first words on this board
    is_muted    a comment was withheld, since the reader has muted the board
    rating      the ratings, see ``render.ratings.rating_line``
    more        what features tell
    """

    comment: PlayerComment | None = None
    stakes: Sequence[Sentence] = ()
    titles: Mapping[str, Sequence[Sentence]] | None = None
    next_game: NextGame | None = None
    correction: str = ""
    note: PlayerNote | None = None
    below: Sequence[Mapping[str, Sentence | Sequence[str]]] = ()
    withheld: int = 0
    attached: bool = False
    unsigned: str = ""
    left_out: int = 0
    left_out_below: str = ""
    masked: bool = False
    heard: str = ""
    is_muted: bool = False
    rating: Mapping[str, str | int | Mapping[str, str]] | None = None
    more: Sequence[AddedFacts] = ()

    def stored(self) -> dict[str, Any]:
        """Return the facts as JSON has them, with what features tell."""
        own = super().stored()
        own.pop("more", None)
        for part in self.more:
            own |= part.stored()
        return own

    @classmethod
    def filled(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return what is at stake, as sentences."""
        rating, board = sheet.facts["rating"], sheet.board
        if not rating:
            return {}
        apart = unrated(board.match.terms.contest) if board else None
        lines = (apart or ratings.rating_line(rating), "" if apart else ratings.moved_far(rating))
        return {"stakes": tuple(sheet.translator.say(line) for line in lines if line)}


@dataclass(frozen=True, kw_only=True)
class OfBoardFacts(SummaryFacts):
    """A board, as all letters that show one do.

    receipt     the letter only confirms a move, and tells how to get no more such letters
    big         the address of the page with the big board; a feature adds it when the letter is written
    album       what the album of a finished game needs besides the record
    result      of a board as it was: the result that is known now, for programs
    used_up     the kinds of requests that the reader cannot make any more
    of_account  a reply speaks for the account, since the reader does not play here
    awaits      the state of the board in which the letter waits for the answer of a program
    commands    it lists commands with a password, as the first letter of a game does for a reader who has one
    """

    receipt: bool = False
    commands: bool = False
    big: str = ""
    album: AlbumFacts | None = None
    result: str = ""
    used_up: Sequence[str] = ()
    of_account: bool = False
    awaits: Sequence[int] = ()

    @classmethod
    def filled(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return what is at stake, the album of the game, and the board as its reader can go on from it."""
        added = dict(super().filled(sheet))
        if (board := sheet.board) is None:
            return added
        following, kept = sheet.facts["next_game"], sheet.facts["album"]
        if following and following["line"] == "match":
            added["board"] = board.without_rematch()
        if kept:
            added["album"] = album.album(board.match, kept, sheet.asks, sheet.translator)
        return added

    @classmethod
    def pictures(cls, sheet: Sheet) -> Pictures:
        """Draw the board, and the pictures of its album."""
        kept = sheet.facts["album"]
        return super().pictures(sheet) | (album.pictures(kept) if kept else {})


class BoardFacts(OfBoardFacts):
    """A board that has changed, or that somebody asked for."""

    template = "board"
    has_room = True
    copied = True
    tells_request = True
    names_board = True
    tells_board = True


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
    copied = True


@dataclass(frozen=True)
class ScoreFacts(OfBoardFacts):
    """The detailed score of a board."""

    template = "score"


@dataclass(frozen=True, kw_only=True)
class PreviewFacts(OfBoardFacts):
    """Moves that were tried, and not played.

    first    the number of entries of the record before them
    stopped  why a further move could not be tried
    offers   sentences on what the reader can do now; ``words``: the replies that do it
    tried    the words that a further move follows
    """

    template = "preview"
    names_board = True
    first: int
    stopped: Sentence = NOTHING
    offers: Sequence[Sentence] = ()
    words: Sequence[str] = ()
    tried: str = ""

    @classmethod
    def filled(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return the boards after each move, and the board as it would be: only a yes to a preview plays."""
        added = dict(super().filled(sheet))
        if board := added.get("board", sheet.board):
            added["steps"] = preview_steps(board.match, sheet.facts["first"], sheet.translator)
            added["board"] = board._replace(moving=False, tried=sheet.facts["tried"])
        return added


@dataclass(frozen=True, kw_only=True)
class ErrorFacts(OfBoardFacts):
    """Refused commands, and the board that they are about, if they are about one.

    done      the commands of the same mail that were carried out
    offers    the replies that do what was probably meant; ``deed`` says what that is
    helps     nothing was refused: the mail is answered with help
    question  what the reader may have wanted instead; ``ways``: at most three replies that answer it
    """

    template = "error"
    tells_request = True
    names_board = True
    tells_board = True
    refusals: Sequence[RefusedLine]
    done: Sequence[Sentence] = ()
    offers: Sequence[str] = ()
    deed: Sentence = NOTHING
    helps: bool = False
    question: Sentence = NOTHING
    ways: Sequence[str] = ()


@dataclass(frozen=True)
class RefusedLine:
    """A refused line as it was understood, and the reason."""

    understood: str
    reason: Sentence


@dataclass(frozen=True)
class NotesFacts(OfBoardFacts):
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
class RecordFacts(OfBoardFacts):
    """The record of a board."""

    template = "record"
    parts: Sequence[RecordPart]

    @classmethod
    def files(cls, sheet: Sheet) -> Sequence[bytes]:
        """Return the record for programs: as JSON, and as SGF if its game has that."""
        if sheet.board is None:
            return ()
        match = sheet.board.match
        facts = transcript.facts(match)
        name = f"{facts['game'].replace('*', 'star')}{facts['board']}"
        files = [wire.file("application/json", f"{name}.json", json.dumps(facts, indent=0))]
        if text := transcript.as_sgf(match):
            files.append(wire.file("application/x-go-sgf", f"{name}.sgf", text))
        return files


@dataclass(frozen=True)
class RecordPart:
    """Lines of a record, and the board after ``move`` moves; None for the board as it is."""

    lines: Sequence[Sentence]
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
    occasion  the reason why it comes; None if it comes each day
    """

    template = "digest"
    waits = True
    copied = True
    reader: str
    boards: Sequence[DigestBoard]
    short: Sequence[FurtherBoard]
    talk: bool
    drawing: str
    at: str
    zone: str
    stop: str = "letters each"
    occasion: Occasion | None = None

    @classmethod
    def filled(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return its boards as they are shown."""
        added = roundup.filled(sheet.facts, sheet.replays, sheet.recipe.pictures, sheet.translator)
        return {**super().filled(sheet), **added}

    @classmethod
    def pictures(cls, sheet: Sheet) -> Pictures:
        """Draw boards as long as there is room for their pictures."""
        return roundup.pictures(sheet.facts["whole"])

    @classmethod
    def illustrated(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return the pictures of boards with cells to tap."""
        whole = sheet.facts["whole"]
        drawn = [sheet.facts.get(f"picture{n}") for n in range(len(whole))]
        return {"images": roundup.images(whole, drawn)}


@dataclass(frozen=True)
class Occasion:
    """The reason for which a letter of several boards comes: something that concerns them all.

    subject  in English, as programs find it in the Subject
    title    what happened; ``said``: sentences about it
    replies  lines that a reply may consist of
    """

    subject: str
    title: Sentence
    said: Sentence = NOTHING
    replies: Sequence[str] = ()


@dataclass(frozen=True)
class DigestBoard:
    """A board of the daily letter: its name in the letter, the reader's time left, and the board, packed.

    waits     the reader is to move
    happened  what has happened last, packed; ``comments``: all words to the reader since the last letter
    """

    name: Sentence
    time: Sentence
    waits: bool
    match: Packed
    happened: Sequence[Sequence[str]]
    comments: Sequence[PlayerComment]


@dataclass(frozen=True)
class FurtherBoard:
    """A board that waits for the reader, by its name in the letter, its game's word and its number."""

    name: Sentence
    word: str
    number: int


# -- people


@dataclass(frozen=True)
class AwayFacts(Facts):
    """The notice that an opponent is on leave."""

    template = "away"
    who: str
    notice: Sentence


@dataclass(frozen=True)
class AnnouncementFacts(Facts):
    """The words of the operator to all players."""

    template = "announcement"
    waits = True
    first_only = True
    takes_replies = False
    subject: str
    announcement: str


@dataclass(frozen=True)
class LeavingFacts(Facts):
    """The way in which a stranger gets no more mail."""

    template = "leaving"


@dataclass(frozen=True)
class TurnedAwayFacts(Facts):
    """A person's sign-up could not be done just now: the reasons, and a free name to try again with."""

    template = "turned_away"
    refusals: Sequence[RefusedLine]
    name: str = ""


@dataclass(frozen=True)
class WelcomeFacts(Facts):
    """The first letter to an account that has no game yet. What opens it fills in ``others``, ``at_once`` and
    ``has_password``.

    others  players who take challenges
    at_once a program plays at once
    unkept  the word after the userid was no password: a name, or others can guess it
    site    where the reader's games are shown; empty if they are not
    hint    how to get letters in English; empty if they are
    opener  a person who opened the account for the reader; empty if it was the operator, who has no name
            here; None if the reader has asked for it
    """

    template = "welcome"
    first_only = True
    stays = True
    userid: str
    others: Sequence[str] = ()
    at_once: bool = False
    has_password: bool = False
    unkept: bool = False
    site: str = ""
    hint: Sentence = NOTHING
    opener: str | None = None


# -- a stranger


def _tapped(sheet: Sheet) -> Mapping[str, Any]:
    board, text = sheet.board, sheet.facts["sent_with"]
    return {"board": board._replace(sent_with=text)} if board and text else {}


@dataclass(frozen=True)
class InvitedOnlyFacts(Facts):
    """The only letter to a stranger where none are welcome: only invited people can play."""

    template = "invited_only"


@dataclass(frozen=True)
class DoorGame:
    """A game that the mail of a stranger is about; ``goal`` of the player who moves first."""

    word: str
    title: str
    goal: Sentence = NOTHING
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
    sent_with the text of the mail that a tap on a cell opens
    hint      how to get letters in English; empty if they are
    """

    template = "door"
    refusals: Sequence[RefusedLine]
    topic: str
    example: str
    points: Mapping[str, int]
    first: str
    is_known: bool
    name: str = ""
    answers: Sequence[Sentence] = ()
    friend: bool = False
    game: DoorGame = DoorGame("star", "Star")
    goals: Sequence[Sentence] = ()
    like: str = "C3"
    other: DoorGame | None = None
    sent_with: str = ""
    hint: Sentence = NOTHING

    @classmethod
    def filled(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return the board whose taps open the mail that is begun."""
        return _tapped(sheet)


# -- to confirm something


@dataclass(frozen=True)
class TokenFacts(Facts):
    """A letter with a token that confirms something. What mails it fills in all but the userid.

    days      so long the token is good
    stranger  the address does not belong to the account
    """

    first_only = True
    stays = True
    takes_replies = False
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


@dataclass(frozen=True, kw_only=True)
class AddressFacts(TokenFacts):
    """Move an account to this address; ``returned``: it has it, but letters came back from there."""

    template = "address"
    returned: bool = False


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
    """Give up all running games, or those in the contests ``of``."""

    template = "resign_all"
    count: int
    of: Sentence | None = None


@dataclass(frozen=True, kw_only=True)
class WishFacts(TokenFacts):
    """Do ``what`` a reply without a password has asked for."""

    template = "wish"
    what: Sentence


@dataclass(frozen=True)
class UnclearFacts(Facts):
    """An answer to a letter with a token of that kind has done nothing; it came from ``elsewhere``."""

    template = "unclear"
    first_only = True
    stays = True
    takes_replies = False
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


# -- ratings


@dataclass(frozen=True)
class RatingsFacts(Facts):
    """Lists of ratings: in ``practice`` against bots or not, of ``all`` players or those ``near`` the reader.

    word  the game of the lists, or any
    """

    template = "ratings"
    lists: Sequence[RatingList]
    practice: bool
    all: bool
    near: bool
    word: str


@dataclass(frozen=True)
class RatingList:
    """The players of a game; ``provisional``: nobody has a place yet."""

    title: str
    lines: Sequence[RatedPlayer]
    provisional: bool


@dataclass(frozen=True)
class RatedPlayer:
    """A rating and the games behind it, the last at ``date``.

    place   its place in the list; a dash if it has none
    rating  as it is shown: 1543, or 1491? while it is uncertain
    title   of the game; empty in a list of one game
    """

    place: int | str
    userid: str
    rating: str
    deviation: int
    games: int
    won: int
    lost: int
    tied: int
    date: str
    title: str = ""


@dataclass(frozen=True)
class WhoisFacts(Facts):
    """A player.

    bot      the fixed ratings of a bot, by game; None of a person
    beaten   the results against bots, by game
    won      games against people, rated or not; ``lost``, ``tied``
    in_time  so many of the last ``turns`` were in time
    reader   the userid of the reader
    pair     how another player, mostly the reader, has done against this one; None of a player alone
    """

    template = "whois"
    userid: str
    since: Sentence
    bot: Sequence[BotRating] | None
    ratings: Sequence[RatedPlayer]
    practice: Sequence[RatedPlayer]
    beaten: Sequence[BeatenBots]
    won: int
    lost: int
    tied: int
    turns: int
    in_time: int
    titles: Sequence[Sentence]
    reader: str
    away: bool = False
    pair: Pair | None = None

    @classmethod
    def pictures(cls, sheet: Sheet) -> Pictures:
        """Draw the boards of the two as small as stamps."""
        return _stamps((sheet.facts["pair"] or {}).get("games", ()))


@dataclass(frozen=True)
class Pair:
    """The games of player ``one`` against another: counts, results, and the last ones to tap."""

    one: str
    running: int
    over: int
    sums: Sequence[PairSum]
    streak: Sentence
    games: Sequence[GameLine]


@dataclass(frozen=True)
class VersusFacts(Facts):
    """The same of players ``one`` and ``two`` alone, as an earlier version left it in the outbox."""

    template = "versus"
    one: str
    two: str
    running: int
    over: int
    sums: Sequence[PairSum]
    streak: Sentence


@dataclass(frozen=True)
class PairSum:
    """The results in one game: those that each of the two ``won``, and of both ``ties`` and ``void`` ones.

    first  of each of the two: the games that it won, and played, as the first player
    """

    title: str
    won: tuple[int, int]
    ties: int
    void: int
    first: tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class BotRating:
    """The rating of a bot in a game."""

    title: str
    rating: str


@dataclass(frozen=True)
class BeatenBots:
    """The results against bots in a game, in words."""

    title: str
    beaten: Sequence[Sentence]


@dataclass(frozen=True)
class HistoryFacts(Facts):
    """The rated games of a player in one game, the last first, and the ratings after each, in order."""

    template = "history"
    userid: str
    title: str
    games: Sequence[RatedGame]
    points: Sequence[int]

    @classmethod
    def pictures(cls, sheet: Sheet) -> Pictures:
        """Draw the curve of the ratings."""
        return super().pictures(sheet) | ratings.curve(sheet.facts)


@dataclass(frozen=True)
class RatedGame:
    """A rated game: its result, alone and ``told`` with the opponent, and the rating before and after it."""

    board: int
    date: str
    opponent: str
    result: Sentence
    told: Sentence
    before: str
    rating: str


@dataclass(frozen=True)
class ReviewsPart(AddedFacts):
    """For the letter about a finished game: this server ``reviews`` games, or not."""

    reviews: bool


@dataclass(frozen=True, kw_only=True)
class ReviewFacts(OfBoardFacts):
    """A review of a finished game.

    players  by their sides
    moves    the moves of the game, a swap among them
    found    None while the findings are awaited
    awaited  the number of the board while they are awaited
    """

    template = "review"
    players: Mapping[str, str]
    moves: Sequence[str]
    found: Findings | None
    awaited: int = 0

    def stored(self) -> dict[str, Any]:
        """Return the facts as JSON has them; the name of the one that a waiting letter is found by is old."""
        facts = super().stored()
        return {AWAITS: facts.pop("awaited"), **facts} if self.awaited else facts

    @classmethod
    def filled(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return the findings in words."""
        told = sheet.translator.told(reviews.fill(sheet.facts))
        return {**super().filled(sheet), **told}

    @classmethod
    def pictures(cls, sheet: Sheet) -> Pictures:
        """Draw the board, and the curve of the chances."""
        return super().pictures(sheet) | reviews.curve(sheet.facts)


@dataclass(frozen=True)
class OwnOffer:
    """An offer of the reader.

    what    the game with its size and options, and terms as a challenge spells them
    seat    the side that the reader wants; empty for either
    to      whom it is for, in words
    wanted  games that are left of it; 0 for any number
    until   a date; empty for an offer without end
    """

    number: int
    what: Sentence | str
    seat: str
    to: Sentence
    wanted: int
    until: str


@dataclass(frozen=True)
class OfferLine:
    """An offer of another player, who has a ``rating`` in the game; ``seat``: the one left to the reader."""

    number: int
    what: str
    by: str
    rating: str
    seat: str
    wanted: int
    until: str


@dataclass(frozen=True)
class OfferFacts(Facts):
    """A letter about offers; ``buttons``: the lines that the reader can send."""

    buttons: Sequence[str]


@dataclass(frozen=True)
class OfferedFacts(OfferFacts):
    """A new offer of the reader; ``ignored``: a distance from a rating that is not known yet.

    others  offers that the reader can take
    """

    template = "offered"
    offer: OwnOffer
    ignored: bool
    others: Sequence[OfferLine]


@dataclass(frozen=True)
class SeeksFacts(OfferFacts):
    """The offers that the reader can take, of one game with a ``title`` or of all; ``more`` are left out."""

    template = "seeks"
    title: str
    offers: Sequence[OfferLine]
    more: int
    own: Sequence[OwnOffer]


@dataclass(frozen=True)
class WithdrawnFacts(OfferFacts):
    """So many offers are withdrawn."""

    template = "withdrawn"
    numbers: str
    count: int


@dataclass(frozen=True)
class WaitingFacts(OfferFacts):
    """The reader waits for an opponent, anew or already. ``bot``: one that answers at once, or empty.

    others  offers that the reader can take
    """

    template = "waiting"
    offer: OwnOffer
    bot: str
    is_new: bool
    others: Sequence[OfferLine]


@dataclass(frozen=True)
class AloneFacts(OfferFacts):
    """Nobody has taken an offer; it is ``over``, or ``bot`` may play that game.

    bot     empty if no program plays it, or if it is over
    others  offers that the reader can take
    """

    template = "alone"
    offer: OwnOffer
    bot: str
    over: bool
    others: Sequence[OfferLine] = ()


@dataclass(frozen=True)
class InvitationFacts(Facts):
    """A player invites a reader without an account, who is to move first on the board of the letter.

    name       a free userid for the reader; empty if none is known
    said       a sentence of the player; empty if there is none
    sent_with  the text of the mail that a tap on a cell opens
    """

    template = "invitation"
    inviter: str
    name: str = ""
    said: str = ""
    sent_with: str = ""

    @classmethod
    def filled(cls, sheet: Sheet) -> Mapping[str, Any]:
        """Return the board whose taps open the mail that is begun."""
        return _tapped(sheet)


@dataclass(frozen=True)
class WaitsFacts(Facts):
    """The answer to a reader who has replied to an invitation, and has no name yet.

    name      a free userid for the reader; empty if none is known
    first     the reader's first move, which the board of the letter shows; empty if there is none
    refusals  the lines of the reply that were refused
    is_more   the reply has other commands, which were not carried out
    """

    template = "waits"
    inviter: str
    name: str = ""
    first: str = ""
    refusals: Sequence[RefusedLine] = ()
    is_more: bool = False


@dataclass(frozen=True)
class DeclinedFacts(Facts):
    """The reader has declined an invitation, and the inviter is told."""

    template = "declined"
    inviter: str


@dataclass(frozen=True)
class OffersPart(AddedFacts):
    """The offers that the reader of a daily letter can take."""

    offers: Sequence[OfferLine]
