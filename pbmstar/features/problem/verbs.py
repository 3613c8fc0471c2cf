"""The problem of the week: a position of a game that was played here, and one move that decides it.

Everybody may try again, but only a player's first answer counts for the list of solvers: the list is for
players who see it at once. A reader without an account is told if an answer is right, and the answer is
not kept. Until the week ends only those who have found the solution are told it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from ... import games
from ...command import Command, Reply, read_reply
from ...command import named as verbs_named
from ...contest.fairness import is_move
from ...contest.proving import week_of
from ...errors import BadInput, Refusal, UsageError
from ...games.base import PLAYERS, other
from ...games.spelling import plural
from ...inbound import Inbound
from ...match import Match, Terms, begin
from ...match.terms import NONE
from ...store import Solution, StoredProblem, User
from ..letters.headers import signed, unsubscribe
from ..letters.post import PlainLetter, send, tell_account
from ..proof import rations
from ..work.work import Work

_ROW = verbs_named(None)["problem"]
_TERMS = Terms(time=NONE)
_LISTED = 20  # solvers of a list
_NO_ANSWER = "I found no cell in the first line of your reply."
_REPLIES = {True: ("problem", "problem off"), False: ("problem", "problem on")}


class Judgement(NamedTuple):
    """A judgement of an answer: a sentence, True if the move decides, the move, and the board after it.

    move   the cell; empty if the answer was not a possible move
    after  the board with that move; None if there is no move
    """

    said: str
    right: bool = False
    move: str = ""
    after: Match | None = None


def problem(work: Work, command: Command, reader: User) -> None:
    """Mail a problem, or the judgement of an answer; or switch the weekly letter on or off.

    Raises Refusal, BadInput.
    """
    on = command.args.get("on")
    if on is not None:
        _switch(work, reader, on)
        return
    number = command.args.get("problem")
    if number is None and (why := _none(work)):
        letter = PlainLetter.to(reader, "unposed", {"why": why})
        rations.ask(work, reader, ("problem", 0), letter)
        return
    stored = named(work, number)
    if "answer" in command.args and is_open(work, stored):
        send(work, _answered(work, stored, reader, command["answer"]))
        return
    letter = letter_to(work, stored, reader)
    rations.ask(work, reader, ("problem", stored.number), letter)


def _switch(work: Work, user: User, on: bool) -> None:
    """Mail each week's problem to a player, or stop that. Raises Refusal if nothing proves the player."""
    if work.author.proved != user.userid:
        raise Refusal(
            f"For that your password is needed: problem {user.userid} password "
            f"{'on' if on else 'off'}",
            "missing-password",
        )
    if not on:
        leave(work, user)
        return
    work.tx.problems.subscribe(user.userid)
    tell_account(
        work, user, "problem", "Each week's problem is mailed to you from now on.", _REPLIES[True]
    )


def leave(work: Work, user: User) -> None:
    """Stop the weekly letter to a player: problems are mailed only if the player asks."""
    work.tx.problems.unsubscribe(user.userid)
    told = "No problem is mailed to you any more, unless you ask for it."
    tell_account(work, user, "problem", told, _REPLIES[False])


def best(work: Work, command: Command, reader: User) -> None:
    """Mail the list of the best solvers in a year; it is the running year if the command names none."""
    year = command.args.get("year") or datetime.fromtimestamp(work.now, UTC).year
    begin, end = (datetime(each, 1, 1, tzinfo=UTC).timestamp() for each in (year, year + 1))
    places = list(enumerate(work.tx.problems.solvers(begin, end), 1))
    shown = [
        {"place": place, "userid": userid, "right": right, "answers": answers}
        for place, (userid, right, answers) in places
        if place <= _LISTED or userid == reader.userid
    ]
    facts = {"year": year, "solvers": shown}
    letter = PlainLetter.to(reader, "solvers", facts)
    rations.ask(work, reader, ("problem best", year), letter)


# -- which problem


def named(work: Work, number: int | None = None) -> StoredProblem:
    """Return the problem of that number, or of this week. Raises BadInput if there is none to be shown."""
    if number is None and (why := _none(work)):
        raise BadInput(why, "no-problem")
    stored = work.tx.problems.newest() if number is None else work.tx.problems.get(number)
    if stored is None:
        raise BadInput(f"There is no problem {number}.", "no-problem")
    if is_withheld(work, stored):
        raise BadInput(_taken_up(stored), "no-problem")
    return stored


