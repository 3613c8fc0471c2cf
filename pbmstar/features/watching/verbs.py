"""The verbs of watchers: they watch one board, or all new games of a player."""

from __future__ import annotations

from ...command import Command
from ...errors import BadInput, Refusal, Said, say, together
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
    EACH: say("You get a letter after each move."),
    END: say("You get a letter when the game ends."),
    DIGEST: say("You get one letter a day about what has happened."),
}
_REPLIES = ("watches",)
_SHOWN = 3  # boards, and players, that a letter offers to watch no more


def watch(work: Work, command: Command, user: User) -> None:
    """Watch a board from now on, or change the way in which it is watched. Raises Refusal."""
    match = look(work, command["watched"], user, command.game)
    number, how = match.number, command.args.get("how", DIGEST)
    if user.userid in match.seats:
        raise Refusal(say("You play on that board, so you get its letters anyway."), "own-board")
    if match.position.over:
        raise Refusal(
            say(
                "The game is over. To see it: {command}",
                command=f"{match.game.word} show {number}",
            ),
            "game-over",
        )
    require_room(work, user)
    work.tx.of(Watches).watch(number, user.userid, how)
    tell_account(
        work,
        user,
        say("watching"),
        together(
            say("You watch board {number}, {game}.", number=number, game=_named(match)),
            _TOLD[how],
            say("Its players are told how many people watch, but not who."),
        ),
        (f"unwatch {number}", *_REPLIES),
    )


def _named(match: Match) -> Said:
    return say("{game} of {players}", game=match.game.title, players=match.seats)


def require_room(work: Work, user: User) -> None:
    """Raise Refusal if a player already watches as many boards as possible."""
    if work.tx.of(Watches).count(user.userid) >= MOST:
        raise Refusal(
            say("You already watch {most} boards, and cannot watch more.", most=MOST),
            "too-many-watches",
        )


def unwatch(work: Work, command: Command, user: User) -> None:
    """Stop watching a board. Raises BadInput if it is not watched."""
    match = load(work, command["watched"], command.game)
    if not work.tx.of(Watches).unwatch(match.number, user.userid):
        raise BadInput(say("You do not watch board {number}.", number=match.number), "not-watched")
    tell_account(
        work,
        user,
        say("watching"),
        say("You no longer watch board {number}.", number=match.number),
        _REPLIES,
    )


def watch_player(work: Work, command: Command, user: User) -> None:
    """Watch all games that a player begins from now on. Raises BadInput, Refusal."""
    player, how = command["userid2"], command.args.get("how", DIGEST)
    if work.player(player) == user:
        raise BadInput(say("That is your own userid. Name another player."), "same-player")
    if len(work.tx.of(Watches).followed(user.userid)) >= MOST:
        raise Refusal(
            say("You already watch {most} players, and cannot watch more.", most=MOST),
            "too-many-watches",
        )
    work.tx.of(Watches).follow(player, user.userid, how)
    notice = together(
        say("You now watch each game that {userid} begins.", userid=player), _TOLD[how]
    )
    tell_account(work, user, say("watching"), notice, (f"unwatch player {player}", *_REPLIES))


def unwatch_player(work: Work, command: Command, user: User) -> None:
    """Stop watching new games of a player. Raises BadInput if they are not watched."""
    player = command["userid2"]
    if not work.tx.of(Watches).unfollow(player, user.userid):
        raise BadInput(say("You do not watch {userid}.", userid=player), "not-watched")
    notice = say(
        "You no longer watch new games of {userid}. You still watch the boards that you watch already.",
        userid=player,
    )
    tell_account(work, user, say("watching"), notice, _REPLIES)


def watches(work: Work, _command: Command, user: User) -> None:
    """Mail a player the lists of the boards and players that the player watches."""
    watched = work.tx.of(Watches).watched(user.userid)
    followed = work.tx.of(Watches).followed(user.userid)
    boards = tuple(
        say(
            "{number} ({game}; {how})",
            number=each.name,
            game=_named(load(work, int(each.name))),
            how=each.how,
        )
        for each in watched
    )
    players = ", ".join(f"{each.name} ({each.how})" for each in followed)
    tell_account(
        work,
        user,
        say("watching"),
        together(
            say("Boards that you watch: {boards}.", boards=boards)
            if boards
            else say("You watch no boards."),
            say("Players whose new games you watch: {players}.", players=players)
            if players
            else say("You watch no players."),
            say("The daily letter comes at {time}.", time=digests.at(user)),
        ),
        (
            *(f"unwatch {each.name}" for each in watched[:_SHOWN]),
            *(f"unwatch player {each.name}" for each in followed[:_SHOWN]),
        ),
    )
