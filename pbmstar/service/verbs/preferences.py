"""Preferences of players: the challenges that they take, the look of letters, and reminders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import games
from ...command import Command
from ...errors import NOTHING, BadInput, Sentence, Value, either, say, together
from ...grammar.words import NAMES
from ...match import dates
from ...render.facts import Settings
from ...render.translator import Translator
from ...store import User
from ..letters import digests, first
from ..letters.post import tell_account
from ..work.feature import Feature, features
from ..work.work import Work


def _wish(name: str, given: str = "on") -> Callable[[Work, Command, User], None]:
    """Return the verb that keeps an argument of its command as the player's wish of that name."""

    def verb(work: Work, command: Command, user: User) -> None:
        value: Any = int(command[given]) if given == "on" else command[given]
        keep_wishes(work, user._replace(**{name: value}))

    return verb


limit = _wish("most", "most")  # running games that challenges may bring
reminders = _wish("reminders", "often")
html, pictures, news = _wish("html"), _wish("pictures"), _wish("news")
listed = _wish("listed")
drawing = _wish("drawing", "drawing")


def reject(work: Work, command: Command, user: User) -> None:
    """Refuse challenges to a game, or to all games."""
    keep_wishes(
        work, user._replace(refuses=" ".join(sorted({*user.refuses.split(), *_games(command)})))
    )


def accept(work: Work, command: Command, user: User) -> None:
    """Take challenges to a game, or to all games, again."""
    keep_wishes(
        work, user._replace(refuses=" ".join(sorted({*user.refuses.split()} - _games(command))))
    )


def public(work: Work, command: Command, user: User) -> None:
    """Show a player's games to everybody, or hide them; without a word mail the present setting."""
    on = command.args.get("on")
    if on is not None:
        user = user._replace(public=int(on))
        work.tx.accounts.set_wishes(user)
    place, shown = first.place_of(work), switch(user.public)
    if not place:
        setting = say(
            "Show my games on the web (if this server ever does): {switch}.",
            switch=shown,
        )
    elif place == "the web":
        setting = say("Show my games on the web: {switch}.", switch=shown)
    else:
        setting = say("Show my games on the web ({place}): {switch}.", place=place, switch=shown)
    means = (
        say("We only show a game if both players have this on.")
        if user.public
        else say(
            "Your games and your name are hidden. Anything still showing will be gone within a "
            "minute."
        )
    )
    tell_account(work, user, say("settings"), together(setting, means))


def letters(work: Work, command: Command, user: User) -> None:
    """Choose to get every letter, only letters that ask for a move, or one letter a day. Raises BadInput.

    The word ``short`` makes letters short and of text alone; ``each`` ends that.
    """
    often, at = command["often"], command.args.get("at")
    if at is not None and often != "daily":
        raise BadInput(say("You can only add a time of day after the word daily."), "bad-time")
    if often == "short":
        keep_wishes(work, user._replace(drawing=often, html=0))
        return
    if often == "each" and user.drawing == "short":
        user = user._replace(drawing="ascii", html=1)
    at = user.digest_at if at is None else at
    keep_wishes(work, digests.with_due(work, user._replace(letters=often, digest_at=at)))


def zone(work: Work, command: Command, user: User) -> None:
    """Show the times in letters in a time zone. Raises BadInput."""
    keep_wishes(work, digests.with_due(work, user._replace(zone=dates.find(command["zone"]))))


def language(work: Work, command: Command, user: User) -> None:
    """Write letters in another language, or say which there are. Raises BadInput if there is no such one."""
    chosen = command.args.get("language")
    offered = tuple(f"{code} ({NAMES.get(code, code)})" for code in Translator.offered())
    if chosen is None:
        notice = say(
            "Your letters are in {language}. To change that, reply with the word language, "
            "followed by {offered}.",
            language=NAMES.get(user.language, user.language),
            offered=either(offered),
        )
        tell_account(work, user, say("settings"), notice)
        return
    if chosen not in Translator.offered():
        text = say(
            "We don't have letters in that language. You can choose {offered}.",
            offered=either(offered),
        )
        raise BadInput(text, "no-language")
    keep_wishes(work, user._replace(language=chosen))


def block(work: Work, command: Command, user: User) -> None:
    """Take no more challenges by a player. Raises BadInput if the player names nobody, or the own userid."""
    other = work.player(command["userid2"])
    if other == user:
        raise BadInput(
            say("That's your own name. After the word block, write the other player's name."),
            "same-player",
        )
    work.tx.accounts.block(user.userid, other.userid)
    tell_account(
        work,
        user,
        say("player blocked"),
        say(
            "You no longer get challenges or messages from {userid}, only moves.",
            userid=other.userid,
        ),
    )


