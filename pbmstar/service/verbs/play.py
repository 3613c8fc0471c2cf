"""The verbs of a game: challenge, moves, endings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ... import games
from ...command import MASK, Command, open_lines, usage_text
from ...errors import BadInput, Refusal
from ...games.base import Game
from ...match import DRAW, Act, Happening, Match, Terms, begin, terms
from ...match.planned import confirmed
from ...match.terms import DAY, NONE, NORMAL
from ...store import Board, User
from .. import bots, clocks, leave, proof, rations
from ..apply import Change, apply, load
from ..post import post_board
from ..tell import tell
from ..work import BoardRefusal, Seat, Work
from . import previews
from .wishes import may_challenge

PUZZLE = Terms(time=NONE)  # there is nobody to wait
SAID_A_DAY = 10  # words to the opponent without a move, on one board


def challenge(work: Work, command: Command) -> None:
    """Start a game between accounts, or a puzzle of one; a player must have sent the mail."""
    assert command.game is not None
    names = ("userid1", "userid2")[: len(command.game.seats)]
    userids = tuple(command[name] for name in names)
    if len(set(userids)) < len(userids):
        raise BadInput(
            "A game needs two different players.\n" + usage_text(command.verb, command.game),
            "same-player",
        )
    players = []
    for userid in userids:
        user = work.tx.user(userid)
        if user is None or user.state == "closed":
            raise BadInput(
                f"There is no player {userid}.\n" + usage_text(command.verb, command.game),
                "no-player",
            )
        players.append(user)
    writer = work.author.address
    challenger = next((user for user in players if writer and user.address == writer), None)
    if challenger is None:
        raise Refusal(
            "A challenge is to come from the address of a player of the game, as it is on file.",
            "not-your-address",
        )
    rations.require_leave(work)
    if challenger.state == "suspended":
        proof.ask_again(work, challenger)
    game, agreed = command.game(command["options"]), _terms(work, command["terms"], players)
    require_welcome(work, challenger, players, game)
    number = start(work, game, userids, challenger.userid, agreed=agreed)
    work.commands[-1] += f" {number}"


def require_welcome(work: Work, challenger: User, players: Sequence[User], game: Game) -> None:
    """Raises Refusal if one of the players takes no such game of the challenger."""
    bot = next((user for user in players if user.state == "bot"), None)
    if bot is None:
        may_challenge(work, challenger, players, game.word)
    else:
        bots.may_challenge(work, challenger, bot, game)


def _terms(work: Work, chosen: Mapping[str, Any], players: Sequence[User]) -> Terms:
    """The terms that a challenge has chosen; the server's own time where it has chosen none."""
    if len(players) == 1:
        return PUZZLE
    time = chosen.get("time", NORMAL)
    return Terms(
        time=work.context.time if time == NORMAL else time,
        leave=chosen.get("leave", True),
        weekends=tuple(each.zone for each in players) if "weekends" in chosen else (),
    )


def start(
    work: Work,
    game: Game,
    seats: tuple[str, ...],
    challenger: str,
    *because: Happening,
    agreed: Terms,
) -> int:
    """Start a game and tell its players, and ``because`` of what; returns the board's number."""
    match = begin(0, game, seats, work.now, agreed)
    row = Board(
        board=0,
        game=game.word,
        options=games.dump(game),
        made=work.now,
        resets=0,
        length=0,
        to_move=seats[0],
        result="",
        since=work.now,
        due=work.now,
        terms=terms.dump(agreed),
        told=None,
        clock_from=None,
        seats=seats,
        banks=match.clock.banks,
    )
    match = replace(match, number=work.tx.add_board(row))
    match = replace(match, clock=clocks.fresh(work, match, match.clock.banks))
    work.tx.set_clock(match.number, match.clock.told, match.clock.began)
    absent = [
        Happening("away", userid, str(until))
        for userid in seats
        if (until := leave.away_until(work, userid)) is not None and agreed.leave
    ]
    happenings = (*because, *absent, Happening("began", challenger))
    tell(work, Change(match, match, happenings), challenger)
    return match.number


def move(work: Work, command: Command, seat: Seat) -> None:
    """Play a move, pass, swap or resign, and perhaps plan what comes after it."""
    _act(work, seat, "move", " ".join(command["move"]), command["guard"], command["plan"])


def pass_(work: Work, _command: Command, seat: Seat) -> None:
    """Pass."""
    _act(work, seat, "move", "pass")


def swap(work: Work, _command: Command, seat: Seat) -> None:
    """Exchange seats, as the second move."""
    _act(work, seat, "move", "swap")


def resign(work: Work, _command: Command, seat: Seat) -> None:
    """Give the game up, in turn or not."""
    _act(work, seat, "resign")


def propose(work: Work, command: Command, seat: Seat) -> None:
    """Offer to end the game with a score or as a draw; the other may accept until the next move."""
    _act(work, seat, "propose", command.args.get("points", ""))


def draw(work: Work, _command: Command, seat: Seat) -> None:
    """Ask to end the game as a draw."""
    _act(work, seat, "propose", DRAW)


def cancel(work: Work, _command: Command, seat: Seat) -> None:
    """End the game without result: alone if the opponent cannot be reached, else ask for it."""
    _act(work, seat, "cancel")


def claim(work: Work, _command: Command, seat: Seat) -> None:
    """End the game as the board proves that it ends."""
    _act(work, seat, "claim")


