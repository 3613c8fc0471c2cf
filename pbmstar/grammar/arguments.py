"""The arguments of verbs: the name of each, and the words of a line that it takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from ..errors import BadInput, BadOption, say, together
from ..games.base import PASS_WORDS, Game
from ..games.spelling import plain, shown
from ..match.terms import OLDER, TERMS, read_term
from . import literals
from .literals import MASK


class Taken(NamedTuple):
    """The words that an argument took: its values, the words as letters show them, and the rest."""

    values: dict[str, Any]
    shown: list[str]
    rest: list[str]


@dataclass(frozen=True)
class Argument:
    """One argument of a verb.

    name      its key in ``Command.args``
    label     its name in a usage line; ``labels`` if that depends on the game, one for each way to
              write it
    take      reads it from the words, which are not empty unless it is ``eager``; raises BadInput
    optional  it may be absent
    secret    a password or token
    distinct  its words look like no password, so that a missing password is noticed
    parts     the arguments that it stands for, if that depends on the game
    eager     it is asked even if no word is left: then it has a value, or an error, of its own
    """

    name: str
    label: str
    take: Callable[[list[str], type[Game] | None], Taken]
    optional: bool = False
    secret: bool = False
    distinct: bool = False
    eager: bool = False
    labels: Callable[[type[Game]], list[str]] | None = None
    parts: Callable[[type[Game]], tuple[Argument, ...]] | None = None

    def usages(self, game: type[Game] | None) -> list[str]:
        """Return the ways to write it in usage lines, nearly always one."""
        if self.labels and game:
            return self.labels(game)
        return [f"[{self.label}]" if self.optional else self.label]


def parts(args: Sequence[Argument], game: type[Game] | None) -> list[Argument]:
    """Return the arguments of a verb for a game; the parts of an argument replace it."""
    return [part for arg in args for part in (arg.parts(game) if arg.parts and game else (arg,))]


def missing(name: str, label: str) -> BadInput:
    """Return the error of an argument that is not there."""
    how = (
        say("To set a password, send the word forgot followed by your name.")
        if name == "password"
        else ""
    )
    text = together(say("Something is missing: {label}.", label=label), how)
    return BadInput(text, f"missing-{name}")


def one_word(
    name: str,
    read: Callable[[str], Any],
    label: str = "",
    *,
    optional: bool = False,
    secret: bool = False,
    distinct: bool = False,
) -> Argument:
    def take(words: list[str], game: type[Game] | None) -> Taken:
        return Taken({name: read(words[0])}, [MASK if secret else shown(words[0])], words[1:])

    return Argument(name, label or name, take, optional, secret, distinct)


def choice(name: str, choices: Sequence[str], *, optional: bool = False) -> Argument:
    """Return an argument that is one of these words, perhaps cut short."""
    read, label = literals.read_one_of(*choices), "|".join(choices)
    return one_word(name, read, label, optional=optional, distinct=True)


def rest(
    name: str,
    read: Callable[[Sequence[str]], Any],
    label: str,
    *,
    optional: bool = False,
    distinct: bool = False,
) -> Argument:
    """Return an argument of all the words that are left."""

    def take(words: list[str], game: type[Game] | None) -> Taken:
        return Taken({name: read(words)}, [*map(shown, words)], [])

    return Argument(name, label, take, optional, distinct=distinct)


# -- several words


def _take_boards(words: list[str], game: type[Game] | None) -> Taken:
    if not words:
        raise BadInput(say("Which board? Please add its number."), "missing-board")
    boards = [literals.read_board_at(word) for word in words]
    return Taken({"boards": boards}, [*map(shown, words)], [])


_GUARD = re.compile(r"(.*)#([0-9]{1,5})")
_MOVE_WORDS = 4  # two cells, the guard, and some room for additions of mail programs
_LONGEST_MOVE = 40  # words, if all of them are like parts of a move: many queens, a chain of jumps
_LONGEST_WORD = 160
_SHOWN_OF_WORD = 60
_CELL = r"(?:[a-z]{0,2}[0-9]{1,3}|@)"
# With the asterisks of bold cells. It is atomic, and nothing is given back of a row of cells: else a row of
# commas between cells could be read in many ways, and all of them would be tried.
_JOIN = r"(?>\*{0,2}(?:,+|\++|->|[->\u2192])(?:[^\w@#]|#(?!\d)){0,3}(?:@(?=\w))?)"
_LIKE_A_MOVE = re.compile(
    rf"[\W_]*?(pass|swap|resign|undo|star|to|{_CELL}({_JOIN}{_CELL})*+)?"
    r"[\W_]*(#[0-9]{1,5}[\W_]*)?",
    re.I,
)


# Cells as some players write them: H-12, F6/G7, c-3-4, b[a2], x:D4.
_LIKE_CELLS = re.compile(
    r"(?:[a-z]\W)?[a-z]{1,2}\W?[0-9]{1,2}(?:\W[a-z]{1,2}\W?[0-9]{1,2}){0,3}|[a-z]\W[0-9]{1,2}\W[0-9]{1,2}",
    re.I,
)
_MARKS = ".,;:!?()[]<>\"'"  # around a word of a text
_GLUED_LINK = re.compile(r"[<\[(](?:https?|mailto):.*", re.I)
_LETTERS_AND_DIGITS = re.compile("[a-z].*[0-9]|[0-9].*[a-z]", re.I)
_OPTION = re.compile("-[a-z]+=", re.I)
_ADDRESS = re.compile(r"\w@\w")  # of somebody else, perhaps; @ alone is a cell


def like_a_move(word: str) -> bool:
    """Return True if a word has the form of a move or of a part of one, as marks and dashes alone have."""
    return len(word) <= _LONGEST_WORD and bool(_LIKE_A_MOVE.fullmatch(plain(word)))


def may_be_secret(word: str) -> bool:
    """Return True if a word in the place of a move may be a password: letters and digits, but no move.

    A password of letters only cannot be told from a word of talk. An option is not a password.
    """
    typed = plain(word)
    if len(typed) < literals.LEAST or not _LETTERS_AND_DIGITS.search(typed):
        return False
    cells = _GLUED_LINK.sub("", typed).strip(_MARKS)
    return not (like_a_move(typed) or _LIKE_CELLS.fullmatch(cells) or _OPTION.match(typed))


def show_move(words: Sequence[str]) -> list[str]:
    """Return the words of a move, or the words in its place, as letters show them: without addresses."""
    return [_shown_word(word) for word in words]


def _shown_word(word: str) -> str:
    if may_be_secret(word):
        return MASK
    word = _GLUED_LINK.sub("", word)
    return "..." if _ADDRESS.search(word) else shown(plain(word), _SHOWN_OF_WORD)


def take_move(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``move``: the words of a move, plain; ``guard``: its #moveno or None; ``plan``: the rest.

    A plan begins with "if" or "else"; its faults do not spoil the move. Raises BadInput.
    """
    at = next((at for at, word in enumerate(words) if at and is_plan_word(word)), len(words))
    words, plan = words[:at], words[at:]
    bare = [plain(word).strip("\"'`.,;:!") for word in words]
    bare = [word for word in bare if word]
    guard = None
    if bare and (match := _GUARD.fullmatch(bare[-1].rstrip("*_"))):
        guard = int(match[2])
        bare = [*bare[:-1], match[1]] if match[1] else bare[:-1]
    if bare and all(word in PASS_WORDS for word in bare):  # a longer row of dashes is a rule
        bare = ["pass"]
    if not bare:
        raise BadInput(say("Which move?"), "missing-move")
    is_long = len(bare) > _MOVE_WORDS or any(len(word) > 24 for word in bare)
    if (
        len(bare) > _LONGEST_MOVE
        or (is_long and not all(map(like_a_move, bare)))
        or any(map(may_be_secret, words))
    ):
        raise BadInput(say("That isn't a move."), "no-move")
    move = [word.strip("_") if word.strip("_*").isalpha() else word for word in bare]
    taken = {"move": move, "guard": guard, "plan": " ".join(plan)}
    return Taken(taken, show_move(words + plan), [])


