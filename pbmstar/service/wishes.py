"""What players wish: which challenges they take, and whether they get reminders."""

from __future__ import annotations

from .. import games
from ..command import Command
from ..errors import Refusal
from ..store import User
from . import proof
from .desk import Desk

FRESH_OF_PAIR, FRESH_OF_PLAYER = 5, 20  # games without two moves yet


def limit(desk: Desk, command: Command) -> None:
    """Set how many running games challenges may bring a player to."""
    user = _writer(desk, command)
    keep_wishes(desk, user._replace(most=command["most"]))


def reject(desk: Desk, command: Command) -> None:
    """Refuse challenges to a game, or to all."""
    user, games = _writer(desk, command), set(_games(command))
    keep_wishes(desk, user._replace(refuses=" ".join(sorted({*user.refuses.split(), *games}))))


def welcome(desk: Desk, command: Command) -> None:
    """Take challenges to a game, or to all, again."""
    user, games = _writer(desk, command), set(_games(command))
    keep_wishes(desk, user._replace(refuses=" ".join(sorted({*user.refuses.split()} - games))))


def reminders(desk: Desk, command: Command) -> None:
    """Get reminders or not; the last warning comes anyway."""
    user = _writer(desk, command)
    keep_wishes(desk, user._replace(reminders=int(command["on"])))


def block(desk: Desk, command: Command) -> None:
    """Take no more challenges by a player."""
    user = _writer(desk, command)
    desk.tx.block(user.userid, command["userid2"])
    proof.tell(desk, user, f"Challenges by {command['userid2']} are refused from now on.")


def unblock(desk: Desk, command: Command) -> None:
    """Take a player's challenges again."""
    user = _writer(desk, command)
    desk.tx.unblock(user.userid, command["userid2"])
    proof.tell(desk, user, f"Challenges by {command['userid2']} are welcome again.")


def keep_wishes(desk: Desk, user: User) -> None:
    """Keep what a player wishes, and tell all of it."""
    desk.tx.set_wishes(user.userid, bool(user.reminders), user.most, user.refuses)
    most = "any number" if user.most is None else str(user.most)
    refused = ", ".join(user.refuses.split()) or "none"
    proof.tell(
        desk,
        user,
        f"Challenges may bring you to this many running games: {most}. Games to which challenges "
        f"are refused: {refused}. Reminders: {'on' if user.reminders else 'off'}; the last warning "
        "before a forfeit comes in any case.",
    )


def _writer(desk: Desk, command: Command) -> User:
    user = proof.authenticate(desk, command["userid"], command["password"])
    desk.answer_to(user.userid)
    return user


def _games(command: Command) -> list[str]:
    game = command.args.get("game")
    return [game] if game else [kind.word for kind in games.GAMES]


def may_challenge(desk: Desk, challenger: User, other: User, word: str) -> None:
    """Raises Refusal if ``other`` does not take that challenge; the reason is not told in detail."""
    running = desk.tx.boards_of(other.userid, "active")
    if (
        other.state != "active"
        or word in other.refuses.split()
        or desk.tx.is_blocked(other.userid, challenger.userid)
        or (other.most is not None and len(running) >= other.most)
    ):
        raise Refusal(f"{other.userid} takes no such challenge now.")
    if not desk.context.config.limits:
        return
    fresh = [row for row in desk.tx.boards_of(challenger.userid, "active") if row.length < 2]
    between = [row for row in fresh if other.userid in (row.first, row.second)]
    if len(between) >= FRESH_OF_PAIR or len(fresh) >= FRESH_OF_PLAYER:
        raise Refusal(
            "Too many of your games have not begun yet; wait for the first moves in those."
        )
