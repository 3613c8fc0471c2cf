"""The table of verbs. Parser, usage lines, reply words, help and handlers all follow from a row."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from .. import games
from ..errors import Said, say
from ..games.base import Game
from ..grammar import arguments as a
from ..grammar import literals, plan_arguments
from ..grammar.arguments import Argument
from ..grammar.ranking import RANKING
from ..grammar.seeking import ANY_OFFER, FRIEND, OFFER, SEAT, SEEKING, WISH
from ..grammar.verb import ACCOUNT, PLAYER, Commands, Verb, Who
from ..grammar.words import SPELLINGS
from ..match import REASONS, RESULTS
from ..parts import modules

# fmt: off
GAME_VERBS: tuple[Verb, ...] = (
    Verb("challenge", (a.OPTIONS, a.PLAYERS),
         "start a game; the player named first plays X and begins; -time=10d and other terms: help time",
         "challenges.challenge", Who.ANYBODY, "challenge alice bob"),
    Verb("move", (*PLAYER, a.MOVE), "play; with #moveno only if it is that move",
         "play.move", Who.PLAYER, "move 17 alice s3cret F6#9", aliases=("board", "m")),
    Verb("pass", PLAYER, "pass; two passes in succession end the game",
         "play.pass_", Who.PLAYER, "pass 17 alice s3cret", seats=(2,), reply=True),
    Verb("swap", PLAYER, "exchange seats, as the second move only",
         "play.swap", Who.PLAYER, "swap 17 alice s3cret", seats=(2,), reply=True),
    Verb("undo", PLAYER, "take back your last move: in a puzzle right away, otherwise the opponent is asked",
         "play.undo", Who.PLAYER, "undo 17 alice s3cret", reply=True),
    Verb("hint", PLAYER,
         "mail me one next move after which it can still be solved, if one is known; a game with hints is "
         "not listed among the best",
         "play.hint", Who.PLAYER, "hint 17 alice s3cret", seats=(1,), reply=True),
    Verb("resign", PLAYER, "give the game up",
         "play.resign", Who.PLAYER, "resign 17 alice s3cret", reply=True),
    Verb("plan", (*PLAYER, plan_arguments.PLAN),
         "say what you will answer before the opponent moves; mail me my plan, or drop it",
         "play.plan", Who.PLAYER, "plan 17 alice s3cret if G7 then H8; else pass", seats=(2,),
         reply=True, any_turn=True),
    Verb("queue", (*PLAYER, a.MOVE), "plan one move that answers whatever the opponent does",
         "play.queue", Who.PLAYER, "queue 17 alice s3cret F6", aliases=("qmove",), seats=(2,),
         reply=True, any_turn=True, unlisted=True),
    Verb("propose", (*PLAYER, a.POINTS),
         "offer to end the game: propose draw, or a score with X's points first, propose 11-10; alone it "
         "means the only score that is still possible",
         "play.propose", Who.PLAYER, "propose 17 alice s3cret 11-10", seats=(2,), reply=True),
    Verb("draw", PLAYER,
         "ask to end the game as a draw; if the opponent cannot be reached, it ends right away, without "
         "result",
         "play.draw", Who.PLAYER, "draw 17 alice s3cret", seats=(2,), reply=True),
    Verb("cancel", PLAYER,
         "ask to end the game without result; if the opponent cannot be reached, it ends right away",
         "play.cancel", Who.PLAYER, "cancel 17 alice s3cret", seats=(2,), reply=True, unlisted=True),
    Verb("claim", PLAYER,
         "end a game that is decided for you, or settled: the board proves it, and nobody is asked",
         "play.claim", Who.PLAYER, "claim 17 alice s3cret", seats=(2,), reply=True),
    Verb("accept", (*PLAYER, plan_arguments.WITH_PLAN),
         "agree to what the opponent asks; in reply to a preview, play it, or with plan plan the rest",
         "play.accept", Who.PLAYER, "accept 17 alice s3cret",
         aliases=("yes", "ok", "okay"), seats=(2,), reply=True),
    Verb("no", (*PLAYER, a.WORDS), "say no to what the opponent asks, and to nothing else",
         "play.refuse", Who.PLAYER, "no 17 alice s3cret", seats=(2,), reply=True, unlisted=True),
    Verb("decline", (*PLAYER, a.REASON),
         "say no to what the opponent asks, otherwise to a new game before your own first move",
         "play.decline", Who.PLAYER, "decline 17 alice s3cret slow", seats=(2,), reply=True),
    Verb("extend", (*PLAYER, a.DAYS), "give your opponent more time, 1 to 14 days",
         "time.extend", Who.PLAYER, "extend 17 alice s3cret 7", seats=(2,), reply=True, any_turn=True),
    Verb("say", (*PLAYER, a.WORDS),
         "write to your opponent without a move, after the word and on the lines below; also after the end",
         "play.talk", Who.PLAYER, "say 17 alice s3cret", seats=(2,), reply=True, any_turn=True),
    Verb("counter", (*PLAYER, a.COUNTER),
         "before your own first move: put a game with other options, terms or seats in its place",
         "challenges.counter", Who.PLAYER, "counter 17 alice s3cret -seat=o", seats=(2,), reply=True),
    Verb("rematch", PLAYER, "play again when the game is over; the player who moved first moves second",
         "challenges.rematch", Who.PLAYER, "rematch 17 alice s3cret", reply=True, any_turn=True),
    Verb("preview", (plan_arguments.PREVIEWED, plan_arguments.TRIED),
         "mail me how a board, or a new one, looks after some moves; nothing is played",
         "previews.preview", Who.ADDRESS, "preview 17 F6 G7 H8", aliases=("try",), reply=True,
         any_turn=True),
    Verb("note", (*PLAYER, a.WORDS),
         "save what follows, here and on the lines below, for yourself alone; with none delete all your "
         "notes on the board",
         "notes.note", Who.PLAYER, "note 17 alice s3cret", reply=True, any_turn=True, own_text=True),
    Verb("notes", PLAYER, "mail me my notes on a board",
         "notes.notes", Who.PLAYER, "notes 17 alice s3cret", reply=True, any_turn=True, unlisted=True),
    Verb("record", (a.BOARD,), "mail me the record of a board, with the words of both if I play on it",
         "notes.record", Who.ADDRESS, "record 17", reply=True, any_turn=True, unlisted=True),
    Verb("mute", (*PLAYER, replace(a.SWITCH, optional=True)),
         "get no more words of my opponent on a board; with off, get them again",
         "play.mute", Who.PLAYER, "mute 17 alice s3cret", seats=(2,), reply=True,
         any_turn=True),
    Verb("report", (*PLAYER, a.WORDS),
         "write to the operator about my opponent; the operator also gets the last words on the board",
         "play.report", Who.PLAYER, "report 17 alice s3cret", seats=(2,), reply=True,
         any_turn=True, own_text=True),
    Verb("show", (a.BOARDS,),
         "mail me boards, or a board as it was after that move; reply to it with score, record, album or "
         "review for more",
         "queries.show", Who.ADDRESS, "show 17#5 18", reply=True, any_turn=True),
    Verb("score", (a.BOARD,), "mail me the detailed score report",
         "queries.score", Who.ADDRESS, "score 17", reply=True, any_turn=True, unlisted=True),
    Verb("album", (a.BOARD,), "mail me the last letter of a game again: who led when, where it turned",
         "queries.album", Who.ADDRESS, "album 17", seats=(2,), reply=True, any_turn=True, unlisted=True),
    Verb("games", (a.PLAYER, a.FILTERS), "mail me a list of games",
         "lists.games_of", Who.ADDRESS, "games alice next", unlisted=True),
    Verb("best", (a.OPTIONS,), "mail me the best that players of this server have reached",
         "queries.best", Who.ADDRESS, "best", seats=(1,)),
    Verb("help", (), "mail me the page of this game",
         "queries.help_page", Who.ADDRESS, "help", reply=True, any_turn=True, aliases=("rules",),
         unlisted=True),
    Verb("ratings", (RANKING,),
         "mail me the list of ratings: the best, those near me, all, or of practice against bots",
         "ratings.ratings", Who.ADDRESS, "ratings near", aliases=("standings",), seats=(2,), unlisted=True),
    Verb("history", (a.ANY_USERID,), "mail me my rating after each game, or another player's",
         "ratings.history", Who.ADDRESS, "history alice", seats=(2,), unlisted=True),
    Verb("seek", (SEEKING, *ACCOUNT),
         "offer a game to all players whom it fits: the first who takes it plays it with you",
         "offers.seek", Who.ACCOUNT, "seek alice s3cret", seats=(2,), unlisted=True),
    Verb("review", (a.BOARD,), "mail me where a finished game turned, and what was better",
         "reviews.review", Who.ADDRESS, "review 17", seats=(2,), reply=True, any_turn=True, unlisted=True),
)
SERVER_VERBS: tuple[Verb, ...] = (
    Verb("signup", (a.USERID, a.CHOSEN_PASSWORD, a.OWN_ADDRESS),
         "open an account; to reply you need no password, and you can set one later: forgot alice",
         "membership.signup", Who.ANYBODY, "signup alice s3cret",
         aliases=("sign up", "sign-up", "register")),
    Verb("confirm", (a.TOKEN,), "confirm an address",
         "membership.confirm", Who.ANYBODY, "confirm abcdefgh23456789", common=True, unlisted=True),
    Verb("never", (a.TOKEN,), "stop all mail to an address without an account",
         "membership.never", Who.ANYBODY, "never abcdefgh23456789", common=True, unlisted=True),
    Verb("forgot", (a.ANY_USERID,), "mail a token for a new password to the address on file",
         "membership.forgot", Who.ANYBODY, "forgot alice", common=True),
    Verb("change password", (*ACCOUNT, a.NEW_PASSWORD), "a token of forgot does for the old one",
         "membership.change_password", Who.ANYBODY, "change password alice s3cret n3wword", asks_back=True),
    Verb("change address", (*ACCOUNT, a.ADDRESS), "move to another address",
         "addresses.change_address", Who.ACCOUNT, "change address alice s3cret alice@new.example",
         setting=True, asks_back=True),
    Verb("add address", (*ACCOUNT, a.ADDRESS, a.COPYING),
         "write from one more address too, which gets copies of my letters, short ones, or none",
         "addresses.add_address", Who.ACCOUNT, "add address alice s3cret alice@phone.example short",
         aliases=("letters copies",), setting=True, asks_back=True),
    Verb("remove address", (*ACCOUNT, a.ADDRESS), "remove an address that is not my first one",
         "addresses.remove_address", Who.ACCOUNT, "remove address alice s3cret alice@phone.example",
         setting=True, asks_back=True),
    Verb("resign all", ACCOUNT, "give up all my games, after I have confirmed it with yes",
         "membership.resign_all", Who.ACCOUNT, "resign all alice s3cret"),
    Verb("signoff", ACCOUNT, "close the account; running games are resigned",
         "membership.signoff", Who.ACCOUNT, "signoff alice s3cret", asks_back=True),
    Verb("settings", ACCOUNT, "mail me all my settings",
         "preferences.settings", Who.ACCOUNT, "settings alice s3cret", reply=True, any_turn=True,
         common=True),
    Verb("limit", (*ACCOUNT, a.MOST), "the most running games",
         "preferences.limit", Who.ACCOUNT, "limit alice s3cret 5", common=True, setting=True),
    Verb("reject", (*ACCOUNT, a.GAME_OR_ALL), "refuse challenges",
         "preferences.reject", Who.ACCOUNT, "reject alice s3cret star", common=True, setting=True),
    Verb("accept", (*ACCOUNT, a.GAME_OR_ALL), "take them again",
         "preferences.accept", Who.ACCOUNT, "accept alice s3cret star", common=True, setting=True,
         unlisted=True),
    Verb("block", (*ACCOUNT, a.USERID2), "refuse a player's challenges, and words by say",
         "preferences.block", Who.ACCOUNT, "block alice s3cret bob", common=True, setting=True),
    Verb("unblock", (*ACCOUNT, a.USERID2), "take them again",
         "preferences.unblock", Who.ACCOUNT, "unblock alice s3cret bob", setting=True, unlisted=True),
    Verb("listed", (*ACCOUNT, a.SWITCH), "be named to those who look for an opponent, or not",
         "preferences.listed", Who.ACCOUNT, "listed alice s3cret off", common=True, setting=True,
         unlisted=True),
    Verb("public", (*ACCOUNT, a.MAYBE_SWITCH), "have my games on the web, or not, or see if they are",
         "preferences.public", Who.ACCOUNT, "public alice s3cret off", common=True, setting=True),
    Verb("letters", (*ACCOUNT, a.HOW_OFTEN, a.DAILY_AT),
         "get each letter, those that ask for my move, or one a day; or short ones, without drawings",
         "preferences.letters", Who.ACCOUNT, "letters alice s3cret daily 7:30", reply=True, any_turn=True,
         common=True, setting=True),
    Verb("letters reminders", (*ACCOUNT, a.OFTEN), "get reminders, every day, or none but the last warning",
         "preferences.reminders", Who.ACCOUNT, "letters reminders alice s3cret off",
         aliases=("reminders",), common=True, setting=True),
    Verb("letters drawing", (*ACCOUNT, a.DRAWING), "how the text of letters shows a board",
         "preferences.drawing", Who.ACCOUNT, "letters drawing alice s3cret words", common=True, setting=True,
         aliases=("drawing",)),
    Verb("letters pictures", (*ACCOUNT, a.SWITCH), "get boards as pictures, or drawn with letters",
         "preferences.pictures", Who.ACCOUNT, "letters pictures alice s3cret off", common=True, setting=True,
         aliases=("pictures",)),
    Verb("letters html", (*ACCOUNT, a.SWITCH), "get letters with HTML, or of text alone",
         "preferences.html", Who.ACCOUNT, "letters html alice s3cret off", setting=True,
         aliases=("html",), unlisted=True),
    Verb("letters news", (*ACCOUNT, a.SWITCH), "get letters that go to all players, or not",
         "preferences.news", Who.ACCOUNT, "letters news alice s3cret off", setting=True,
         aliases=("news",), unlisted=True),
    Verb("zone", (*ACCOUNT, a.ZONE), "the time zone in which letters name times",
         "preferences.zone", Who.ACCOUNT, "zone alice s3cret Europe/Berlin", common=True, setting=True),
    Verb("language", (*ACCOUNT, a.LANGUAGE), "the language of my letters, or which there are",
         "preferences.language", Who.ACCOUNT, "language alice s3cret de", common=True, setting=True),
    Verb("away", (*ACCOUNT, a.SPAN), "be on leave for some days, or see what is booked",
         "time.away", Who.ACCOUNT, "away alice s3cret 2026-12-20 2027-01-03", reply=True, any_turn=True,
         common=True, setting=True),
    Verb("back", ACCOUNT, "end the leave, or cancel the one that is booked",
         "time.back", Who.ACCOUNT, "back alice s3cret", reply=True, any_turn=True, common=True, setting=True),
    Verb("leave", (*ACCOUNT, a.AUTO), "use a day of leave before a game is forfeited, or not",
         "time.automatic", Who.ACCOUNT, "leave alice s3cret off", common=True, setting=True, unlisted=True),
    Verb("games", (a.PLAYER, a.FILTERS),
         "mail me a list of games of every kind, my turn first; filters: "
         f"{', '.join(literals.STATES)}, vs userid, since 2027-01, last 10",
         "lists.games_of", Who.ADDRESS, "games alice won vs bob since 2027-01", common=True),
    Verb("versus", (a.USERID1, a.USERID2), "mail me the results of two players against each other",
         "lists.versus", Who.ADDRESS, "versus alice bob", unlisted=True),
    Verb("who", (), "mail me a list of players to challenge",
         "queries.who", Who.ADDRESS, "who", common=True),
    Verb("help", (a.TOPIC,), "mail me a help page; the rules of a game: star help",
         "queries.help_page", Who.ADDRESS, "help commands", common=True, aliases=("rules",)),
    Verb("ratings", (RANKING,), "mail me the lists of ratings of all games",
         "ratings.ratings", Who.ADDRESS, "ratings practice", aliases=("standings",), common=True),
    Verb("whois", (a.USERID,), "mail me what is known of a player: ratings, games, how reliable",
         "ratings.whois", Who.ADDRESS, "whois alice"),
    Verb("seeks", (a.GAME_OR_ALL,), "mail me the offers of games that I can take",
         "offers.seeks", Who.ADDRESS, "seeks star", common=True, unlisted=True),
    Verb("take", (OFFER, *ACCOUNT, SEAT),
         "take an offer of a game, which starts right away",
         "offers.take", Who.ACCOUNT, "take 12 alice s3cret", common=True, setting=True, unlisted=True),
    Verb("match", (*ACCOUNT, WISH),
         "find me an opponent: the offer that fits me best, otherwise one of my own that others can take",
         "pairs.match", Who.ACCOUNT, "match alice s3cret star -size=8", reply=True,
         any_turn=True, common=True, setting=True),
    Verb("bot", (ANY_OFFER, *ACCOUNT),
         "play the game that I offer with the bot that is nearest to my rating; the offer stays open",
         "pairs.bot", Who.ACCOUNT, "bot alice s3cret", common=True, setting=True, unlisted=True),
    Verb("unseek", (ANY_OFFER, *ACCOUNT), "withdraw my offers of games, or one",
         "offers.unseek", Who.ACCOUNT, "unseek 12 alice s3cret", setting=True),
    Verb("letters lobby", (*ACCOUNT, a.SWITCH),
         "get the offers that I can take in a daily letter, or not",
         "offers.lobby", Who.ACCOUNT, "letters lobby alice s3cret on", common=True, setting=True,
         aliases=("lobby",), unlisted=True),
    Verb("invite", (*ACCOUNT, FRIEND, a.WORDS),
         "invite a friend to a game by one letter, with a sentence of yours; the friend moves first",
         "invitations.invite", Who.ACCOUNT, "invite alice s3cret carol@carol.example",
         common=True, setting=True, own_text=True),
)
# fmt: on


for _name, _module in modules("commands"):
    _added: Commands = _module.COMMANDS
    GAME_VERBS += tuple(replace(verb, feature=_name) for verb in _added.game_verbs)
    SERVER_VERBS += tuple(replace(verb, feature=_name) for verb in _added.verbs)


# By the number of players; 0 for the server's own.
_VERBS = {0: SERVER_VERBS} | {
    players: tuple(verb for verb in GAME_VERBS if players in verb.seats) for players in (1, 2)
}
_NAMED = {
    players: {name: verb for verb in table for name in (verb.name, *verb.aliases)}
    for players, table in _VERBS.items()
}

# The game's verbs, then the server's verbs with other names.
_REPLY_NAMED = {
    players: {
        name: verb
        for name, verb in (*names.items(), *_NAMED[0].items())
        if verb.reply and names.get(name, verb) is verb
    }
    for players, names in _NAMED.items()
}


def verbs(game: type[Game] | None) -> tuple[Verb, ...]:
    """Return the verbs that follow a game's word; without a game, the server's verbs."""
    return _VERBS[len(game.seats) if game else 0]


def named(game: type[Game] | None) -> dict[str, Verb]:
    """Return the same verbs by their names and aliases."""
    return _NAMED[len(game.seats) if game else 0]


def reply_verbs(game: type[Game]) -> dict[str, Verb]:
    """Return by name each verb that a reply to a letter of a game may begin with."""
    return _REPLY_NAMED[len(game.seats)]


def for_others(name: str, game: type[Game]) -> bool:
    """Return True if a word begins replies, but only in games for another number of players."""
    return name not in reply_verbs(game) and any(name in names for names in _REPLY_NAMED.values())


def usage(verb: Verb, game: type[Game] | None) -> list[str]:
    """Return the usage lines of a verb, the promised spelling."""
    return usage_of(verb, game, verb.args)


def usage_of(verb: Verb, game: type[Game] | None, args: Iterable[Argument]) -> list[str]:
    """Return the same with some of the arguments of the verb."""
    return _ways(f"{game.word} {verb.name}" if game else verb.name, args, game)


def usage_text(verb: Verb, game: type[Game] | None) -> Said:
    """Return the usage lines of a verb under a heading, for an answer to a line that is not like them."""
    return like_this(usage(verb, game))


def reply_usage_text(name: str, verb: Verb, game: type[Game]) -> Said:
    """Return the same for a verb that a reply begins with, under the name that was used."""
    return like_this(_ways(name, verb.reply_args, game))


def _ways(start: str, args: Iterable[Argument], game: type[Game] | None) -> list[str]:
    ways = product(*(arg.usages(game) for arg in a.parts(tuple(args), game)))
    return [" ".join(filter(None, (start, *words))) for words in ways]


def like_this(lines: Iterable[str]) -> Said:
    """Return usage lines under a heading."""
    return say("Write it like this:\n{lines}", lines="\n".join(f"  {line}" for line in lines))


# -- words that no userid can be: a userid must differ from all other words of commands and results

_ROWS = (*GAME_VERBS, *SERVER_VERBS)
_LABELS = [arg.label for verb in _ROWS for arg in verb.args]
_SPELLINGS = [name for verb in _ROWS for name in (verb.name, *verb.aliases)]
# Names of the people who run a server, of programs, and of lists of many players.
_OFFICES = (
    "abuse", "admin", "administrator", "anyone", "bounce", "bounces", "computer",
    "daemon", "everybody", "everyone", "guest", "hostmaster", "info",
    "mailer-daemon", "nobody", "noreply", "operator", "pbmserv", "pbmstar", "player", "players",
    "postmaster", "rating", "result", "results", "root", "security", "server", "someone",
    "stop", "support", "system", "tournament", "unsubscribe", "webmaster", "winner",
)  # fmt: skip
_CHOICES = (
    *literals.STATES, *literals.BEHIND, *literals.LETTERS, *literals.DRAWINGS, *literals.REMINDERS,
    *literals.COPYING,
    *REASONS, *RESULTS, *plan_arguments.PLAN_WORDS, "none", "new",
)  # fmt: skip

RESERVED = frozenset(
    {word for text in (*_SPELLINGS, *_LABELS) for word in re.findall("[a-z-]+[0-9]*", text)}
    | {word for game in games.GAMES for word in (game.word, *game.aliases)}
    | {"bot", "bots", *(f"bot{level}" for level in range(100))}
    | literals.SENTENCE_WORDS.union(_OFFICES, _CHOICES, SPELLINGS)
)
