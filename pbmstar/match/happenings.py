"""All that can happen to a match: one class a kind, who did it, and what belongs to that.

``match.acts`` says what an act has made happen, the service adds what is not an act (a reminder, a
hint); ``render.sentences`` says each to its reader. Times are seconds since 1970 UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, dataclass_transform

from .record import Request


@dataclass_transform(frozen_default=True)
class Happened:
    """A kind of happening, a frozen dataclass; ``word`` is its name in the store."""

    word: ClassVar[str]

    def __init_subclass__(cls, word: str = "") -> None:
        cls.word = word
        dataclass(frozen=True)(cls)


class Began(Happened, word="began"):
    """A new game; in one for two ``userid`` has challenged."""

    userid: str


class Moved(Happened, word="moved"):
    """A move that is neither a pass nor a swap; the board shows it."""

    userid: str
    move: str


class Passed(Happened, word="passed"):
    """A pass."""

    userid: str


class Swapped(Happened, word="swapped"):
    """A swap."""

    userid: str


class Resigned(Happened, word="resigned"):
    """A player gave the game up; ``is_lost``: it is proved that nothing else was left."""

    userid: str
    is_lost: bool = False


class Left(Happened, word="left"):
    """A player closed the account, and so gave the game up."""

    userid: str


class Forfeited(Happened, word="forfeited"):
    """A player was too late: the move was awaited for so many days, None if the operator decided.

    ``stood`` of these days were not counted, because of ``why``.
    """

    userid: str
    days: float | None = None
    stood: int = 0
    why: str = ""


class Proposed(Happened, word="proposed"):
    """A player asks something of the opponent."""

    request: Request


class Agreed(Happened, word="agreed"):
    """A player accepted an end with these points, X's first; None for a draw."""

    userid: str
    points: tuple[int, int] | None = None


class Refused(Happened, word="refused"):
    """A player said no to a request; ``reason`` is a key of ``REASONS`` or empty."""

    userid: str
    reason: str = ""


class Lapsed(Happened, word="lapsed"):
    """The move of ``userid`` made the request of ``asker`` lapse; both may be the same player."""

    userid: str
    asker: str


class TakenBack(Happened, word="undone"):
    """Moves were taken back: the opponent agreed, or ``userid`` plays a puzzle."""

    userid: str
    moves: tuple[str, ...]


class Retracted(Happened, word="retracted"):
    """A player took back an own move where undo is free."""

    userid: str
    move: str


class Declined(Happened, word="declined"):
    """A player declined a new game, so the board is gone; ``reason`` as in ``Refused``."""

    userid: str
    reason: str = ""


class Unreached(Happened, word="unreached"):
    """No letter has got through for so many days to ``userid``, who is to move."""

    userid: str
    days: float


class Cancelled(Happened, word="cancelled"):
    """A player ended the game without result: by consent, or since ``unreached`` could not be reached."""

    userid: str
    unreached: str = ""


class Abandoned(Happened, word="abandoned"):
    """A player ended a game without time limit in which nobody had moved for so many days."""

    userid: str
    days: int


class Claimed(Happened, word="claimed"):
    """A player ended a game that the board has decided; ``is_settled``: no stone changes its points."""

    userid: str
    is_settled: bool


class Withdrawn(Happened, word="withdrawn"):
    """A player gave up all games before the first move in this one: the board is gone.

    ``left``: by closing the account.
    """

    userid: str
    left: bool


class Rematch(Happened, word="rematch"):
    """This game follows board ``board``: so many games so far, and how many each player has won."""

    userid: str
    board: int
    games: int
    won: tuple[tuple[str, int], ...]


class Countered(Happened, word="countered"):
    """This board is in place of board ``board``; ``options`` are what is different: ``-size=8``."""

    userid: str
    board: int
    options: str = ""


class OfferTaken(Happened, word="offer-taken"):
    """A player has taken offer ``number`` of ``owner``, or was paired with it: so this game began."""

    userid: str
    owner: str
    number: int


class Invited(Happened, word="invited"):
    """A player had invited ``guest``, who has opened an account since: so this game began."""

    userid: str
    guest: str


class Removed(Happened, word="removed"):
    """The operator has removed the board."""


class Reset(Happened, word="reset"):
    """The operator has put the board back to before that move."""

    due: int


class Said(Happened, word="said"):
    """A player writes to the other; the words stand below, as a comment."""

    userid: str


class Hinted(Happened, word="hinted"):
    """The player of a puzzle gets a hint."""

    userid: str


class Unlisted(Happened, word="unlisted"):
    """A puzzle is over in which its player asked for hints: it is not among the best."""

    userid: str


class AsItWas(Happened, word="as-it-was"):
    """The board is shown as it was after that move: nobody is to move on it."""

    move: int


class BotPlayed(Happened, word="bot-played"):
    """The letter of a move waited for a bot's answer: so many of the last moves are new to its reader."""

    userid: str
    moves: int


class BotWaits(Happened, word="bot-waits"):
    """A bot does not answer now: it has given so many answers within an hour, or None: bots are off."""

    userid: str
    answers: int | None


class BotRests(Happened, word="bot-rests"):
    """A bot waits: bots have thought for so many minutes within an hour, for the player or for all."""

    userid: str
    minutes: int
    for_all: bool


