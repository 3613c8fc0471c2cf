"""The happenings of a match: one class for each kind, with the player who did it and the details.

``match.acts`` returns the happenings of an act. The service adds those without an act (a reminder, a
hint). ``render.sentences`` puts each into words for its reader. Times are seconds since 1970 UTC.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, dataclass_transform

from ..errors import NOTHING, Sentence, say
from ..machine.times import Epoch
from .match import Match
from .record import Entry, Request


@dataclass_transform(frozen_default=True)
class Happened:
    """A kind of happening, a frozen dataclass.

    word      its name in the store
    is_event  it is stored beside the moves of a board, since neither they nor the board's row tell of it;
              the ``userid`` of such a kind is the only player that it names
    """

    word: ClassVar[str]
    is_event: ClassVar[bool]

    def __init_subclass__(cls, word: str = "", is_event: bool = False) -> None:
        cls.word, cls.is_event = word, is_event
        dataclass(frozen=True)(cls)


class ByPlayer(Happened):
    """A happening that is an act of ``userid``, or about this player."""

    userid: str


class Itself(Happened):
    """A happening that says itself what a letter tells of it: of a bot, an offer, or a feature.

    is_met  the game begins because both players wished for one: nobody has challenged anybody
    """

    is_met: ClassVar[bool] = False

    def told(self, match: Match) -> list[Entry] | None:
        """Return the moves that the letter tells together with it; None if it is not about moves."""
        return None

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return the sentences of a reader's letter about it, none by default; times are in ``zone``."""
        return ()

    @property
    def line(self) -> Sentence:
        """The line of a board's record about it; empty if there is none."""
        return NOTHING


class OfferTaken(Itself, word="offer-taken", is_event=True):
    """``userid`` has taken offer ``number`` of the opponent, or was paired with it: so this game began."""

    is_met = True
    userid: str
    number: int

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return whose offer was taken."""
        userid, number, owner = self.userid, self.number, match.opponent(self.userid)
        if reader == userid:
            return (say("You've taken {owner}'s offer {number}.", owner=owner, number=number),)
        if reader == owner:
            return (say("{userid} has taken your offer {number}.", userid=userid, number=number),)
        return (
            say(
                "{userid} has taken {owner}'s offer {number}.",
                userid=userid,
                owner=owner,
                number=number,
            ),
        )

    @property
    def line(self) -> Sentence:
        """The line of a record about it."""
        return say("{userid} took offer {number}", userid=self.userid, number=self.number)


class Invited(Itself, word="invited"):
    """``userid`` had invited ``guest``, who has opened an account since: so this game began."""

    is_met = True
    userid: str
    guest: str

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return who has accepted whose invitation."""
        userid, guest = self.userid, self.guest
        if reader == guest:
            return (say("You've accepted {userid}'s invitation.", userid=userid),)
        if reader == userid:
            return (say("{guest} has accepted your invitation.", guest=guest),)
        return (say("{guest} has accepted {userid}'s invitation.", guest=guest, userid=userid),)


class Began(ByPlayer, word="began"):
    """A new game has begun; in a game for two, ``userid`` is the challenger."""


class Moved(ByPlayer, word="moved"):
    """A move that is neither a pass nor a swap; the board shows it."""

    move: str


class Passed(ByPlayer, word="passed"):
    """A pass."""


class Swapped(ByPlayer, word="swapped"):
    """A swap."""


class Resigned(ByPlayer, word="resigned"):
    """A player gave the game up; ``is_lost``: the loss was proved."""

    is_lost: bool = False


class Left(ByPlayer, word="left"):
    """A player closed the account, and so gave the game up."""


class Forfeited(ByPlayer, word="forfeited"):
    """A player was too late: the move was awaited for ``days``; None if the operator decided.

    ``stood`` of these days were not counted, because of ``why``.
    """

    days: float | None = None
    stood: int = 0
    why: str = ""


class Proposed(ByPlayer, word="proposed", is_event=True):
    """A player asks something of the opponent; the request has that ``kind`` and ``data``."""

    kind: str
    data: str = ""

    @property
    def request(self) -> Request:
        """The request, without its time."""
        return Request(self.kind, self.userid, self.data, 0.0)


class Agreed(ByPlayer, word="agreed"):
    """A player accepted an end with these points, X's first; None for a draw."""

    points: tuple[int, int] | None = None


