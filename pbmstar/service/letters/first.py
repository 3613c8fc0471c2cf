"""The lines below the first board of a player whose account was opened with a game: they are the welcome.

A player without a game gets them as a letter.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import say
from ...grammar.words import ENGLISH
from ...machine.times import DAY
from ...store import User
from ..work.feature import Below, features
from ..work.work import Work

_DAYS = 30  # after which nobody needs a welcome
_OPEN, _UNKEPT = "open", "unkept"  # values of the fact
IN_ENGLISH = say("You get all your letters in this language. For English, reply:")


def place_of(work: Work) -> str:
    """Return the place where the games of public players are shown; empty if they are shown nowhere."""
    config = work.context.config
    is_shown = config.site and any(each.shows_games for each in features(without=config.without))
    return (config.site_url or "the web") if is_shown else ""


def _fact(userid: str) -> str:
    return f"welcome {userid}"


def keep(work: Work, userid: str, *, unkept: bool) -> None:
    """Note that the first board letter of a player has the welcome below it.

    unkept  the word after the userid was no password
    """
    work.tx.ledger.set_fact(_fact(userid), _UNKEPT if unkept else _OPEN)


def forget(work: Work, userid: str) -> None:
    """Note that no board letter of a player has the welcome below it."""
    work.tx.ledger.drop_fact(_fact(userid))


def below(work: Work, user: User, reader: str) -> Sequence[Below]:
    """Return the welcome of a player whose first board letter this is; empty for all others."""
    if not reader or not 0 <= work.now - user.made <= _DAYS * DAY:
        return ()
    kept = work.tx.ledger.fact(_fact(user.userid))
    if not kept:
        return ()
    forget(work, user.userid)
    site = place_of(work) if user.public else ""
    told = [
        Below(
            say(
                "Welcome, {userid}! Your account is open, and you don't need a password.",
                userid=user.userid,
            )
        ),
        Below(say("To play a person, reply:"), ("match",), close=True),
        Below(say("To learn the game, reply:"), ("course",), close=True),
        Below(say("For one letter a day, reply:"), ("letters daily",), close=True),
        Below(say("For help, reply:"), ("help",), close=True),
    ]
    if kept == _UNKEPT:
        told.append(
            Below(
                say(
                    "We didn't take the word after {userid} as your password, because it looks "
                    "like a name or is easy to guess.",
                    userid=user.userid,
                ),
                close=True,
            )
        )
    if site:
        told.append(
            Below(
                say(
                    "Anyone can see your name, games and ratings on {site}, but never your "
                    "address or what you write. To hide them, reply:",
                    site=site,
                ),
                ("public off",),
                close=True,
            )
        )
    if user.language != ENGLISH:
        told.append(Below(IN_ENGLISH, (f"language {ENGLISH}",), close=True))
    return told
