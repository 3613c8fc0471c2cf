"""The verbs of watchers: they watch one board, or all new games of a player."""

from __future__ import annotations

from ...command import Command
from ...errors import BadInput, Refusal
from ...match import Match
from ...service.letters import digests
from ...service.letters.post import tell_account
from ...service.work.apply import load, look
from ...service.work.work import Work
from ...store import User
from .commands import DIGEST, EACH, END
from .rows import Watches

MOST = 50  # the most boards, and the most players, that one player can watch
_TOLD = {
    EACH: "each move brings you a letter",
    END: "a letter tells you the end",
    DIGEST: "a letter a day tells you what has happened",
}
_REPLIES = ("watches",)
_SHOWN = 3  # boards, and players, that a letter offers to watch no more


def watch(work: Work, command: Command, user: User) -> None:
    """Watch a board from now on, or change the way in which it is watched. Raises Refusal."""
    match = look(work, command["watched"], user, command.game)
    number, how = match.number, command.args.get("how", DIGEST)
    if user.userid in match.seats:
        raise Refusal("You play on that board: its letters come anyway.", "own-board")
    if match.position.over:
        raise Refusal(f"The game is over. To see it: {match.game.word} show {number}", "game-over")
    require_room(work, user)
    work.tx.of(Watches).watch(number, user.userid, how)
    tell_account(
        work,
        user,
        "watching",
        f"You watch board {number}, {_named(match)}: {_TOLD[how]}. Its players are told how many watch, "
        "and not who.",
        (f"unwatch {number}", *_REPLIES),
    )


def _named(match: Match) -> str:
    return " ".join([match.game.title, "of", " and ".join(match.seats)])


def require_room(work: Work, user: User) -> None:
    """Raise Refusal if a player already watches as many boards as possible."""
    if work.tx.of(Watches).count(user.userid) >= MOST:
        raise Refusal(
            f"You already watch {MOST} boards, and cannot watch more.", "too-many-watches"
        )


def unwatch(work: Work, command: Command, user: User) -> None:
    """Stop watching a board. Raises BadInput if it is not watched."""
    match = load(work, command["watched"], command.game)
    if not work.tx.of(Watches).unwatch(match.number, user.userid):
        raise BadInput(f"You do not watch board {match.number}.", "not-watched")
    tell_account(work, user, "watching", f"You watch board {match.number} no more.", _REPLIES)


def watch_player(work: Work, command: Command, user: User) -> None:
    """Watch all games that a player begins from now on. Raises BadInput, Refusal."""
    player, how = command["userid2"], command.args.get("how", DIGEST)
    if work.player(player) == user:
        raise BadInput("That is your own userid; another player's is wanted.", "same-player")
    if len(work.tx.of(Watches).followed(user.userid)) >= MOST:
        raise Refusal(
            f"You already watch {MOST} players, and cannot watch more.", "too-many-watches"
        )
    work.tx.of(Watches).follow(player, user.userid, how)
    notice = f"You watch each game that {player} begins from now on: {_TOLD[how]}."
    tell_account(work, user, "watching", notice, (f"unwatch player {player}", *_REPLIES))


def unwatch_player(work: Work, command: Command, user: User) -> None:
    """Stop watching new games of a player. Raises BadInput if they are not watched."""
    player = command["userid2"]
    if not work.tx.of(Watches).unfollow(player, user.userid):
        raise BadInput(f"You do not watch {player}.", "not-watched")
    notice = f"You watch no new games of {player}. Boards that you watch already are watched on."
    tell_account(work, user, "watching", notice, _REPLIES)


def watches(work: Work, _command: Command, user: User) -> None:
    """Mail a player the lists of the boards and players that the player watches."""
    watched = work.tx.of(Watches).watched(user.userid)
    followed = work.tx.of(Watches).followed(user.userid)
    boards = [f"{each.name} ({_named(load(work, int(each.name)))}; {each.how})" for each in watched]
    players = [f"{each.name} ({each.how})" for each in followed]
    tell_account(
        work,
        user,
        "watching",
        f"Boards that you watch: {', '.join(boards) or 'none'}. Players whose new games you watch: "
        f"{', '.join(players) or 'none'}. The daily letter comes at {digests.at(user)}.",
        (
            *(f"unwatch {each.name}" for each in watched[:_SHOWN]),
            *(f"unwatch player {each.name}" for each in followed[:_SHOWN]),
        ),
    )