def accept(work: Work, command: Command, seat: Seat) -> None:
    """Agree to what the opponent asks; or, in reply to a preview, play what it shows."""
    if seat.draft or "with_plan" in command.args:
        _carry_out(work, seat, previews.accepted(work, seat, "with_plan" in command.args))
    else:
        _act(work, seat, "accept")


def decline(work: Work, command: Command, seat: Seat) -> None:
    """Say no to what the opponent asks; else refuse a new game, and the board is deleted."""
    _act(work, seat, "decline", command.args.get("reason") or "")


def refuse(work: Work, command: Command, seat: Seat) -> None:
    """Say no to what the opponent asks, with or without more words."""
    work.author.comment, _ = _words(work, command)
    _act(work, seat, "refuse")


def undo(work: Work, _command: Command, seat: Seat) -> None:
    """Take back the last move of a puzzle; in a game for two ask for that."""
    _act(work, seat, "undo")


def hint(work: Work, _command: Command, seat: Seat) -> None:
    """Mail a next move that leads to the best, if the game knows one: found when it is written."""
    if seat.match.position.over:
        raise BoardRefusal("The game is over.", "game-over", seat.match)
    _tell_alone(work, seat.match, (Happening("hinted", seat.userid),), seat.userid)


def say(work: Work, command: Command, seat: Seat) -> None:
    """Pass words on to the opponent, at any time, also when the game is over."""
    author, match = work.author, seat.match
    text, withheld = _words(work, command)
    if not text:
        raise BoardRefusal(
            "There are no words to pass on: write them behind say, or in the lines below it.",
            "no-words",
            match,
        )
    opponent = work.tx.user(match.opponent(seat.userid))
    if opponent is None or opponent.state != "active":
        raise BoardRefusal("No mail gets through to your opponent now.", "unreached", match)
    if work.tx.is_blocked(opponent.userid, seat.userid):
        raise BoardRefusal(f"{opponent.userid} takes no words from you.", "blocked", match)
    if work.limited and (
        work.tx.count(f"say {match.number} {seat.userid}", work.now, DAY) > SAID_A_DAY
    ):
        raise BoardRefusal(
            f"You have written to {opponent.userid} on this board {SAID_A_DAY} times today, which "
            "is the most. What you write below a move always goes along.",
            "said-too-often",
            match,
        )
    post_board(
        work,
        match,
        (Happening("said", seat.userid),),
        facts={"comment": {"userid": seat.userid, "text": text, "cut": author.cut}},
        answers=seat.userid,
        withheld=author.withheld + withheld,
    )


def _words(work: Work, command: Command) -> tuple[str, int]:
    """What a mail says to the opponent, on a command's line and below; how many lines are withheld."""
    words, withheld = open_lines([command.args.get("words", "")])
    if password := command.args.get("password"):
        words = words.replace(password.value, MASK)
    return "\n".join(filter(None, (words, work.author.comment))), withheld


def plan(work: Work, command: Command, seat: Seat) -> None:
    """Keep a plan, drop it, or mail it to its player, who alone is told of it."""
    text = command.args.get("plan", "")
    if not text:
        _tell_alone(work, seat.match, confirmed(seat.match, seat.userid), seat.userid)
        return
    _carry_out(work, seat, Act(seat.userid, "plan", text, seen=seat.seen))


def queue(work: Work, command: Command, seat: Seat) -> None:
    """Plan a move that answers any other."""
    guard = f"#{command['guard']}" if command["guard"] is not None else ""
    text = f"else {' '.join(command['move'])}{guard}"
    if command["plan"]:
        text += f", ({command['plan']})"
    plan(work, replace(command, args={**command.args, "plan": text}), seat)


def _tell_alone(work: Work, match: Match, happenings: tuple[Happening, ...], userid: str) -> None:
    post_board(work, match, happenings, to=(userid,), answers=userid)


def _act(
    work: Work, seat: Seat, kind: str, text: str = "", guard: int | None = None, plan: str = ""
) -> None:
    _carry_out(work, seat, Act(seat.userid, kind, text, guard, plan=plan))


def _carry_out(work: Work, seat: Seat, wanted: Act) -> None:
    """Do what a player wants, and tell both; of a plan that waits only its player."""
    is_plan = wanted.kind == "plan"
    if is_plan or wanted.plan:
        bots.refuse_plan(work, seat.match)
    change = apply(work, seat.match, wanted)
    length = len(change.after.record)
    if is_plan and length == len(seat.match.record):  # else it crossed the move that it answers
        _tell_alone(work, change.after, change.happenings, seat.userid)
        return
    if words := work.author.comment:
        work.tx.add_comment(change.after.number, length, seat.userid, work.now, words)
    tell(work, bots.reply(work, change), seat.userid)


def give_up(work: Work, number: int, userid: str, kind: str) -> Match:
    """End a running game for a player who gives all up, and tell the opponent; returns it.

    kind  ``resign``, or ``leave`` if the player leaves the server. A game in which the player has
          not moved is not lost but removed.
    """
    match = load(work, number)
    if match.has_moved(userid):
        change = apply(work, match, Act(userid, kind))
    else:
        work.tx.drop_board(number)
        change = Change(match, match, (Happening("withdrawn", userid, kind),))
    tell(work, change, userid, to=[each for each in match.seats if each != userid])
    return change.after


def remove(work: Work, match: Match) -> None:
    """Delete a board by the operator's hand, and tell its players."""
    work.tx.drop_board(match.number)
    tell(work, Change(match, match, (Happening("removed"),)))
