"""The commands of the problem of the week, and the addresses that answers to it go to."""

from __future__ import annotations

from ...errors import say
from ...games.base import Game
from ...games.spelling import plain, shown
from ...grammar import arguments as a
from ...grammar import literals
from ...grammar.arguments import Argument, Taken
from ...grammar.verb import Commands, Verb, Who

_read_problem = literals.number_in(
    "[1-9][0-9]{0,3}",
    say(
        "Which problem? Write its number, like 12. Or write on to get each week's problem, or "
        "off to stop it."
    ),
    "bad-problem",
)
_read_year = literals.number_in("20[0-9]{2}", say("Write a year, like 2027."), "bad-year", ".,:")


def _take(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``on``, a switch, or ``problem``, a problem's number. Raises BadInput."""
    first = plain(words[0]).strip(".,:").lower()
    if first in ("on", "off"):
        return Taken({"on": first == "on"}, [first], words[1:])
    return Taken({"problem": _read_problem(words[0])}, [shown(words[0])], words[1:])


_PROBLEM = Argument("problem", "number|on|off", _take, optional=True)
_YEAR = a.one_word("year", _read_year, optional=True)

# fmt: off
COMMANDS = Commands(
    verbs=(
        Verb("problem", (a.ACCOUNT, _PROBLEM),
             "get the problem of the week, or an older one with its solution; to get each new "
             "one: problem on",
             "feature.problem", Who.ADDRESS, "problem alice s3cret on", common=True),
        Verb("problem best", (_YEAR,), "show who solved the most problems in a year",
             "feature.best", Who.ADDRESS, "problem best 2026", unlisted=True),
    ),
    questions={"problem": "q", "own": "o"},
    guesses={"guess": "p"},
)
# fmt: on