class Refused(ByPlayer, word="refused", is_event=True):
    """A player said no to a request; ``reason`` is a key of ``REASONS`` or empty.

    The request had that ``kind`` and ``data``; empty in what an earlier version stored.
    """

    reason: str = ""
    kind: str = ""
    data: str = ""


class Lapsed(ByPlayer, word="lapsed"):
    """The move of ``userid`` made the request of ``asker`` lapse; both may be the same player."""

    asker: str


class TakenBack(ByPlayer, word="undone", is_event=True):
    """Moves were taken back: ``userid`` agreed to the opponent's request, or plays a puzzle."""

    moves: tuple[str, ...]


class Retracted(ByPlayer, word="retracted", is_event=True):
    """A player took back a move of their own in a game where undo is free."""

    move: str


class Declined(ByPlayer, word="declined"):
    """A player declined a new game, so the board is gone; ``reason`` as in ``Refused``."""

    reason: str = ""


class Unreached(ByPlayer, word="unreached", is_event=True):
    """No letter has reached ``userid``, the player to move, for ``days``."""

    days: float


class Cancelled(ByPlayer, word="cancelled"):
    """A player ended the game without result: by consent, or as ``unreached`` could not be reached."""

    unreached: str = ""


class Abandoned(ByPlayer, word="abandoned"):
    """A player ended a game without time limit, because nobody had moved in it for ``days``."""

    days: int


class Claimed(ByPlayer, word="claimed"):
    """A player ended a game that the board has decided; ``is_settled``: no stone can change its points."""

    is_settled: bool


class Withdrawn(ByPlayer, word="withdrawn"):
    """A player gave up all games, and had not moved in this one yet: the board is gone.

    ``left``: the player has closed the account.
    """

    left: bool


class Rematch(ByPlayer, word="rematch", is_event=True):
    """This game follows board ``board``.

    games  the number of games so far; 0 in an event that an earlier version stored
    won    the points of each player, in the order of their seats: 1 for a game won, a half for a tie
    """

    board: int
    games: int = 0
    won: tuple[float, ...] = ()


class Rematched(ByPlayer, word="rematched", is_event=True):
    """A game is over, and ``userid`` has begun its rematch: board ``board``."""

    board: int


class Countered(ByPlayer, word="countered", is_event=True):
    """This board takes the place of board ``board``; ``options`` are the changed ones: ``-size=8``.

    count  the number of boards of that challenge, this one among them; 0 in a letter of an earlier version
    """

    board: int
    options: str = ""
    count: int = 0


class Removed(Happened, word="removed"):
    """The operator has removed the board."""


class Reset(Happened, word="reset", is_event=True):
    """The operator has put the board back to the position before move ``due``."""

    due: int


class Talked(ByPlayer, word="said"):
    """A player writes to the other; the words stand below, as a comment."""


class Hinted(ByPlayer, word="hinted", is_event=True):
    """The player of a puzzle gets a hint; ``length`` of the record, None in an earlier letter."""

    length: int | None = None


class Muted(ByPlayer, word="mute", is_event=True):
    """A player wants no more words of the opponent on this board, or wants them again."""

    is_on: bool


class BanksSet(Happened, word="banks", is_event=True):
    """The players have other banks than their moves alone would give, since moves were taken back.

    length  the length of the record then
    banks   the seconds of each player, in the order of their seats
    """

    length: int
    banks: tuple[int, ...]


class Unlisted(ByPlayer, word="unlisted"):
    """A puzzle is over, but is not listed among the best, because its player asked for hints."""


class AsItWas(Happened, word="as-it-was"):
    """The board is shown as it was after move ``move``: nobody can move on it."""

    move: int


class Unreachable(ByPlayer, word="unreachable"):
    """Letters to a player come back, so none are sent for now."""


class Overdue(ByPlayer, word="overdue"):
    """A move has been awaited for ``waited`` days; the turn ends in ``left`` days (None: never).

    ``first``: nobody loses then, because not every player has moved yet. ``stood`` of the days were
    not counted, because of ``why``.
    """

    waited: float
    left: float | None = None
    first: bool = False
    stood: int = 0
    why: str = ""


class Warned(ByPlayer, word="warning"):
    """The last warning. It has the fields of ``Overdue`` and these:

    absent  a program answers for the player
    only    no reminder came before it
    """

    waited: float
    left: float
    first: bool = False
    absent: bool = False
    stood: int = 0
    why: str = ""
    only: bool = False


class Ends(ByPlayer, word="ends"):
    """The time of ``userid``, the player to move, ends at ``at``; the other player is told."""

    at: Epoch