def unblock(work: Work, command: Command, user: User) -> None:
    """Take a player's challenges again."""
    work.tx.accounts.unblock(user.userid, command["userid2"])
    tell_account(
        work,
        user,
        say("player unblocked"),
        say("You'll get challenges and messages from {userid} again.", userid=command["userid2"]),
    )


def settings(work: Work, _command: Command, user: User) -> None:
    """Mail a player all settings."""
    _tell_settings(work, user, NOTHING)


def keep_wishes(work: Work, user: User) -> None:
    """Keep a player's wishes, and mail the changed ones, and below them all wishes."""
    before = work.tx.accounts.user(user.userid)
    work.tx.accounts.set_wishes(user)
    was = [each[:2] for each in _settings(work, before)] if before else []
    changed = [
        say("{name}: {value}.", name=name, value=value)
        for name, value, _ in _settings(work, user)
        if (name, value) not in was
    ]
    _tell_settings(work, user, together(*changed) if changed else say("Nothing has changed."))


def _tell_settings(work: Work, user: User, notice: Sentence) -> None:
    """Mail a player all settings, each with the line that changes it."""
    tell_account(work, user, say("settings"), notice, settings=_settings(work, user))


def _settings(work: Work, user: User) -> Settings:
    """Return all wishes of a player: each has a name, a value, and the line that changes it, if one does."""
    refused = ", ".join(user.refuses.split())
    often: Value = _OFTEN.get(user.letters, "")
    if user.letters == "daily":
        often = say("one a day, at {time}", time=digests.at(user))
    is_short = user.drawing == "short"
    when = say("{zone} (now {time})", zone=user.zone, time=dates.on_the_clock(work.now, user.zone))
    further = (
        (wish.name, wish.value, wish.change)
        for feature in features(Feature.letter_settings, work.context.config.without)
        for wish in feature.letter_settings(work, user)
        if wish.name
    )
    return (
        (say("Letters"), often, "letters each" if user.letters == "daily" else "letters daily"),
        (
            say("Boards as text"),
            _DRAWN[user.drawing],
            "letters each"
            if is_short
            else f"letters drawing {'words' if user.drawing == 'ascii' else 'ascii'}",
        ),
        (say("HTML"), switch(user.html), f"letters html {_other(user.html)}"),
        (say("Pictures"), switch(user.pictures), f"letters pictures {_other(user.pictures)}"),
        (
            say("Reminders"),
            (say("off (except for the last warning)"), say("on"), say("every day"))[user.reminders],
            f"letters reminders {_other(user.reminders)}",
        ),
        (say("News"), switch(user.news), f"letters news {_other(user.news)}"),
        (
            say("Show me to players looking for a game"),
            switch(user.listed),
            f"listed {_other(user.listed)}",
        ),
        (
            say("A daily letter with new offers"),
            switch(user.lobby),
            f"letters lobby {_other(user.lobby)}",
        ),
        (say("Show my games on the web"), switch(user.public), f"public {_other(user.public)}"),
        (
            say("Use my leave if my time runs out"),
            switch(user.auto_leave),
            f"leave {'off' if user.auto_leave else 'auto'}",
        ),
        (
            say("Maximum games at a time"),
            say("no limit") if user.most is None else user.most,
            "",
        ),
        (
            say("Games you don't want challenges for"),
            refused or say("none"),
            "accept all" if refused else "",
        ),
        (say("Time zone"), when, ""),
        (say("Language"), NAMES.get(user.language, user.language), "language"),
        *further,
    )


_OFTEN = {"each": say("one for every move"), "mine": say("only when it's your turn")}
_DRAWN = {
    "ascii": say("drawn with plain characters"),
    "unicode": say("drawn with symbols"),
    "words": say("described in words"),
    "none": say("left out"),
    "short": say("left out, and letters kept short"),
}


def switch(on: int) -> Sentence:
    """Return the value of a setting that is on or off, in words."""
    return say("on") if on else say("off")


def _other(on: int) -> str:
    """Return the word that changes such a setting."""
    return "off" if on else "on"


def _games(command: Command) -> set[str]:
    """Return the word of the game that a command names, or the words of all games."""
    game = command.args.get("game")
    return {game} if game else {kind.word for kind in games.GAMES}
