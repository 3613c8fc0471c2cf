"""A verb: one row of the table of commands, in core or in a feature; and all that a feature adds to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from ..errors import Sentence
from ..match.happenings import Itself
from . import arguments as a
from . import plan_arguments
from .arguments import Argument

PLAYER = (a.BOARD, a.USERID, a.PASSWORD)
ACCOUNT = (a.USERID, a.PASSWORD)


class Who(Enum):
    """The writers that a verb is for."""

    PLAYER = "the password, or a reply address, of a player of that board"
    ACCOUNT = "the password of the account"
    ADDRESS = (
        "a message from the address of an account; nothing is proved, unless a password is there, and "
        "only the account is answered"
    )
    ANYBODY = "anybody"


@dataclass(frozen=True, eq=False)  # a row is itself: no hash of all its fields in each message
class Verb:
    """One row of the table.

    args      its arguments, in order
    doc       its effect, for the help
    handler   the module and the name of the function that carries it out. The module lies in
              ``pbmstar.service.verbs``, or in the folder of its feature
    who       the writers who may say it
    example   a line that parses, for a game's verb without the game's word
    aliases   other spellings, common typing slips among them
    seats     the numbers of players of the games that have it
    reply     a reply to a board's letter may begin with it
    any_turn  such a reply may answer the letter of an earlier turn
    own_text  the text below it belongs to it, and is not for the opponent
    common    an English word that may begin a sentence: a line is this command only if it fits
    setting   it is about the account, or about no board: any line of a reply to a daily letter may say it
    asks_back it changes who owns the account: if no password is there, a letter asks if it is meant
    unlisted  help leaves it out: another word does the same, or a letter offers it
    feature   the feature that it belongs to; empty for a verb of core
    """

    name: str
    args: tuple[Argument, ...]
    doc: str
    handler: str
    who: Who
    example: str
    aliases: tuple[str, ...] = ()
    seats: tuple[int, ...] = (1, 2)
    reply: bool = False
    any_turn: bool = False
    own_text: bool = False
    common: bool = False
    setting: bool = False
    asks_back: bool = False
    unlisted: bool = False
    feature: str = ""

    def __repr__(self) -> str:
        return f"<Verb {self.name}>"

    @property
    def reply_args(self) -> tuple[Argument, ...]:
        """Return the arguments that a reply must give: its address already names board and player."""
        known = (*PLAYER, a.ACCOUNT, a.BOARDS, plan_arguments.PREVIEWED)
        return tuple(arg for arg in self.args if arg not in known)

    @property
    def names_writer(self) -> bool:
        """Return True if a reply may leave out its first player, who is its writer then."""
        return a.PLAYERS in self.args or a.USERID1 in self.args

    @property
    def least(self) -> int:
        """Return the least number of words after the verb."""
        return sum(not arg.optional for arg in self.args)

    @property
    def proved_args(self) -> tuple[Argument, ...]:
        """Return the arguments that a writer must give whose account is known: all but the writer's own."""
        own = (a.ACCOUNT, a.PASSWORD, a.USERID1)
        args = (a.OPPONENT if arg == a.PLAYERS else arg for arg in self.args if arg not in own)
        return tuple(arg for arg in args if arg != a.USERID or a.PASSWORD not in self.args)

    @property
    def has_secret(self) -> bool:
        """Return True if a password or token is among its arguments."""
        return any(arg.secret for arg in self.args)


_NONE: Mapping[str, str] = MappingProxyType({})


class Commands(NamedTuple):
    """The constant COMMANDS of a feature: its commands, and what the record of a game knows of it.

    verbs       of the server; ``game_verbs`` come after the word of a game
    happenings  the kinds of happenings that it adds to a game, each with its sentences
    questions   the letter of the address that answers to a question of its letters go to, by its kind
    guesses     the same for readers without an account
    judged      the sentence about its games without a time limit, if it ends and judges them. Its players
                agree to them all by joining it: who doesn't start one in time loses it
    unrated     the sentence that its games are not rated, if all have the same terms: letters leave these out
    """

    verbs: tuple[Verb, ...] = ()
    game_verbs: tuple[Verb, ...] = ()
    happenings: tuple[type[Itself], ...] = ()
    questions: Mapping[str, str] = _NONE
    guesses: Mapping[str, str] = _NONE
    judged: Sentence | None = None
    unrated: Sentence | None = None