def _none(work: Work) -> str:
    """Return the sentences that say why there is no problem this week; empty if there is one."""
    newest = work.tx.problems.newest()
    if newest is None:
        return (
            "No problem this week; the first comes when a game of points that has ended here gives one. The "
            "server looks for one each week."
        )
    if not is_open(work, newest):
        return f"No problem this week. The last one, with its solution: problem {newest.number}"
    return _taken_up(newest) if is_withheld(work, newest) else ""


def _taken_up(stored: StoredProblem) -> str:
    return (
        f"The game of problem {stored.number} was taken up again. The problem can be seen once that game "
        "has ended."
    )


def is_open(work: Work, stored: StoredProblem) -> bool:
    """Return True if the week of a problem is not over, so that its solution is still a secret."""
    return stored.week >= week_of(work.now)


def is_withheld(work: Work, stored: StoredProblem) -> bool:
    """Return True while the game of a problem goes on again: the problem would help its players."""
    row = work.tx.boards.get(stored.board)
    return row is not None and bool(row.to_move)


def board_of(stored: StoredProblem) -> Match:
    """Return the position of a problem as a match whose players are called X and O; it has no number."""
    game = games.load(stored.game, stored.options)
    seats = tuple(reversed(PLAYERS)) if "swap" in stored.moves else PLAYERS
    match = begin(0, game, seats, 0.0, _TERMS)
    for move in stored.moves:
        match = match.after(match.to_move, move, 0.0)
    return match


# -- its letters


def letter_to(work: Work, stored: StoredProblem, user: User, weekly: bool = False) -> PlainLetter:
    """Return the letter that shows a problem to a player, with its solution if its week is over.

    ``weekly``: the letter comes unasked, and names a way to stop it.
    """
    heads = {"List-Unsubscribe": unsubscribe(work, "v", user)} if weekly else {}
    if is_open(work, stored):
        heads["Reply-To"] = _reply_to(work, stored, user)
    facts = shown(work, stored) | {"last": _last(work, stored, user.userid), "weekly": weekly}
    board = board_of(stored)
    letter = PlainLetter.to(user, "problem", facts, heads)
    return letter.showing(board, board.to_move if is_open(work, stored) else "")


def _reply_to(work: Work, stored: StoredProblem, user: User) -> str:
    return signed(work, "problem", user.userid, stored.number)


def shown(work: Work, stored: StoredProblem, judged: Judgement | None = None) -> dict[str, Any]:
    """Return the facts of a letter that shows a problem, or the judgement of an answer to it."""
    board = board_of(stored)
    over = not is_open(work, stored)
    return {
        "number": stored.number,
        "kind": _kind(board),
        "mover": board.to_move,
        "ends": _ends(board),
        "by": _names(work, stored) if over else "",  # the record of the game may show the solution
        "judged": judged.said if judged else "",
        "right": bool(judged and judged.right),
        "counts": "",
        "solution": _solution(stored) if over else "",
        "last": "",
        "weekly": False,
        "stranger": False,
    }


def _kind(match: Match) -> str:
    """Return the game and its options: ``Star, size 5``."""
    options = match.game.described().replace("=", " ").replace(" -", ", ").removeprefix("-")
    return ", ".join(filter(None, (match.game.title, options)))


def _ends(match: Match) -> str:
    """Return the points that the players can still have: ``X 10 to 20, O 9 to 19``."""
    return ", ".join(f"{p} {low} to {high}" for p in PLAYERS for low, high in [match.bounds.of(p)])


def _proof(match: Match) -> str:
    """Return a clause that says why a board is decided: the least lead, and the bounds."""
    bounds = match.bounds
    winner = bounds.decided
    assert winner is not None
    x, o = (bounds.worst if winner == "X" else bounds.best).points
    least = x - o if winner == "X" else o - x
    leads = f"leads by at least {least}" if least > 0 else "wins"
    return f"{winner} {leads} whatever follows ({_ends(match)})"


def _solution(stored: StoredProblem) -> str:
    before = board_of(stored)
    proof = _proof(before.after(before.to_move, stored.move, 0.0))
    played = {stored.move: "So it was played.", "": "The game ended there."}.get(
        stored.played, f"In the game {stored.played} was played."
    )
    return f"{stored.move} decides: {proof}. {played}"