class Extended(ByPlayer, word="extended", is_event=True):
    """A player gives the opponent ``seconds`` more time.

    gained  the number of seconds that the opponent has more than before
    length  the length of the record; None in an old event that was stored without it
    """

    seconds: int
    gained: int
    length: int | None = None


class Unbegun(ByPlayer, word="unbegun"):
    """A player has made no first move for ``days``: the board is gone. The rest is as in ``Forfeited``."""

    days: float
    stood: int = 0
    why: str = ""


class Away(ByPlayer, word="away"):
    """A player of a new game is on leave until ``until``."""

    until: Epoch


class LeaveTaken(ByPlayer, word="leave-used"):
    """The time of ``userid`` was up, so a day of leave began, to ``until``; ``left`` such days are left."""

    left: int
    until: Epoch


class Judged(Happened, word="judged"):
    """``contest``, which the game belongs to, is over: it is judged; ``winner`` is empty for no proof."""

    winner: str
    contest: str


class Answered(ByPlayer, word="answered"):
    """A plan has made that move."""

    move: str


class Private(ByPlayer):
    """A happening about a plan, a note or a message of ``userid``: only this player is told."""


class PlanKept(Private, word="planned"):
    """The player's plan, one line for each answer; no lines if there is no plan."""

    lines: tuple[Sentence, ...]


class PlanPasses(Private, word="passing"):
    """The plan may answer a pass with a pass."""


class PlanDropped(Private, word="unplanned"):
    """The plan is dropped."""


class PlanRefused(Private, word="misplanned"):
    """The plan that came with a move is refused, because of ``why``."""

    why: Sentence


class PlanSilent(Private, word="unanswered"):
    """The plan has no answer to that move."""

    move: str


class PlanFailed(Private, word="unplayable"):
    """The plan's answer cannot be played, because of ``why``."""

    answer: str
    why: Sentence


class PlanSetAside(Private, word="set_aside"):
    """The opponent has made a request of that kind, so the plan is dropped."""

    request: str


class NoteKept(Private, word="noted"):
    """A note is kept; ``most`` is the limit of a board if an older note had to go, otherwise None."""

    most: int | None = None


class NotesGone(Private, word="unnoted"):
    """All notes of the player on this board are gone."""


class TakenForWords(Private, word="taken_for_words"):
    """A message that the player sent out of turn has gone to the opponent as words: it holds no command.

    ``like`` is the reply word that means nearly what the mail says; empty if there is none.
    """

    like: str = ""


# The kinds by family: each family has its own page of sentences.
Play = (
    Began | Moved | Passed | Swapped | Resigned | Left | Forfeited | Talked | Hinted | Unlisted | AsItWas
)  # fmt: skip
Operated = Removed | Reset | Judged | Unreachable
Leading = (  # from one game to another, or to its end
    Cancelled | Abandoned | Claimed | Withdrawn | Rematch | Countered
)  # fmt: skip
Asking = (
    Proposed | Agreed | Refused | Lapsed | TakenBack | Retracted | Declined | Unreached | Leading
)  # fmt: skip
Timing = Overdue | Warned | Ends | Extended | Unbegun | Away | LeaveTaken
Untold = Rematched | Muted | BanksSet  # no letter tells of them
Planning = (
    Answered | PlanKept | PlanPasses | PlanDropped | PlanRefused | PlanSilent | PlanFailed
    | PlanSetAside | NoteKept | NotesGone | TakenForWords
)  # fmt: skip
Happening = Play | Operated | Asking | Timing | Itself | Planning | Untold


class Event(NamedTuple):
    """The ``n``-th happening that is stored beside the moves of a board; ``at``: seconds since 1970 UTC."""

    n: int
    at: Epoch
    happening: Happening


# After these the board is gone.
Gone = Declined | Withdrawn | Removed | Unbegun


def has_muted(events: Sequence[Event], userid: str) -> bool:
    """Return True if a player has muted the opponent's words on a board; ``events`` of the board."""
    for event in reversed(events):
        if isinstance(event.happening, Muted) and event.happening.userid == userid:
            return event.happening.is_on
    return False


def seen_by(happenings: tuple[Happening, ...], userid: str) -> tuple[Happening, ...]:
    """Return the happenings that a player is told of: all except the private ones of the other player."""
    return tuple(h for h in happenings if not isinstance(h, Private) or h.userid == userid)
