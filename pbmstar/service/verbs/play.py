"""The verbs of a game that runs: moves, requests, endings, words."""

from __future__ import annotations

from dataclasses import replace

from ...command import MASK, Command, open_lines
from ...match import DRAW, Act, Happening, Match
from ...match.planned import confirmed
from ...match.terms import DAY
from .. import bots, receipts
from ..apply import Change, apply, load
from ..post import post_board
from ..tell import tell
from ..work import BoardRefusal, Seat, Work
from . import previews

SAID_A_DAY = 10  # words to the opponent without a move, on one board


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
    if bot := receipts.bot_of(work, match.seats):
        raise BoardRefusal(f"{bot} is a bot, and reads no words.", "bots-read-nothing", match)
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
    work.tx.add_comment(match.number, len(match.record), seat.userid, work.now, text)
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
    # A plan that crossed the move that it answers has been played at once.
    if is_plan and len(change.after.record) == len(seat.match.record):
        _tell_alone(work, change.after, change.happenings, seat.userid)
        return
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
