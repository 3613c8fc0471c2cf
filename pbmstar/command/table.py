"""The table of verbs. Parser, usage lines, reply words, help and handlers all follow from a row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import product

from ..games.base import Game
from . import ahead, values
from . import arguments as a
from .arguments import Argument
from .offers import COUNTER, FILTERS


class Who(Enum):
    """Who may say a verb."""

    PLAYER = "the password, or a reply address, of a player of that board"
    ACCOUNT = "the password of the account"
    ADDRESS = (
        "a mail from the address of an account; nothing is proved, unless a password is there, and "
        "only the account is answered"
    )
    ANYBODY = "anybody"


@dataclass(frozen=True)
class Verb:
    """One row of the table.

    args      its arguments, in order
    doc       what it does, for the help
    handler   the function that carries it out: a module of ``pbmstar.service.verbs``, and its name
    who       who may say it
    example   a line that parses; that of a game's verb lacks the game word
    aliases   other spellings, common typing slips among them
    seats     the games that have it: those for so many players
    reply     a reply to a board's letter may begin with it
    any_turn  such a reply may answer the letter of an earlier turn
    own_text  the text below it is its own, and not for the opponent
    common    an English word that may begin a sentence: a line is this command only if it fits
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

    def __repr__(self) -> str:
        return f"<Verb {self.name}>"

    @property
    def reply_args(self) -> tuple[Argument, ...]:
        """The arguments that a reply must give itself: its address says board and player."""
        known = (*_PLAYER, a.ACCOUNT, a.BOARDS, ahead.PREVIEWED)
        return tuple(arg for arg in self.args if arg not in known)

    @property
    def least(self) -> int:
        """The least number of words after the verb."""
        return sum(not arg.optional for arg in self.args)

    @property
    def has_secret(self) -> bool:
        """Whether a password or token is among its arguments."""
        return any(arg.secret for arg in self.args)


_PLAYER = (a.BOARD, a.USERID, a.PASSWORD)
_ACCOUNT = (a.USERID, a.PASSWORD)

