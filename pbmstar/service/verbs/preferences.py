"""Preferences of players: the challenges that they take, the look of letters, and reminders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import games
from ...command import Command
from ...errors import BadInput
from ...match import zones
from ...store import User
from ..letters import digests
from ..letters.post import tell_account
from ..work.work import Work
from . import membership


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
    place = membership.place_of(work)
    unknown = "on the web, if this server shows games there one day"
    where = {"": unknown, "the web": "on the web"}.get(place, f"on the web ({place})")
    shown = "A game is shown while both of its players have that on."
    hidden = (
        "Neither your games nor your name are shown; what is there is taken away within a minute."
    )
    tell_account(
        work,
        user,
        "settings",
        f"Your games {where}: {_switch(user.public)}. {shown if user.public else hidden}",
    )


def letters(work: Work, command: Command, user: User) -> None:
    """Choose to get every letter, only letters that ask for a move, or one letter a day. Raises BadInput.

    The word ``short`` makes letters short and of text alone; ``each`` ends that.
    """
    often, at = command["often"], command.args.get("at")
    if at is not None and often != "daily":
        raise BadInput("A time of the day goes with daily alone.", "bad-time")
    if often == "short":
        keep_wishes(work, user._replace(drawing=often, html=0))
        return
    if often == "each" and user.drawing == "short":
        user = user._replace(drawing="ascii", html=1)
    at = user.digest_at if at is None else at
    keep_wishes(work, digests.with_due(work, user._replace(letters=often, digest_at=at)))


def zone(work: Work, command: Command, user: User) -> None:
    """Show the times in letters in a time zone. Raises BadInput."""
    keep_wishes(work, digests.with_due(work, user._replace(zone=zones.find(command["zone"]))))


def block(work: Work, command: Command, user: User) -> None:
    """Take no more challenges by a player. Raises BadInput if it is no other player."""
    other = work.player(command["userid2"])
    if other == user:
        raise BadInput("That is your own userid; block takes the other player's.", "same-player")
    work.tx.accounts.block(user.userid, other.userid)
    tell_account(
        work,
        user,
        "player blocked",
        f"Challenges by {other.userid}, and words without a move, are refused from now on.",
    )


def unblock(work: Work, command: Command, user: User) -> None:
    """Take a player's challenges again."""
    work.tx.accounts.unblock(user.userid, command["userid2"])
    tell_account(
        work,
        user,
        "player unblocked",
        f"Challenges and words by {command['userid2']} are welcome again.",
    )


def keep_wishes(work: Work, user: User) -> None:
    """Keep a player's wishes, and mail the changed ones, and below them all wishes."""
    before = work.tx.accounts.user(user.userid)
    work.tx.accounts.set_wishes(user)
    settings, was = _settings(work, user), _settings(work, before) if before else {}
    changed = [f"{name}: {value}." for name, value in settings.items() if was.get(name) != value]
    notice = " ".join(changed) or "Nothing has changed."
    tell_account(
        work,
        user,
        "settings",
        notice,
        ("letters daily", "letters each", "letters reminders off"),
        settings,
    )


def _settings(work: Work, user: User) -> dict[str, str]:
    """Return all wishes of a player by name."""
    most = "no limit" if user.most is None else str(user.most)
    refused = ", ".join(user.refuses.split()) or "none"
    often = f"one a day at {digests.at(user)}" if user.letters == "daily" else user.letters
    when = f"{user.zone} (now {zones.when(work.now, user.zone)})"
    return {
        "Letters": often,
        "Boards in the text": user.drawing,
        "HTML": _switch(user.html),
        "Pictures": _switch(user.pictures),
        "Reminders": ("off; the last warning still comes", "on", "daily")[user.reminders],
        "News": _switch(user.news),
        "Listed for others": _switch(user.listed),
        "Most running games that challenges may give you": most,
        "Challenges refused": refused,
        "Time zone": when,
    }


def _switch(on: int) -> str:
    return "on" if on else "off"


def _games(command: Command) -> set[str]:
    """Return the word of the game that a command names, or the words of all games."""
    game = command.args.get("game")
    return {game} if game else {kind.word for kind in games.GAMES}
