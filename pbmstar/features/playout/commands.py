"""The command that plays a position out. The parser loads this module, so it imports nothing heavy."""

from __future__ import annotations

import re

from ...errors import BadInput, Sentence, say
from ...games.base import Game
from ...games.spelling import plain, shown
from ...grammar import arguments as a
from ...grammar import literals
from ...grammar.verb import PLAYER, Commands, Verb, Who
from ...match import Match
from ...match.happenings import Itself


class PlayedOn(Itself, word="played-on", is_event=True):
    """``userid`` plays board ``board`` on from its move ``number``: so this game began."""

    userid: str
    board: int
    number: int

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return where the game begins."""
        return (
            say(
                "This game starts from the position after move {number} on board {board}.",
                number=self.number,
                board=self.board,
            ),
        )

    @property
    def line(self) -> Sentence:
        """The line of a record about it."""
        return say(
            "starts after move {number} of board {board}", number=self.number, board=self.board
        )


_NUMBER = re.compile("#?([1-9][0-9]{0,3})[.,]?")


def _take_number(words: list[str], game: type[Game] | None) -> a.Taken:
    """Take ``number``: a move's number, perhaps with the word "move" before it. Raises BadInput."""
    at = 1 if plain(words[0]).lower() == "move" and len(words) > 1 else 0
    found = _NUMBER.fullmatch(plain(words[at]))
    if not found:
        raise BadInput(say("Which move? Give its number, for example: from 14"), "bad-move-number")
    return a.Taken({"number": int(found[1])}, [*map(shown, words[: at + 1])], words[at + 1 :])


_MOVE_NUMBER = a.Argument("number", "moveno", _take_number, distinct=True)
_RIVAL = a.one_word("rival", literals.read_userid, "opponent", optional=True)

# fmt: off
COMMANDS = Commands(
    game_verbs=(
        Verb("from", (*PLAYER, _MOVE_NUMBER, _RIVAL),
             "play on from an earlier move of a finished game, against the same opponent or a "
             "bot (the new game isn't rated)",
             "feature.play_on", Who.PLAYER, "from 17 alice s3cret 14", seats=(2,), reply=True, any_turn=True,
             common=True),
    ),
    happenings=(PlayedOn,),
)
# fmt: on