# fmt: off
GAME_VERBS = (
    Verb("challenge", (a.OPTIONS, a.PLAYERS),
         "start a game; who is named first plays X and begins; -time=10d and other terms: help time",
         "challenges.challenge", Who.ANYBODY, "challenge alice bob"),
    Verb("move", (*_PLAYER, a.MOVE), "play; with #moveno only if it is that move",
         "play.move", Who.PLAYER, "move 17 alice s3cret F6#9", aliases=("board", "mvoe", "moev")),
    Verb("pass", _PLAYER, "pass; two passes in succession end the game",
         "play.pass_", Who.PLAYER, "pass 17 alice s3cret", seats=(2,), reply=True),
    Verb("swap", _PLAYER, "exchange seats, as the second move only",
         "play.swap", Who.PLAYER, "swap 17 alice s3cret", seats=(2,), reply=True),
    Verb("undo", _PLAYER, "take back your last move: in a puzzle at once, else the opponent is asked",
         "play.undo", Who.PLAYER, "undo 17 alice s3cret", reply=True),
    Verb("hint", _PLAYER, "mail me one next move after which it can still be solved, if one is known",
         "play.hint", Who.PLAYER, "hint 17 alice s3cret", seats=(1,), reply=True),
    Verb("resign", _PLAYER, "give the game up",
         "play.resign", Who.PLAYER, "resign 17 alice s3cret", reply=True),
    Verb("plan", (*_PLAYER, ahead.PLAN),
         "say what you will answer before the opponent moves; mail me my plan, or drop it",
         "play.plan", Who.PLAYER, "plan 17 alice s3cret if G7 then H8; else pass", seats=(2,),
         reply=True, any_turn=True),
    Verb("queue", (*_PLAYER, a.MOVE), "plan one move that answers whatever the opponent does",
         "play.queue", Who.PLAYER, "queue 17 alice s3cret F6", aliases=("qmove",), seats=(2,),
         reply=True, any_turn=True),
    Verb("propose", (*_PLAYER, a.POINTS),
         "offer to end the game: propose draw, or a score with X's points first, propose 11-10; alone it "
         "means the only score that is still possible",
         "play.propose", Who.PLAYER, "propose 17 alice s3cret 11-10", seats=(2,), reply=True),
    Verb("draw", _PLAYER, "ask to end the game as a draw",
         "play.draw", Who.PLAYER, "draw 17 alice s3cret", seats=(2,), reply=True),
    Verb("cancel", _PLAYER,
         "ask to end the game without result; if the opponent cannot be reached, it ends at once",
         "play.cancel", Who.PLAYER, "cancel 17 alice s3cret", seats=(2,), reply=True),
    Verb("claim", _PLAYER,
         "end a game that is decided for you, or settled: the board proves it, and nobody is asked",
         "play.claim", Who.PLAYER, "claim 17 alice s3cret", seats=(2,), reply=True),
    Verb("accept", (*_PLAYER, ahead.WITH_PLAN),
         "agree to what the opponent asks; in reply to a preview, play it, or with plan plan the rest",
         "play.accept", Who.PLAYER, "accept 17 alice s3cret",
         aliases=("yes", "ok", "okay"), seats=(2,), reply=True),
    Verb("no", (*_PLAYER, a.WORDS), "say no to what the opponent asks, and to nothing else",
         "play.refuse", Who.PLAYER, "no 17 alice s3cret", seats=(2,), reply=True),
    Verb("decline", (*_PLAYER, a.REASON),
         "say no to what the opponent asks, else to a new game before your own first move",
         "play.decline", Who.PLAYER, "decline 17 alice s3cret slow", seats=(2,), reply=True),
    Verb("extend", (*_PLAYER, a.DAYS), "give your opponent more time, 1 to 14 days",
         "time.extend", Who.PLAYER, "extend 17 alice s3cret 7", seats=(2,), reply=True, any_turn=True),
    Verb("say", (*_PLAYER, a.WORDS),
         "write to your opponent, behind it and in the lines below, without a move; also after the end",
         "play.say", Who.PLAYER, "say 17 alice s3cret", seats=(2,), reply=True, any_turn=True),
    Verb("counter", (*_PLAYER, COUNTER),
         "before your own first move: put a game with other options, terms or seats in its place",
         "again.counter", Who.PLAYER, "counter 17 alice s3cret -seat=o", seats=(2,), reply=True),
    Verb("rematch", _PLAYER, "play again when the game is over; who moved first moves second",
         "again.rematch", Who.PLAYER, "rematch 17 alice s3cret", reply=True, any_turn=True),
    Verb("preview", (ahead.PREVIEWED, ahead.TRIED),
         "mail me what moves would make of a board, or of a new one; nothing is played",
         "previews.preview", Who.ADDRESS, "preview 17 F6 G7 H8", aliases=("try",), reply=True,
         any_turn=True),
    Verb("note", (*_PLAYER, a.NONE),
         "keep the text below it for yourself alone; with none forget all your notes on the board",
         "notes.note", Who.PLAYER, "note 17 alice s3cret", reply=True, any_turn=True, own_text=True),
    Verb("notes", _PLAYER, "mail me my notes on a board",
         "notes.notes", Who.PLAYER, "notes 17 alice s3cret", reply=True, any_turn=True),
    Verb("record", (a.BOARD,), "mail me the record of a board, with the words of both if I play on it",
         "notes.record", Who.ADDRESS, "record 17", reply=True, any_turn=True),
    Verb("show", (a.BOARDS,), "mail me boards, or a board as it was after that move",
         "asks.show", Who.ADDRESS, "show 17#5 18", reply=True, any_turn=True),
    Verb("score", (a.BOARD,), "mail me the detailed score report",
         "asks.score", Who.ADDRESS, "score 17", reply=True, any_turn=True),
    Verb("review", (a.BOARD,), "mail me where a finished game turned, and what was better",
         "asks.review", Who.ADDRESS, "review 17", seats=(2,), reply=True, any_turn=True),
    Verb("games", (a.PLAYER, FILTERS), "mail me a list of games",
         "lists.games_of", Who.ADDRESS, "games alice next"),
    Verb("best", (a.OPTIONS,), "mail me the best that players of this server have reached",
         "asks.best", Who.ADDRESS, "best", seats=(1,)),
    Verb("help", (), "mail me the page of this game",
         "asks.help_page", Who.ADDRESS, "help", reply=True, any_turn=True),
)
SERVER_VERBS = (
    Verb("signup", (a.USERID, a.PASSWORD, a.OWN_ADDRESS), "open an account",
         "accounts.signup", Who.ANYBODY, "signup alice s3cret",
         aliases=("sign up", "sign-up", "register")),
    Verb("confirm", (a.TOKEN,), "confirm an address",
         "accounts.confirm", Who.ANYBODY, "confirm abcdefgh23456789", common=True),
    Verb("never", (a.TOKEN,), "mail me no more, as I have no account",
         "accounts.never", Who.ANYBODY, "never abcdefgh23456789", common=True),
    Verb("forgot", (a.ANY_USERID,), "mail a token for a new password to the address on file",
         "accounts.forgot", Who.ANYBODY, "forgot alice", common=True),
    Verb("change password", (*_ACCOUNT, a.NEW_PASSWORD), "a token of forgot does for the old one",
         "accounts.change_password", Who.ANYBODY, "change password alice s3cret n3wword"),
    Verb("change address", (*_ACCOUNT, a.ADDRESS), "move to another address",
         "accounts.change_address", Who.ACCOUNT, "change address alice s3cret alice@new.example"),
    Verb("resign all", _ACCOUNT, "give up all my games, once a letter that comes is answered with yes",
         "accounts.resign_all", Who.ACCOUNT, "resign all alice s3cret"),
    Verb("signoff", _ACCOUNT, "close the account; running games are resigned",
         "accounts.signoff", Who.ACCOUNT, "signoff alice s3cret"),
    Verb("limit", (*_ACCOUNT, a.MOST), "the most running games",
         "wishes.limit", Who.ACCOUNT, "limit alice s3cret 5", common=True),
    Verb("reject", (*_ACCOUNT, a.GAME), "refuse challenges",
         "wishes.reject", Who.ACCOUNT, "reject alice s3cret star", common=True),
    Verb("accept", (*_ACCOUNT, a.GAME), "take them again",
         "wishes.accept", Who.ACCOUNT, "accept alice s3cret star", common=True),
    Verb("block", (*_ACCOUNT, a.USERID2), "refuse a player's challenges, and words by say",
         "wishes.block", Who.ACCOUNT, "block alice s3cret bob", common=True),
    Verb("unblock", (*_ACCOUNT, a.USERID2), "take them again",
         "wishes.unblock", Who.ACCOUNT, "unblock alice s3cret bob"),
    Verb("reminders", (*_ACCOUNT, a.OFTEN), "get reminders, every day, or none but the last warning",
         "wishes.reminders", Who.ACCOUNT, "reminders alice s3cret off", common=True),
    Verb("html", (*_ACCOUNT, a.SWITCH), "get letters with HTML, or of text alone",
         "wishes.html", Who.ACCOUNT, "html alice s3cret off"),
    Verb("pictures", (*_ACCOUNT, a.SWITCH), "get boards as pictures, or drawn with letters",
         "wishes.pictures", Who.ACCOUNT, "pictures alice s3cret off", common=True),
    Verb("listed", (*_ACCOUNT, a.SWITCH), "be named to those who look for an opponent, or not",
         "wishes.listed", Who.ACCOUNT, "listed alice s3cret off", common=True),
    Verb("letters", (*_ACCOUNT, a.HOW_OFTEN, a.DAILY_AT),
         "get each letter, those that ask for my move, or one a day; or short ones, without drawings",
         "wishes.letters", Who.ACCOUNT, "letters alice s3cret daily 7:30", reply=True, any_turn=True,
         common=True),
    Verb("drawing", (*_ACCOUNT, a.DRAWING), "how the text of letters shows a board",
         "wishes.drawing", Who.ACCOUNT, "drawing alice s3cret words", common=True),
    Verb("news", (*_ACCOUNT, a.SWITCH), "get letters that go to all players, or not",
         "wishes.news", Who.ACCOUNT, "news alice s3cret off"),
    Verb("zone", (*_ACCOUNT, a.ZONE), "the time zone in which letters name times",
         "wishes.zone", Who.ACCOUNT, "zone alice s3cret Europe/Berlin", common=True),
    Verb("away", (*_ACCOUNT, a.SPAN), "be on leave for some days, or see what is booked",
         "time.away", Who.ACCOUNT, "away alice s3cret 2026-12-20 2027-01-03", reply=True, any_turn=True,
         common=True),
    Verb("back", _ACCOUNT, "end the leave, or cancel the one that is booked",
         "time.back", Who.ACCOUNT, "back alice s3cret", reply=True, any_turn=True, common=True),
    Verb("leave", (*_ACCOUNT, a.AUTO), "have a day of leave taken before a game is forfeited, or not",
         "time.automatic", Who.ACCOUNT, "leave alice s3cret off", common=True),
    Verb("games", (a.PLAYER, FILTERS),
         "mail me a list of games of every kind, my turn first; filters: "
         f"{', '.join(values.STATES)}, vs userid, since 2027-01, last 10",
         "lists.games_of", Who.ADDRESS, "games alice won vs bob since 2027-01", common=True),
    Verb("versus", (a.USERID1, a.USERID2), "mail me how two players stand against each other",
         "lists.versus", Who.ADDRESS, "versus alice bob"),
    Verb("course", (a.ACCOUNT, a.LESSON),
         "learn Star by mail: five lessons with a task each, from the first or from a later one",
         "course.course", Who.ADDRESS, "course alice s3cret", reply=True, any_turn=True, common=True),
    Verb("who", (), "mail me a list of players to challenge",
         "asks.who", Who.ADDRESS, "who", common=True),
    Verb("help", (a.TOPIC,), "mail me a help page",
         "asks.help_page", Who.ADDRESS, "help commands", common=True),
)
# fmt: on


