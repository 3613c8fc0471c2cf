"""The table of verbs. Parser, usage lines, reply words, help and handlers all follow from a row."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from .. import games
from ..errors import Sentence, say
from ..games.base import Game
from ..grammar import arguments as a
from ..grammar import literals, plan_arguments
from ..grammar.arguments import Argument
from ..grammar.seeking import ANY_OFFER, FRIEND, OFFER, RANKING, SEAT, SEEKING, WISH
from ..grammar.verb import ACCOUNT, PLAYER, Commands, Verb, Who
from ..grammar.words import SPELLINGS
from ..match import REASONS, RESULTS
from ..parts import modules

# fmt: off
GAME_VERBS: tuple[Verb, ...] = (
    Verb("challenge", (a.OPTIONS, a.PLAYERS),
         "start a game; the first player you name plays X and goes first (for -time=10d and "
         "other terms: help time)",
         "challenges.challenge", Who.ANYBODY, "challenge alice bob"),
    Verb("move", (*PLAYER, a.MOVE), "make a move; if you add #9, we play it only if it's move 9",
         "play.move", Who.PLAYER, "move 17 alice s3cret F6#9", aliases=("board", "m")),
    Verb("pass", PLAYER, "pass your turn; two passes in a row end the game",
         "play.pass_", Who.PLAYER, "pass 17 alice s3cret", seats=(2,), reply=True),
    Verb("swap", PLAYER, "swap sides, instead of making the second move",
         "play.swap", Who.PLAYER, "swap 17 alice s3cret", seats=(2,), reply=True),
    Verb("undo", PLAYER, "take back your last move; in a game for two, we ask your opponent first",
         "play.undo", Who.PLAYER, "undo 17 alice s3cret", reply=True),
    Verb("hint", PLAYER,
         "get a hint, if we know one; games with hints don't count toward the best results",
         "play.hint", Who.PLAYER, "hint 17 alice s3cret", seats=(1,), reply=True),
    Verb("resign", PLAYER, "give up the game",
         "play.resign", Who.PLAYER, "resign 17 alice s3cret", reply=True),
    Verb("plan", (*PLAYER, plan_arguments.PLAN),
         "plan your answers before your opponent moves, or see your plan",
         "play.plan", Who.PLAYER, "plan 17 alice s3cret if G7 then H8; else pass", seats=(2,),
         reply=True, any_turn=True),
    Verb("queue", (*PLAYER, a.MOVE), "plan one answer to whatever your opponent plays",
         "play.queue", Who.PLAYER, "queue 17 alice s3cret F6", aliases=("qmove",), seats=(2,),
         reply=True, any_turn=True, unlisted=True),
    Verb("propose", (*PLAYER, a.POINTS),
         "offer to end the game at an agreed score, for example: propose 11-10 (X's points "
         "first); you can leave out the score if only one is still possible",
         "play.propose", Who.PLAYER, "propose 17 alice s3cret 11-10", seats=(2,), reply=True),
    Verb("draw", PLAYER,
         "offer a draw; if we can't reach your opponent, the game ends right away without a "
         "result",
         "play.draw", Who.PLAYER, "draw 17 alice s3cret", seats=(2,), reply=True),
    Verb("cancel", PLAYER,
         "offer to end the game without a result; if we can't reach your opponent, it ends "
         "right away",
         "play.cancel", Who.PLAYER, "cancel 17 alice s3cret", seats=(2,), reply=True, unlisted=True),
    Verb("claim", PLAYER,
         "end a game that you're certain to win, or in which the score can't change anymore",
         "play.claim", Who.PLAYER, "claim 17 alice s3cret", seats=(2,), reply=True),
    Verb("accept", (*PLAYER, plan_arguments.WITH_PLAN),
         "say yes to your opponent's request; in reply to a preview, this plays its first move "
         "(to plan the rest, too: yes plan)",
         "play.accept", Who.PLAYER, "accept 17 alice s3cret",
         aliases=("yes", "ok", "okay"), seats=(2,), reply=True),
    Verb("no", (*PLAYER, a.WORDS), "say no to your opponent's request",
         "play.refuse", Who.PLAYER, "no 17 alice s3cret", seats=(2,), reply=True, unlisted=True),
    Verb("decline", (*PLAYER, a.REASON),
         "say no to a request, or turn down a new game before your first move",
         "play.decline", Who.PLAYER, "decline 17 alice s3cret slow", seats=(2,), reply=True),
    Verb("extend", (*PLAYER, a.DAYS), "give your opponent 1 to 14 more days",
         "play.extend", Who.PLAYER, "extend 17 alice s3cret 7", seats=(2,), reply=True, any_turn=True),
    Verb("say", (*PLAYER, a.WORDS),
         "send your opponent a message without a move, even after the game is over",
         "play.talk", Who.PLAYER, "say 17 alice s3cret", seats=(2,), reply=True, any_turn=True),
    Verb("counter", (*PLAYER, a.COUNTER),
         "suggest a different game instead, before your first move",
         "challenges.counter", Who.PLAYER, "counter 17 alice s3cret -seat=o", seats=(2,), reply=True),
    Verb("rematch", PLAYER, "play again, with the sides swapped",
         "challenges.rematch", Who.PLAYER, "rematch 17 alice s3cret", reply=True, any_turn=True),
    Verb("preview", (plan_arguments.PREVIEWED, plan_arguments.TRIED),
         "try out some moves without playing them",
         "previews.preview", Who.ADDRESS, "preview 17 F6 G7 H8", aliases=("try",), reply=True,
         any_turn=True),
    Verb("note", (*PLAYER, a.WORDS),
         "save a private note; to delete all your notes: note none",
         "notes.note", Who.PLAYER, "note 17 alice s3cret", reply=True, any_turn=True, own_text=True),
    Verb("notes", PLAYER, "show your notes",
         "notes.notes", Who.PLAYER, "notes 17 alice s3cret", reply=True, any_turn=True, unlisted=True),
    Verb("record", (a.BOARD,), "get all the moves of a game; if you played in it, you also get "
                               "its messages",
         "notes.record", Who.ADDRESS, "record 17", reply=True, any_turn=True, unlisted=True),
    Verb("mute", (*PLAYER, replace(a.SWITCH, optional=True)),
         "mute your opponent on this board; to unmute: mute off",
         "play.mute", Who.PLAYER, "mute 17 alice s3cret", seats=(2,), reply=True,
         any_turn=True),
    Verb("report", (*PLAYER, a.WORDS),
         "report your opponent to the operator, who also gets the latest messages on that board",
         "play.report", Who.PLAYER, "report 17 alice s3cret", seats=(2,), reply=True,
         any_turn=True, own_text=True),
    Verb("show", (a.BOARDS,),
         "show a board, or an earlier position of it; to see more, reply to the board: score, "
         "record, album or review",
         "queries.show", Who.ADDRESS, "show 17#5 18", reply=True, any_turn=True),
    Verb("score", (a.BOARD,), "show how the score adds up",
         "queries.score", Who.ADDRESS, "score 17", reply=True, any_turn=True, unlisted=True),
    Verb("album", (a.BOARD,), "get the final letter of a game again; it shows who led when, and "
                              "where the game turned",
         "queries.album", Who.ADDRESS, "album 17", seats=(2,), reply=True, any_turn=True, unlisted=True),
    Verb("games", (a.PLAYER, a.FILTERS), "list your games",
         "players.games_of", Who.ADDRESS, "games alice next", unlisted=True),
    Verb("best", (a.OPTIONS,), "show the best results on this server",
         "queries.best", Who.ADDRESS, "best", seats=(1,)),
    Verb("help", (), "show the rules of this game",
         "queries.help_page", Who.ADDRESS, "help", reply=True, any_turn=True, aliases=("rules",),
         unlisted=True),
    Verb("ratings", (RANKING,),
         "show the ratings: top players, players near you, everyone, or practice games against "
         "bots",
         "ratings.ratings", Who.ADDRESS, "ratings near", aliases=("standings",), seats=(2,), unlisted=True),
    Verb("history", (a.ANY_USERID,), "show your rating after each game, or another player's",
         "ratings.history", Who.ADDRESS, "history alice", seats=(2,), unlisted=True),
    Verb("seek", (SEEKING, *ACCOUNT),
         "offer a game to other players; you play the first one who takes it",
         "offers.seek", Who.ACCOUNT, "seek alice s3cret", seats=(2,), unlisted=True),
    Verb("review", (a.BOARD,), "analyze a finished game: where it turned, and which moves were "
                               "better",
         "reviews.review", Who.ADDRESS, "review 17", seats=(2,), reply=True, any_turn=True, unlisted=True),
)
SERVER_VERBS: tuple[Verb, ...] = (
    Verb("signup", (a.USERID, a.CHOSEN_PASSWORD, a.OWN_ADDRESS),
         "open an account; you don't need a password to reply to our letters (to set one later: "
         "forgot alice)",
         "membership.signup", Who.ANYBODY, "signup alice s3cret",
         aliases=("sign up", "sign-up", "register")),
    Verb("confirm", (a.TOKEN,), "confirm an address",
         "membership.confirm", Who.ANYBODY, "confirm abcdefgh23456789", common=True, unlisted=True),
    Verb("never", (a.TOKEN,), "stop all mail from us, if you don't have an account",
         "membership.never", Who.ANYBODY, "never abcdefgh23456789", common=True, unlisted=True),
    Verb("forgot", (a.ANY_USERID,), "get a new password",
         "membership.forgot", Who.ANYBODY, "forgot alice", common=True),
    Verb("change password", (*ACCOUNT, a.NEW_PASSWORD), "set a new password; if you've forgotten "
                                                        "the old one, get a token (forgot alice) "
                                                        "and write that instead",
         "membership.change_password", Who.ANYBODY, "change password alice s3cret n3wword", asks_back=True),
    Verb("change address", (*ACCOUNT, a.ADDRESS), "get your letters at another address",
         "addresses.change_address", Who.ACCOUNT, "change address alice s3cret alice@new.example",
         setting=True, asks_back=True),
    Verb("add address", (*ACCOUNT, a.ADDRESS, a.COPYING),
         "add another address; if you like, it gets copies of your letters",
         "addresses.add_address", Who.ACCOUNT, "add address alice s3cret alice@phone.example short",
         aliases=("letters copies",), setting=True, asks_back=True),
    Verb("remove address", (*ACCOUNT, a.ADDRESS), "remove an address (but not your first one)",
         "addresses.remove_address", Who.ACCOUNT, "remove address alice s3cret alice@phone.example",
         setting=True, asks_back=True),
    Verb("resign all", ACCOUNT, "give up all your games (we ask first)",
         "membership.resign_all", Who.ACCOUNT, "resign all alice s3cret"),
    Verb("signoff", ACCOUNT, "close your account and resign your unfinished games",
         "membership.signoff", Who.ACCOUNT, "signoff alice s3cret", asks_back=True),
    Verb("settings", ACCOUNT, "show all your settings",
         "preferences.settings", Who.ACCOUNT, "settings alice s3cret", reply=True, any_turn=True,
         common=True),
    Verb("limit", (*ACCOUNT, a.MOST), "stop accepting challenges once you have this many games",
         "preferences.limit", Who.ACCOUNT, "limit alice s3cret 5", common=True, setting=True),
    Verb("reject", (*ACCOUNT, a.GAME_OR_ALL), "stop accepting challenges",
         "preferences.reject", Who.ACCOUNT, "reject alice s3cret star", common=True, setting=True),
    Verb("accept", (*ACCOUNT, a.GAME_OR_ALL), "accept challenges again",
         "preferences.accept", Who.ACCOUNT, "accept alice s3cret star", common=True, setting=True,
         unlisted=True),
    Verb("block", (*ACCOUNT, a.USERID2), "block a player's challenges and messages",
         "preferences.block", Who.ACCOUNT, "block alice s3cret bob", common=True, setting=True),
    Verb("unblock", (*ACCOUNT, a.USERID2), "allow a blocked player's challenges and messages "
                                           "again",
         "preferences.unblock", Who.ACCOUNT, "unblock alice s3cret bob", setting=True, unlisted=True),
    Verb("listed", (*ACCOUNT, a.SWITCH), "join or leave the list of players open to a challenge",
         "preferences.listed", Who.ACCOUNT, "listed alice s3cret off", common=True, setting=True,
         unlisted=True),
    Verb("public", (*ACCOUNT, a.MAYBE_SWITCH), "show or hide your games on the web",
         "preferences.public", Who.ACCOUNT, "public alice s3cret off", common=True, setting=True),
    Verb("letters", (*ACCOUNT, a.HOW_OFTEN, a.DAILY_AT),
         "choose how many letters you get, and how long they are",
         "preferences.letters", Who.ACCOUNT, "letters alice s3cret daily 7:30", reply=True, any_turn=True,
         common=True, setting=True),
    Verb("letters reminders", (*ACCOUNT, a.OFTEN), "choose how many reminders you get (you "
                                                   "always get the final warning)",
         "preferences.reminders", Who.ACCOUNT, "letters reminders alice s3cret off",
         aliases=("reminders",), common=True, setting=True),
    Verb("letters drawing", (*ACCOUNT, a.DRAWING), "choose how boards look in plain text",
         "preferences.drawing", Who.ACCOUNT, "letters drawing alice s3cret words", common=True, setting=True,
         aliases=("drawing",)),
    Verb("letters pictures", (*ACCOUNT, a.SWITCH), "get boards as pictures, or drawn as text",
         "preferences.pictures", Who.ACCOUNT, "letters pictures alice s3cret off", common=True, setting=True,
         aliases=("pictures",)),
    Verb("letters html", (*ACCOUNT, a.SWITCH), "get letters as HTML, or only as plain text",
         "preferences.html", Who.ACCOUNT, "letters html alice s3cret off", setting=True,
         aliases=("html",), unlisted=True),
    Verb("letters news", (*ACCOUNT, a.SWITCH), "turn news from the operator on or off",
         "preferences.news", Who.ACCOUNT, "letters news alice s3cret off", setting=True,
         aliases=("news",), unlisted=True),
    Verb("zone", (*ACCOUNT, a.ZONE), "set your time zone",
         "preferences.zone", Who.ACCOUNT, "zone alice s3cret Europe/Berlin", common=True, setting=True),
    Verb("language", (*ACCOUNT, a.LANGUAGE), "choose the language of your letters, or see which "
                                             "languages there are",
         "preferences.language", Who.ACCOUNT, "language alice s3cret de", common=True, setting=True),
    Verb("away", (*ACCOUNT, a.SPAN), "go on leave, or see the leave you've booked",
         "play.away", Who.ACCOUNT, "away alice s3cret 2026-12-20 2027-01-03", reply=True, any_turn=True,
         common=True, setting=True),
    Verb("back", ACCOUNT, "come back from leave, or cancel it",
         "play.back", Who.ACCOUNT, "back alice s3cret", reply=True, any_turn=True, common=True, setting=True),
    Verb("leave", (*ACCOUNT, a.AUTO), "choose whether we use your leave when you run out of time",
         "play.automatic", Who.ACCOUNT, "leave alice s3cret off", common=True, setting=True, unlisted=True),
    Verb("games", (a.PLAYER, a.FILTERS),
         "list your games, or only some: "
         f"{', '.join(literals.STATES)}, vs bob, since 2027-01, last 10",
         "players.games_of", Who.ADDRESS, "games alice won vs bob since 2027-01", common=True),
    Verb("versus", (a.USERID1, a.USERID2), "show how two players have done against each other",
         "players.versus", Who.ADDRESS, "versus alice bob", unlisted=True),
    Verb("who", (), "list the players you can challenge",
         "queries.who", Who.ADDRESS, "who", common=True),
    Verb("help", (a.TOPIC,), "get a help page; for the rules of a game: star help",
         "queries.help_page", Who.ADDRESS, "help commands", common=True, aliases=("rules",)),
    Verb("ratings", (RANKING,), "show the ratings in all games",
         "ratings.ratings", Who.ADDRESS, "ratings practice", aliases=("standings",), common=True),
    Verb("whois", (a.USERID,), "see who a player is, and how you two have done against each other",
         "players.whois", Who.ADDRESS, "whois alice"),
    Verb("seeks", (a.GAME_OR_ALL,), "list the games other players are offering",
         "offers.seeks", Who.ADDRESS, "seeks star", common=True, unlisted=True),
    Verb("take", (OFFER, *ACCOUNT, SEAT),
         "take an offer; the game starts right away",
         "offers.take", Who.ACCOUNT, "take 12 alice s3cret", common=True, setting=True, unlisted=True),
    Verb("match", (*ACCOUNT, WISH),
         "find an opponent: we pick the best game on offer, or if there's none, offer one in "
         "your name",
         "pairs.match", Who.ACCOUNT, "match alice s3cret star -size=8", reply=True,
         any_turn=True, common=True, setting=True),
    Verb("bot", (ANY_OFFER, *ACCOUNT),
         "play the game you're offering against the bot closest to your rating; the offer stays "
         "open",
         "pairs.bot", Who.ACCOUNT, "bot alice s3cret", common=True, setting=True, unlisted=True),
    Verb("unseek", (ANY_OFFER, *ACCOUNT), "withdraw your offers, or one of them",
         "offers.unseek", Who.ACCOUNT, "unseek 12 alice s3cret", setting=True),
    Verb("letters lobby", (*ACCOUNT, a.SWITCH),
         "turn the daily letter with new offers on or off",
         "offers.lobby", Who.ACCOUNT, "letters lobby alice s3cret on", common=True, setting=True,
         aliases=("lobby",), unlisted=True),
    Verb("invite", (*ACCOUNT, FRIEND, a.WORDS),
         "invite a friend to a game, with a message if you like; your friend moves first",
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


def usage_text(verb: Verb, game: type[Game] | None) -> Sentence:
    """Return the usage lines of a verb under a heading, for an answer to a line that is not like them."""
    return like_this(usage(verb, game))


def reply_usage_text(name: str, verb: Verb, game: type[Game]) -> Sentence:
    """Return the same for a verb that a reply begins with, under the name that was used."""
    return like_this(_ways(name, verb.reply_args, game))


def _ways(start: str, args: Iterable[Argument], game: type[Game] | None) -> list[str]:
    ways = product(*(arg.usages(game) for arg in a.parts(tuple(args), game)))
    return [" ".join(filter(None, (start, *words))) for words in ways]


def like_this(lines: Iterable[str]) -> Sentence:
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