def _last(work: Work, stored: StoredProblem, userid: str = "") -> str:
    """Return the solution of the problem before this one; empty if there is none."""
    last = work.tx.problems.newest(before=stored.number)
    if last is None or not is_open(work, stored) or is_withheld(work, last):
        return ""
    answers, right = work.tx.problems.counts(last.number)
    own = work.tx.problems.answer(last.number, userid) if userid else ""
    return " ".join(
        (
            f"Problem {last.number}: {_solution(last)}",
            *([f"{right} of {plural(answers, 'player')} saw it at once."] if answers else []),
            *([f"Your first answer was {own}."] if own else []),
        )
    )


def _names(work: Work, stored: StoredProblem) -> str:
    """Return the players of the game and its board, in words.

    Empty if a player may not be seen, or if the game was taken up again and went another way.
    """
    row = work.tx.boards.get(stored.board)
    record = work.tx.boards.record(stored.board)
    moves = [entry.move for entry in record if is_move(entry.number, entry.move)]
    if moves[: len(stored.moves)] != list(stored.moves):
        return ""
    users = [work.tx.accounts.user(userid) for userid in row.seats] if row else []
    if not users or not all(user and user.public and user.state != "closed" for user in users):
        return ""
    seats = [user.userid for user in users if user]
    x, o = reversed(seats) if "swap" in stored.moves else seats
    return f"{x} (X) and {o} (O), board {stored.board}"


# -- the answer


def read_answer(mail: Inbound, stored: StoredProblem) -> Reply:
    """Read a reply to a problem: an answer, a word for help, or commands."""
    reply = read_reply(mail.subject, mail.is_reply, mail.lines, type(board_of(stored).game))
    first = reply.commands[0]
    if not reply.bare or (isinstance(first, Command) and first.verb.name == "help"):
        return reply
    args = {"problem": stored.number, "answer": first}
    return Reply((Command(_ROW, None, args, _ROW.name),))


def judge(stored: StoredProblem, answer: Command | UsageError) -> Judgement:
    """Return the judgement of an answer. Raises nothing."""
    before = board_of(stored)
    if isinstance(answer, UsageError) or answer.verb.name != "move":
        return Judgement(_NO_ANSWER)
    try:
        move = before.game.read(answer["move"])
        if before.game.grid.index.get(move) is None:
            return Judgement(_NO_ANSWER)
        after = before.after(before.to_move, move, 0.0)
    except Refusal as error:
        return Judgement(str(error))
    if after.bounds.decided == before.to_move:
        return Judgement(f"{move} decides: {_proof(after)}.", True, move, after)
    rival = other(before.position.mover)
    said = f"After {move} {rival} is not beaten yet: still possible are {_ends(after)}."
    return Judgement(said, False, move, after)


def _answered(
    work: Work, stored: StoredProblem, user: User, answer: Command | UsageError
) -> PlainLetter:
    """Return the letter that judges a player's answer; the player's first answer is kept."""
    judged = judge(stored, answer)
    facts = shown(work, stored, judged)
    if judged.move:
        facts["counts"] = _count(work, stored, user.userid, judged)
    board = board_of(stored)
    heads = {} if judged.right else {"Reply-To": _reply_to(work, stored, user)}
    letter = PlainLetter.to(user, "problem", facts, heads)
    if judged.right and judged.after:
        return letter.showing(judged.after)
    return letter.showing(board, board.to_move)


def _count(work: Work, stored: StoredProblem, userid: str, judged: Judgement) -> str:
    """Keep a player's answer if it is the first, and return a sentence that says if it counts."""
    first = work.tx.problems.answer(stored.number, userid)
    if first:
        return f"Your first answer was {first}, and only that one counts for the list of solvers."
    kept = Solution(stored.number, userid, judged.move, int(judged.right), work.now)
    work.tx.problems.add_answer(kept)
    if judged.right:
        return "It was your first answer, so it counts for the list of solvers."
    return "You may try again, but only this first answer counts for the list of solvers."


def guest_letter(
    work: Work,
    address: str,
    mark: str,
    stored: StoredProblem,
    judged: Judgement | None = None,
) -> PlainLetter:
    """Return the letter that shows a problem to a reader without an account, or judges an answer."""
    right = judged is not None and judged.right
    heads = {"Reply-To": signed(work, "guess", mark, stored.number)}
    facts = shown(work, stored, judged) | {"last": _last(work, stored), "stranger": True}
    letter = PlainLetter("problem", "", address, facts, heads)
    board = judged.after if right and judged and judged.after else board_of(stored)
    return letter.showing(board, "" if right else board.to_move)