def is_plan_word(word: str) -> bool:
    return plain(word).lower() in ("if", "else")


def _move_labels(game: type[Game]) -> list[str]:
    passes = [" | ".join(PASS_WORDS)] if game.has_pass else []
    return [f"{game.written}[#moveno]", *passes, *(["swap"] if game.has_swap else [])]


def _take_zone(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``zone``: the words of its name as they are typed; nothing checks here if it exists."""
    typed = plain(" ".join(words)).strip("\"'`<>.,")[:_SHOWN_OF_WORD]
    return Taken({"zone": typed}, [shown(typed)], [])


def _no_words(words: list[str], game: type[Game] | None) -> Taken:
    return Taken({}, [], words)


def _players(game: type[Game]) -> tuple[Argument, ...]:
    """Return an argument for the userid of each seat of the game."""
    return (USERID1, USERID2) if len(game.seats) > 1 else (ONLY_USERID,)


def _opponent(game: type[Game]) -> tuple[Argument, ...]:
    """Return an argument for the userid of each seat of the game but the writer's."""
    return (USERID2,) if len(game.seats) > 1 else ()


def option_labels(game: type[Game], more: str = "") -> list[str]:
    """Return the labels of a game's options and ``more``: one, since there is one way to write them."""
    return [" ".join([*(f"[{option.usage()}]" for option in game.options), more]).strip()]


def take_options(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``options``: the game's options, anywhere among the words, full names to texts; ``terms``: the
    other terms, names to values. A word that may be an option of the game is not a term. Raises BadInput."""
    assert game is not None
    chosen: dict[str, str] = {}
    agreed: dict[str, Any] = {}
    dashed = [word for word in words if plain(word).startswith("-")]
    for word in dashed:
        typed, _, value = plain(word).lstrip("-").lower().partition("=")
        names = _meant_of(game, typed)
        terms = [] if names or len(game.seats) == 1 else _meant(typed, [*TERMS, *OLDER])
        if len(names) + len(terms) != 1:
            usages = [option.usage() for option in game.options]
            usages += [f"-{name}" for name in TERMS if len(game.seats) > 1]
            option, has = f"-{shown(typed)}", ", ".join(usages)
            why = (
                say(
                    "There's no option {option}. {game} has these: {options}.",
                    option=option,
                    game=game.title,
                    options=has,
                )
                if has
                else say(
                    "There's no option {option}. {game} doesn't have any.",
                    option=option,
                    game=game.title,
                )
            )
            raise BadInput(why, "unknown-option")
        (name,) = names or terms
        if name in chosen or OLDER.get(name, name) in agreed:
            raise BadInput(say("You gave the option -{name} twice.", name=name), "double-option")
        read = partial(_read_option, game, name) if names else partial(read_term, name)
        try:
            read(value)
        except BadInput:
            _check_blank(f"-{typed}", value, words[words.index(word) + 1 :], read)
            raise
        if names:
            chosen[name] = value
        else:
            agreed |= read_term(name, value)
    try:
        game(chosen)
    except BadOption as error:
        raise BadInput(error.said, "bad-option") from None
    others = [word for word in words if word not in dashed]
    values = {"options": chosen, "terms": agreed}
    return Taken(values, [shown(word) for word in dashed], others)


def _read_option(game: type[Game], name: str, text: str) -> None:
    """Raise BadInput if an option of a game can't have this value."""
    try:
        next(option for option in game.options if option.name == name).read(text)
    except BadOption as error:
        raise BadInput(error.said, "bad-option") from None


def _check_blank(
    option: str, value: str, rest: Sequence[str], read: Callable[[str], object]
) -> None:
    """Raise BadInput with the spelling of an option whose value follows after a blank."""
    following = "".join(plain(word) for word in rest[: 1 + (rest[:1] == ["="])]).lstrip("=").lower()
    if value or not following:
        return
    try:
        read(following)
    except BadInput:
        return
    raise BadInput(
        say("Write it without a space: {option}", option=f"{option}={shown(following)}"),
        "blank-in-option",
    )


def is_option(name: str, game: type[Game] | None) -> bool:
    """Return True if a name, without its dash, means options of a game or terms, cut short or not."""
    return bool((game and _meant_of(game, name)) or _meant(name, [*TERMS, *OLDER]))


def _meant_of(game: type[Game], typed: str) -> list[str]:
    """Return the options of a game that a word may mean, by their names or by their other names."""
    own = {option.name: option.name for option in game.options}
    own |= {option.other: option.name for option in game.options if option.other}
    return sorted({own[name] for name in _meant(typed, list(own))})


def _meant(typed: str, names: Sequence[str]) -> list[str]:
    """Return the names that a word may mean, cut short or not."""
    if typed in names:
        return [typed]
    return [name for name in names if typed and name.startswith(typed)]


def _take_counter(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``options`` and ``terms`` as of a challenge, and ``seat``, the writer's. Raises BadInput."""
    seats = [word for word in words if plain(word).lower().startswith("-seat")]
    taken = take_options([word for word in words if word not in seats], game)
    if not seats:
        return taken
    seat = plain(seats[0]).lower().removeprefix("-seat=").upper()
    if len(seats) > 1 or (seat not in ("X", "O")):
        raise BadInput(say("Write -seat=x to go first, or -seat=o to go second."), "bad-seat")
    return Taken(
        {**taken.values, "seat": seat}, [*taken.shown, f"-seat={seat.lower()}"], taken.rest
    )


def _take_player(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``userid``, but no filter of games: that is for the next argument. Raises BadInput."""
    if literals.is_filter(words[0]):
        return Taken({}, [], words)
    return USERID.take(words, game)


def _take_words(words: list[str], game: type[Game] | None) -> Taken:
    """Take the rest of the line. Letters do not show it as part of the command: it is talk."""
    return Taken({"words": " ".join(words)}, ["..."], [])


def _take_account(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``userid`` and ``password``; neither if a number or a switch comes first. Raises BadInput."""
    first = plain(words[0]).strip("#*.,:").lower()
    if first.isdigit() or first in ("on", "off"):
        return Taken({}, [], words)
    userid = literals.read_userid(words[0])
    if len(words) < 2:
        raise missing("password", "password")
    taken = {"userid": userid, "password": literals.read_password(words[1])}
    return Taken(taken, [shown(words[0]), MASK], words[2:])


def _take_chosen(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``password``; a word with @ is the address after it. Raises BadInput."""
    if "@" in plain(words[0]):
        return Taken({}, [], words)
    return PASSWORD.take(words, game)


BOARD = one_word("board", literals.read_board, "board#")
BOARDS = Argument("boards", "board#[#moveno]...", _take_boards, eager=True)
USERID = one_word("userid", literals.read_userid)
USERID2 = one_word("userid2", literals.read_userid)
PASSWORD = one_word("password", literals.read_password, secret=True)
CHOSEN_PASSWORD = Argument("password", "password", _take_chosen, optional=True, secret=True)
ACCOUNT = Argument("account", "userid password", _take_account, optional=True, secret=True)
NEW_PASSWORD = one_word("new", literals.read_password, secret=True)
TOKEN = one_word("token", literals.read_token, secret=True)
ADDRESS = one_word("address", literals.read_address, distinct=True)
COPYING = choice("kind", literals.COPYING, optional=True)
OWN_ADDRESS = one_word("address", literals.read_own_address, optional=True)
MOVE = Argument("move", "move...", take_move, distinct=True, eager=True, labels=_move_labels)
POINTS = one_word("points", literals.read_points, "points|draw", optional=True, distinct=True)
WORDS = Argument("words", "words...", _take_words, optional=True)
REASON = one_word("reason", literals.read_reason, optional=True)
OPTIONS = Argument(
    "options", "options", take_options, optional=True, eager=True, labels=option_labels
)
COUNTER = replace(OPTIONS, take=_take_counter, labels=partial(option_labels, more="[-seat=x|o]"))
FILTERS = rest("filters", literals.read_filters, "filter...", optional=True)
USERID1 = one_word("userid1", literals.read_userid)
ANY_USERID = one_word("userid", literals.read_userid, optional=True)
ONLY_USERID = one_word("userid1", literals.read_userid, "userid")
PLAYERS = Argument("players", "userid...", _no_words, parts=_players)
OPPONENT = Argument("opponent", "userid", _no_words, parts=_opponent)
PLAYER = Argument("userid", "userid", _take_player, optional=True)
MOST = one_word("most", literals.read_number_or_off, "number|off", distinct=True)
SWITCH = one_word("on", literals.read_on_or_off, "on|off", distinct=True)
MAYBE_SWITCH = one_word("on", literals.read_on_or_off, "on|off", optional=True, distinct=True)
OFTEN = one_word("often", literals.read_reminders, "|".join(literals.REMINDERS), distinct=True)
DAYS = rest("days", literals.read_extension, "days", distinct=True)
AUTO = one_word("auto", literals.read_auto_or_off, "auto|off", distinct=True)
SPAN = rest("span", literals.read_span, "days | from to", optional=True, distinct=True)
HOW_OFTEN = choice("often", literals.LETTERS)
DAILY_AT = one_word("at", literals.read_minute, "hh:mm", optional=True, distinct=True)
DRAWING = choice("drawing", literals.DRAWINGS)
ZONE = Argument("zone", "zone", _take_zone, distinct=True)
LANGUAGE = one_word("language", literals.read_language, optional=True, distinct=True)
GAME = one_word("game", literals.read_game)
MAYBE_GAME = one_word("game", literals.read_game, optional=True)
GAME_OR_ALL = one_word("game", literals.read_game_or_all, optional=True)
DIVISION = one_word("division", literals.read_division, optional=True)
TOPIC = one_word("topic", literals.read_topic, optional=True)