class BotThinks(Happened, word="bot-thinks"):
    """A bot looks for a move, mostly for less than so many minutes."""

    userid: str
    minutes: int


class Unreachable(Happened, word="unreachable"):
    """Mails to a player come back, so none are sent for now."""

    userid: str


class Overdue(Happened, word="overdue"):
    """A move has been awaited for ``waited`` days; in ``left`` days the turn ends, None: never.

    ``first``: then nobody loses, since not everybody has moved. ``stood`` of the days were not
    counted, because of ``why``.
    """

    userid: str
    waited: float
    left: float | None = None
    first: bool = False
    stood: int = 0
    why: str = ""


class Warned(Happened, word="warning"):
    """The last warning, as ``Overdue``.

    absent  a program answers for the player
    only    no reminder came before it
    """

    userid: str
    waited: float
    left: float
    first: bool = False
    absent: bool = False
    stood: int = 0
    why: str = ""
    only: bool = False


class Ends(Happened, word="ends"):
    """The time of the player to move ends then; the other player is told."""

    userid: str
    at: float


class Extended(Happened, word="extended"):
    """A player gives the other so many seconds.

    gained  how many more seconds than before the other player has by that
    length  how long the record is; None in an event that was kept before that was noted
    """

    userid: str
    seconds: int
    gained: int
    length: int | None = None


class Unbegun(Happened, word="unbegun"):
    """A player has made no first move for so many days: the board is gone; the rest as in ``Forfeited``."""

    userid: str
    days: float
    stood: int = 0
    why: str = ""


class Away(Happened, word="away"):
    """A player of a new game is on leave until then."""

    userid: str
    until: float


class LeaveTaken(Happened, word="leave-used"):
    """The time of ``userid`` was up, so a day of leave was taken, until then; ``left`` days are left."""

    userid: str
    left: int
    until: float


class Challenged(Happened, word="challenged"):
    """``userid`` has challenged a player above on a ladder; both with their places, the lower one first."""

    userid: str
    places: tuple[int, int]


class InSeason(Happened, word="in-season"):
    """The game belongs to a season, ``Star league 3, division 2``, which ends then."""

    season: str
    ends: float


class Placed(Happened, word="placed"):
    """A game of a ladder has ended: its players with their places now, 0 for who is not on it."""

    players: tuple[tuple[str, int], ...]


class Judged(Happened, word="judged"):
    """The season is over, ``Star league 3``: the game is judged. ``winner`` is empty if nothing is proved."""

    winner: str
    season: str


class Answered(Happened, word="answered"):
    """A plan has made that move."""

    userid: str
    move: str


class Private(Happened):
    """Something about a plan or a note: only ``userid``, whose it is, is told."""

    userid: str


class PlanKept(Private, word="planned"):
    """The player's plan, an answer a line; none if there is no plan."""

    lines: tuple[str, ...]


class PlanPasses(Private, word="passing"):
    """The plan may answer a pass with a pass."""


class PlanDropped(Private, word="unplanned"):
    """The plan is dropped."""


class PlanRefused(Private, word="misplanned"):
    """The plan that came with a move is refused, and why."""

    why: str


class PlanSilent(Private, word="unanswered"):
    """The plan has no answer to that move."""

    move: str


class PlanFailed(Private, word="unplayable"):
    """The plan's answer cannot be played, and why."""

    answer: str
    why: str


class PlanSetAside(Private, word="set_aside"):
    """The opponent asks something, a request of that kind, so the plan is dropped."""

    request: str


class NoteKept(Private, word="noted"):
    """A note is kept; ``most``: one is gone by that, since a board has no more, else None."""

    most: int | None = None


class NotesGone(Private, word="unnoted"):
    """All notes of the player on this board are gone."""


class TakenForWords(Private, word="taken_for_words"):
    """A mail of the player out of turn has gone to the opponent as words, since it holds no command."""


# By family, so that each family has its own page of sentences.
Play = (
    Began | Moved | Passed | Swapped | Resigned | Left | Forfeited | Said | Hinted | Unlisted | AsItWas
)  # fmt: skip
Operated = Removed | Reset | Unreachable
OfBots = BotPlayed | BotWaits | BotRests | BotThinks
Leading = (  # from one game to another, or to its end
    Cancelled | Abandoned | Claimed | Withdrawn | Rematch | Countered | OfferTaken | Invited
)  # fmt: skip
Asking = (
    Proposed | Agreed | Refused | Lapsed | TakenBack | Retracted | Declined | Unreached | Leading
)  # fmt: skip
Timing = Overdue | Warned | Ends | Extended | Unbegun | Away | LeaveTaken
OfContests = Challenged | InSeason | Placed | Judged
Planning = (
    Answered | PlanKept | PlanPasses | PlanDropped | PlanRefused | PlanSilent | PlanFailed
    | PlanSetAside | NoteKept | NotesGone | TakenForWords
)  # fmt: skip
Happening = Play | Operated | OfBots | Asking | Timing | OfContests | Planning
# After these there is no board any more.
Gone = Declined | Withdrawn | Removed | Unbegun


def seen_by(happenings: tuple[Happening, ...], userid: str) -> tuple[Happening, ...]:
    """Return what that player is told of: all but the private matters of the other."""
    return tuple(h for h in happenings if not isinstance(h, Private) or h.userid == userid)
