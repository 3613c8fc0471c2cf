"""The verbs that begin a game with a certain player: challenges, rematches, counter-offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from ... import games, identity
from ...command import Command, usage_text
from ...errors import BadInput, BadOption, Refusal, say, together
from ...games.base import Game
from ...machine.times import DAY
from ...match import Match
from ...match.happenings import Countered, Happening, Rematch, Rematched
from ...match.terms import spelled
from ...store import User
from ..proof import authentication, limits
from ..work import bots
from ..work.work import BoardRefusal, Speaker, Work, no_player
from . import beginning
from .beginning import agreed_on, start

H = TypeVar("H", bound=Happening)
CHALLENGES_A_DAY = 10  # of one player to another, declined ones too
_REMATCH = 60 * DAY  # after the end of a game
_SERIES = 100  # earlier games that are counted
_COUNTERS = 4  # boards of one challenge, the first among them


def challenge(work: Work, command: Command) -> int:
    """Start a game between accounts, or a puzzle of one account; return its board number.

    One of its players must have sent the mail.
    """
    assert command.game is not None
    names = ("userid1", "userid2")[: len(command.game.seats)]
    userids = tuple(command[name] for name in names)
    if len(set(userids)) < len(userids):
        raise BadInput(
            together(
                say("A game needs two different players."),
                usage_text(command.verb, command.game),
                by="\n",
            ),
            "same-player",
        )
    players = []
    for userid in userids:
        user = work.tx.accounts.user(userid)
        if user is None or user.state == "closed":
            unknown = together(no_player(userid).told, bots.meant(work, userid))
            usage = usage_text(command.verb, command.game)
            raise BadInput(together(unknown, usage, by="\n"), "no-player")
        players.append(user)
    challenger = next((user for user in players if work.is_from(user)), None)
    if challenger is None:
        raise Refusal(
            say("Please send your challenge from your own address."),
            "not-your-address",
        )
    limits.require_leave(work)
    if challenger.state == "suspended":
        authentication.ask_again(work, challenger)
    game = command.game(command["options"])
    agreed = agreed_on(work, userids, command["terms"])
    is_proved = work.proved == challenger.userid
    beginning.require_consent(work, challenger, players, game, is_proved)
    count(work, challenger, players)
    return start(work, game, userids, challenger.userid, agreed=agreed, is_proved=is_proved)


def count(work: Work, challenger: User, players: Sequence[User]) -> None:
    """Count a challenge, even if it is declined. Raises Refusal if it is one too many for a day.

    Forged challenges are counted apart from those that come from the challenger's own places.
    """
    standing = work.standing(challenger.userid)
    for other in players:
        if other.userid == challenger.userid or other.is_program:
            continue
        # A mark, so that an export of one player's data does not name the other player.
        rival = identity.address_mark(other.userid)
        if work.exceeds(CHALLENGES_A_DAY, f"challenges {challenger.userid} {standing} {rival}"):
            raise Refusal(
                say(
                    "You've already challenged {userid} {challenges_a_day} times today.",
                    userid=other.userid,
                    challenges_a_day=CHALLENGES_A_DAY,
                ),
                "too-many-challenges",
            )


# -- because of another game


def rematch(work: Work, _command: Command, speaker: Speaker) -> None:
    """Start the same game again; the player who moved first moves second. A game has one rematch."""
    match, userid = speaker.match, speaker.userid
    if not match.position.over:
        raise BoardRefusal(say("The game is still running."), "still-running", match)
    if work.now - match.since > _REMATCH:
        raise BoardRefusal(
            say("That game ended more than 60 days ago. Send a challenge instead."),
            "too-late",
            match,
        )
    following = _newest(work, match.number, Rematched)
    if following and work.tx.boards.get(following.board):
        raise BoardRefusal(
            say("There's already a rematch of this game: board {number}.", number=following.board),
            "rematch-exists",
            match,
        )
    _require_welcome(work, match, userid, match.game)
    seats = match.seats[::-1]
    because = Rematch(userid, match.number, *_series(work, match.number, seats))
    agreed = agreed_on(work, seats, before=match.terms)
    number = start(work, match.game, seats, userid, because, agreed=agreed, is_proved=True)
    work.tx.boards.add_event(match.number, work.now, Rematched(userid, number))


def _series(work: Work, number: int, seats: Sequence[str]) -> tuple[int, tuple[float, ...]]:
    """Return the number of games of a series up to a board, and the points of each player.

    A win is worth 1 and a tie a half, as in leagues.
    """
    halves: Counter[str] = Counter()
    count = 0
    row = work.tx.boards.get(number)
    while row and count < _SERIES:
        count += 1
        winner = work.tx.boards.winner(row)
        halves.update((winner, winner) if winner else seats if row.result == "tie" else ())
        before = _newest(work, row.board, Rematch)
        row = work.tx.boards.get(before.board) if before else None
    return count, tuple(halves[userid] / 2 for userid in seats)


def counter(work: Work, command: Command, speaker: Speaker) -> None:
    """Start another game in place of one in which the player has not moved, and delete the old board.

    Options and terms that the command does not name stay as they were.
    """
    match, userid = speaker.match, speaker.userid
    bots.require_act(work, speaker, "counter")
    if match.position.over or match.has_moved(userid):
        raise BoardRefusal(
            say("You can only suggest a different game before your first move."),
            "moved-already",
            match,
        )
    before = _newest(work, match.number, Countered)
    count = (before.count if before else 1) + 1
    if count > _COUNTERS:
        raise BoardRefusal(
            say(
                "You two have already changed this challenge {times} times. It's time to play or "
                "to decline.",
                times=_COUNTERS - 1,
            ),
            "too-many-counters",
            match,
        )
    if match.terms.setup and command["options"]:
        raise BoardRefusal(
            say(
                "This game continues from an earlier position, so you can suggest other terms or "
                "sides, but not other options."
            ),
            "from-a-position",
            match,
        )
    seats = match.seats
    if first := command.args.get("seat"):
        other = match.opponent(userid)
        seats = (userid, other) if first == match.game.seats[0] else (other, userid)
    game = _changed(match, command["options"])
    agreed = agreed_on(work, seats, command["terms"], match.terms)
    if (games.dump(game), seats, agreed) == (games.dump(match.game), match.seats, match.terms):
        raise BoardRefusal(
            say("Those are already the terms of this game. What would you like to change?"),
            "same",
            match,
        )
    work.tx.boards.drop(match.number)
    _require_welcome(work, match, userid, game)
    words = [f"-{name}={value}".rstrip("=") for name, value in command["options"].items()]
    words += [spelled(*each) for each in command["terms"].items()]
    words += [f"-seat={first.lower()}"] if first else []
    because = Countered(userid, match.number, " ".join(words), count)
    start(work, game, seats, userid, because, agreed=agreed, is_proved=True)


def _changed(match: Match, chosen: dict[str, str]) -> Game:
    """Return the game of a match with other options. Raises BoardRefusal."""
    kind = type(match.game)
    flags = {option.name for option in kind.options if not option.range}
    values = {n: bool(v) if n in flags else v for n, v in match.game.values.items()}
    try:
        return kind({**values, **chosen})
    except BadOption as error:
        raise BoardRefusal(error.said, error.code, match) from None


def _require_welcome(work: Work, match: Match, userid: str, game: Game) -> None:
    """Raise Refusal if the other player does not take a challenge to that game by this one."""
    players = list(map(work.account, match.seats))
    beginning.require_consent(work, work.account(userid), players, game, is_proved=True)


def _newest(work: Work, board: int, kind: type[H]) -> H | None:
    """Return the newest event of a kind on a board; None if there is none."""
    happenings = [event.happening for event in reversed(work.tx.boards.events(board))]
    return next((each for each in happenings if isinstance(each, kind)), None)
