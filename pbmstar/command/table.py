"""The table of verbs, from which parser, usage lines and help pages come."""

from __future__ import annotations

from dataclasses import dataclass

from ..games.base import Game


@dataclass(frozen=True)
class Verb:
    """One row of the table.

    args     the kinds of its arguments, in order; one in ``[]`` may be absent, ``...`` takes the rest
    aliases  other spellings, common typing slips among them
    common   an English word that may begin a sentence: a line is this command only if it parses
    usages   further usage lines, where one line cannot say it
    """

    name: str
    args: tuple[str, ...]
    doc: str
    aliases: tuple[str, ...] = ()
    usages: tuple[str, ...] = ()
    common: bool = False


_SEAT = ("board#", "userid", "password")
GAME_VERBS = (
    Verb(
        "challenge", ("[options]", "userid1", "userid2"), "start a game; userid1 plays X and begins"
    ),
    Verb(
        "move",
        (*_SEAT, "move..."),
        "play; with #moveno only if it is that move",
        ("board", "mvoe", "moev"),
        (
            "board# userid password coord[#moveno]",
            "board# userid password pass | -- | -",
            "board# userid password swap",
        ),
    ),
    Verb("pass", _SEAT, "pass; two passes in succession end the game"),
    Verb("swap", _SEAT, "exchange seats, as the second move only"),
    Verb("resign", _SEAT, "give the game up"),
    Verb("propose", (*_SEAT, "points"), "offer to end the game with a score, X's points first"),
    Verb("accept", _SEAT, "end the game with the score that the opponent proposed"),
    Verb("decline", _SEAT, "refuse a new game, before your own first move"),
    Verb("show", ("board#[#moveno]...",), "mail me boards, or a board as it was after that move"),
    Verb("score", ("board#",), "mail me the detailed score report"),
    Verb("games", ("[userid]", "[next|active|finished]"), "mail me a list of games"),
    Verb("help", (), "mail me the page of this game"),
)
SERVER_VERBS = (
    Verb("signup", ("userid", "password", "[address]"), "open an account"),
    Verb("confirm", ("token",), "confirm an address", common=True),
    Verb("never", ("token",), "mail me no more, as I have no account", common=True),
    Verb(
        "forgot", ("userid",), "mail a token for a new password to the address on file", common=True
    ),
    Verb(
        "change password", ("userid", "password", "new"), "a token of forgot does for the old one"
    ),
    Verb("change address", ("userid", "password", "address"), "move to another address"),
    Verb("signoff", ("userid", "password"), "close the account; running games are resigned"),
    Verb("limit", ("userid", "password", "number|off"), "the most running games", common=True),
    Verb("reject", ("userid", "password", "[game]"), "refuse challenges", common=True),
    Verb("accept", ("userid", "password", "[game]"), "take them again", common=True),
    Verb("block", ("userid", "password", "userid2"), "refuse a player's challenges", common=True),
    Verb("unblock", ("userid", "password", "userid2"), "take them again"),
    Verb("reminders", ("userid", "password", "on|off"), "get reminders or not", common=True),
    Verb("help", ("[topic]",), "mail me a help page", common=True),
)
REPLY_VERBS = ("pass", "swap", "resign", "propose", "accept", "decline", "show", "score", "help")


def verbs(game: type[Game] | None) -> tuple[Verb, ...]:
    """The verbs after a game word, or those of the server."""
    return GAME_VERBS if game else SERVER_VERBS


_GAME_NAMED, _SERVER_NAMED = (
    {name: verb for verb in table for name in (verb.name, *verb.aliases)}
    for table in (GAME_VERBS, SERVER_VERBS)
)


def named(game: type[Game] | None) -> dict[str, Verb]:
    """The same verbs by their names and aliases."""
    return _GAME_NAMED if game else _SERVER_NAMED


def usage(verb: Verb, game: type[Game] | None) -> list[str]:
    """The usage lines of a verb, the promised spelling."""
    start = f"{game.word} {verb.name}" if game else verb.name
    if verb.usages:
        return [f"{start} {rest}" for rest in verb.usages]
    words = [start]
    for arg in verb.args:
        if arg == "[options]":
            assert game is not None
            words += [f"[{option.usage()}]" for option in game.options]
        else:
            words.append(arg)
    return [" ".join(words)]
