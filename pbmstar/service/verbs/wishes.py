"""What players wish: which challenges they take, how letters look, whether reminders come."""

from __future__ import annotations

from collections.abc import Sequence

from ... import games
from ...command import Command
from ...errors import BadInput, Refusal
from ...match import zones
from ...store import User
from .. import digests
from ..post import tell_account
from ..work import Work

FRESH_OF_PAIR, FRESH_OF_PLAYER = 5, 20  # games in which not everybody has moved yet


def limit(work: Work, command: Command, user: User) -> None:
    """Set how many running games challenges may bring a player to."""
    keep_wishes(work, user._replace(most=command["most"]))


def reject(work: Work, command: Command, user: User) -> None:
    """Refuse challenges to a game, or to all."""
    keep_wishes(
        work, user._replace(refuses=" ".join(sorted({*user.refuses.split(), *_games(command)})))
    )


def accept(work: Work, command: Command, user: User) -> None:
    """Take challenges to a game, or to all, again."""
    keep_wishes(
        work, user._replace(refuses=" ".join(sorted({*user.refuses.split()} - _games(command))))
    )


def reminders(work: Work, command: Command, user: User) -> None:
    """Get reminders, every day, or not; the last warning comes anyway."""
    keep_wishes(work, user._replace(reminders=command["often"]))


def html(work: Work, command: Command, user: User) -> None:
    """Get letters with an HTML part, or of text alone."""
    keep_wishes(work, user._replace(html=int(command["on"])))


def pictures(work: Work, command: Command, user: User) -> None:
    """Get boards as pictures, or drawn with letters."""
    keep_wishes(work, user._replace(pictures=int(command["on"])))


def listed(work: Work, command: Command, user: User) -> None:
    """Be among the players that ``who`` names, or not."""
    keep_wishes(work, user._replace(listed=int(command["on"])))


def letters(work: Work, command: Command, user: User) -> None:
    """Get each letter, those that ask for one's move, or one a day; or get short ones, of text alone,
    however often. Raises BadInput."""
    often, at = command["often"], command.args.get("at")
    if at is not None and often != "daily":
        raise BadInput("A time of the day goes with daily alone.", "bad-time")
    if often == "short":
        keep_wishes(work, user._replace(drawing=often, html=0))
        return
    at = user.digest_at if at is None else at
    keep_wishes(work, digests.with_due(work, user._replace(letters=often, digest_at=at)))


def drawing(work: Work, command: Command, user: User) -> None:
    """See a board in the text of letters drawn, in words or not at all."""
    keep_wishes(work, user._replace(drawing=command["drawing"]))


def news(work: Work, command: Command, user: User) -> None:
    """Get what the operator writes to all players, or not."""
    keep_wishes(work, user._replace(news=int(command["on"])))


def zone(work: Work, command: Command, user: User) -> None:
    """Name times in letters by the clocks of a zone. Raises BadInput."""
    keep_wishes(work, digests.with_due(work, user._replace(zone=zones.find(command["zone"]))))


def block(work: Work, command: Command, user: User) -> None:
    """Take no more challenges by a player. Raises BadInput if that is nobody else."""
    other = work.tx.user(command["userid2"])
    if other is None or other.state == "closed":
        raise BadInput(f"There is no player {command['userid2']}.", "no-player")
    if other == user:
        raise BadInput("That is your own userid; block takes the other player's.", "same-player")
    work.tx.block(user.userid, other.userid)
    tell_account(
        work,
        user,
        f"Challenges by {other.userid}, and words without a move, are refused from now on.",
    )


def unblock(work: Work, command: Command, user: User) -> None:
    """Take a player's challenges again."""
    work.tx.unblock(user.userid, command["userid2"])
    tell_account(work, user, f"Challenges and words by {command['userid2']} are welcome again.")


def keep_wishes(work: Work, user: User) -> None:
    """Keep what a player wishes, and tell all of it."""
    work.tx.set_wishes(user)
    most = "no limit" if user.most is None else str(user.most)
    refused = ", ".join(user.refuses.split()) or "none"
    often = f"daily at {digests.at(user)}" if user.letters == "daily" else user.letters
    tell_account(
        work,
        user,
        f"Most running games that challenges may give you: {most}. Games to which challenges are "
        f"refused: {refused}. Reminders: {('off', 'on', 'daily')[user.reminders]}; the last warning before a "
        f"forfeit comes in any case. Letters with HTML: {_switch(user.html)}; with pictures: "
        f"{_switch(user.pictures)}. Listed for others by the command who: {_switch(user.listed)}. "
        f"Letters: {often}; boards in their text: {user.drawing}. "
        f"Letters that go to all players (news): {_switch(user.news)}. "
        f"Times are named in the zone {user.zone}; now it is {zones.when(work.now, user.zone)}.",
    )


def _switch(on: int) -> str:
    return "on" if on else "off"


def _games(command: Command) -> set[str]:
    """The words of the game that a command names, or of all."""
    game = command.args.get("game")
    return {game} if game else {kind.word for kind in games.GAMES}


def may_challenge(work: Work, challenger: User, players: Sequence[User], word: str) -> None:
    """Raises Refusal if one of the other ``players`` does not take that challenge.

    The reason is not told in detail.
    """
    for other in players:
        if other != challenger and not _takes(work, challenger, other, word):
            raise Refusal(
                f"{other.userid} is not taking this challenge at present.", "challenge-not-taken"
            )
    if not work.limited:
        return
    userids = {user.userid for user in players}
    running = work.tx.boards_of(challenger.userid, "active")
    fresh = [row for row in running if row.length < len(row.seats)]
    between = [row for row in fresh if userids == set(row.seats)]
    if len(between) >= FRESH_OF_PAIR or len(fresh) >= FRESH_OF_PLAYER:
        raise Refusal(
            "Too many of your games have not begun yet; wait for the first moves in those.",
            "too-many-fresh",
        )


def _takes(work: Work, challenger: User, other: User, word: str) -> bool:
    """Whether a player takes a challenge of another."""
    running = work.tx.boards_of(other.userid, "active")
    return (
        other.state == "active"
        and word not in other.refuses.split()
        and not work.tx.is_blocked(other.userid, challenger.userid)
        and (other.most is None or len(running) < other.most)
    )