# By the number of players; none for the server's own.
_VERBS = {0: SERVER_VERBS} | {
    players: tuple(verb for verb in GAME_VERBS if players in verb.seats) for players in (1, 2)
}
_NAMED = {
    players: {name: verb for verb in table for name in (verb.name, *verb.aliases)}
    for players, table in _VERBS.items()
}

_REPLY_NAMED = {
    players: {name: verb for name, verb in {**names, **_NAMED[0], **names}.items() if verb.reply}
    for players, names in _NAMED.items()
}


def verbs(game: type[Game] | None) -> tuple[Verb, ...]:
    """The verbs after a game's word, or those of the server."""
    return _VERBS[len(game.seats) if game else 0]


def named(game: type[Game] | None) -> dict[str, Verb]:
    """The same verbs by their names and aliases."""
    return _NAMED[len(game.seats) if game else 0]


def reply_verbs(game: type[Game]) -> dict[str, Verb]:
    """By its names each verb that a reply to a letter of a game may begin with."""
    return _REPLY_NAMED[len(game.seats)]


def for_others(name: str, game: type[Game]) -> bool:
    """Whether a word begins replies, but only in games for another number of players."""
    return name not in reply_verbs(game) and any(name in names for names in _REPLY_NAMED.values())


def usage(verb: Verb, game: type[Game] | None) -> list[str]:
    """The usage lines of a verb, the promised spelling."""
    return _ways(f"{game.word} {verb.name}" if game else verb.name, verb.args, game)


def usage_text(verb: Verb, game: type[Game] | None) -> str:
    """How a verb is written, for an answer to one that was written otherwise."""
    return _like_this(usage(verb, game))


def reply_usage_text(name: str, verb: Verb, game: type[Game]) -> str:
    """The same for one that a reply begins with, by the name that was used."""
    return _like_this(_ways(name, verb.reply_args, game))


def _ways(start: str, args: Iterable[Argument], game: type[Game] | None) -> list[str]:
    ways = product(*(arg.usages(game) for arg in a.parts(tuple(args), game)))
    return [" ".join(filter(None, (start, *words))) for words in ways]


def _like_this(lines: Iterable[str]) -> str:
    return "\n".join(["Write it like this:", *(f"  {line}" for line in lines)])
