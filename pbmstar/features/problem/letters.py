"""The letters that show a problem, and the judgement of an answer, which needs nothing but its board."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ... import games, identity
from ...command import Command, Reply, named, read_reply
from ...errors import NOTHING, BadInput, Refusal, Sentence, UsageError, say, say_many, together
from ...games.base import PLAYERS, other
from ...identity import Purpose
from ...inbound import Inbound
from ...match import Match, Terms, begin, is_move
from ...match.terms import NONE
from ...render.board.opening import kind
from ...service.work.letter import PlainLetter, signed, unsubscribe
from ...service.work.work import Work
from ...store import User
from .facts import ProblemFacts
from .rows import OwnProblem, Problems, Solution, StoredProblem
from .rules import week_of

_ROW = named(None)["problem"]
_TERMS = Terms(time=NONE)
_NO_ANSWER = say("I couldn't find a cell on the first line of your reply.")


# -- which problem


def problem_named(work: Work, number: int | None = None) -> StoredProblem:
    """Return the problem of that number, or of this week. Raises BadInput if there is none to be shown."""
    if number is None and (why := why_none(work)):
        raise BadInput(why, "no-problem")
    stored = work.tx.of(Problems).newest() if number is None else work.tx.of(Problems).get(number)
    if stored is None:
        raise BadInput(say("There's no problem {number}.", number=number or 0), "no-problem")
    if is_withheld(work, stored):
        raise BadInput(_taken_up(stored), "no-problem")
    return stored


def why_none(work: Work) -> Sentence | None:
    """Return the sentences that say why there is no problem this week; None if there is one."""
    newest = work.tx.of(Problems).newest()
    if newest is None:
        return say(
            "There's no problem this week, because no finished game had a position with exactly "
            "one winning move."
        )
    if not is_open(work, newest):
        command = f"problem {newest.number}"
        return say(
            "There's no problem this week. To see the last one with its solution, reply: {command}",
            command=command,
        )
    return _taken_up(newest) if is_withheld(work, newest) else None


def _taken_up(stored: StoredProblem) -> Sentence:
    return say(
        "Problem {number} comes from a game that was reopened. You can see the problem once that "
        "game is over again.",
        number=stored.number,
    )


def is_open(work: Work, stored: StoredProblem) -> bool:
    """Return True if the week of a problem is not over, so that its solution is still a secret."""
    return stored.week >= week_of(work.now)


def is_withheld(work: Work, stored: StoredProblem) -> bool:
    """Return True while the game of a problem goes on again: the problem would help its players."""
    row = work.tx.boards.get(stored.board)
    return row is not None and bool(row.to_move)


# -- its letters


def letter_to(work: Work, stored: StoredProblem, user: User, weekly: bool = False) -> PlainLetter:
    """Return the letter that shows a problem to a player, with its solution if its week is over.

    ``weekly``: the letter comes unasked, and names a way to stop it.
    """
    heads = {"List-Unsubscribe": unsubscribe(work, Purpose.STOP_PROBLEM, user)} if weekly else {}
    if is_open(work, stored):
        heads["Reply-To"] = _reply_to(work, stored, user)
    last = _last(work, stored, user.userid)
    facts = replace(shown(work, stored), last=last, weekly=weekly)
    board = board_of(stored)
    letter = PlainLetter.to(user, facts, heads)
    return letter.showing(board, board.to_move if is_open(work, stored) else "")


def _reply_to(work: Work, stored: StoredProblem, user: User) -> str:
    return signed(work, "problem", user.userid, stored.number)


def shown(work: Work, stored: StoredProblem, judged: Judgement | None = None) -> ProblemFacts:
    """Return the facts of a letter that shows a problem, or the judgement of an answer to it."""
    board = board_of(stored)
    over = not is_open(work, stored)
    return ProblemFacts(
        number=stored.number,
        kind=kind(board.game),
        mover=board.to_move,
        ends=ends(board),
        by=_names(work, stored)
        if over
        else NOTHING,  # the record of the game may show the solution
        judged=judged.said if judged else NOTHING,
        right=bool(judged and judged.right),
        solution=_solution(stored) if over else NOTHING,
    )


def _solution(stored: StoredProblem) -> Sentence:
    before = board_of(stored)
    proved = proof(before.after(before.to_move, stored.move, 0.0))
    if stored.played == stored.move:
        played = say("That's what was played in the game.")
    elif stored.played:
        played = say("In the game, {move} was played instead.", move=stored.played)
    else:
        played = say("The game ended before anyone could play that move.")
    return together(
        say("{move} decides the game: {proof}.", move=stored.move, proof=proved), played
    )


def _last(work: Work, stored: StoredProblem, userid: str = "") -> Sentence:
    """Return the solution of the problem before this one; empty if there is none."""
    last = work.tx.of(Problems).newest(before=stored.number)
    if last is None or not is_open(work, stored) or is_withheld(work, last):
        return NOTHING
    answers, right = work.tx.of(Problems).counts(last.number)
    own = work.tx.of(Problems).answer(last.number, userid) if userid else ""
    saw = say_many(
        "{right} of {count} player solved it on the first try.",
        "{right} of {count} players solved it on the first try.",
        answers,
        right=right,
    )
    return together(
        say("Problem {number}: {solution}", number=last.number, solution=_solution(last)),
        saw if answers else None,
        say("Your first answer was {move}.", move=own) if own else None,
    )


def _names(work: Work, stored: StoredProblem) -> Sentence:
    """Return the players of the game and its board, in words.

    Empty if a player may not be seen, or if the game was taken up again and went another way.
    """
    row = work.tx.boards.get(stored.board)
    record = work.tx.boards.record(stored.board)
    moves = [entry.move for entry in record if is_move(entry.number, entry.move)]
    if moves[: len(stored.moves)] != list(stored.moves):
        return NOTHING
    users = [work.tx.accounts.user(userid) for userid in row.seats] if row else []
    if not users or not all(user and user.public and user.state != "closed" for user in users):
        return NOTHING
    seats = [user.userid for user in users if user]
    x, o = reversed(seats) if "swap" in stored.moves else seats
    return say("{x} (X) and {o} (O), board {number}", x=x, o=o, number=stored.board)


# -- the answer


def answered(
    work: Work, stored: StoredProblem, user: User, answer: Command | UsageError
) -> PlainLetter:
    """Return the letter that judges a player's answer; the player's first answer is kept."""
    judged = judge(stored, answer)
    facts = shown(work, stored, judged)
    if judged.move:
        facts = replace(facts, counts=_count(work, stored, user.userid, judged))
    board = board_of(stored)
    heads = {} if judged.right else {"Reply-To": _reply_to(work, stored, user)}
    letter = PlainLetter.to(user, facts, heads)
    if judged.right and judged.after:
        return letter.showing(judged.after)
    return letter.showing(board, board.to_move)


def _count(work: Work, stored: StoredProblem, userid: str, judged: Judgement) -> Sentence:
    """Keep a player's answer if it is the first, and return a sentence that says if it counts."""
    first = work.tx.of(Problems).answer(stored.number, userid)
    if first:
        return say(
            "Only your first answer ({move}) counts for the list of solvers.",
            move=first,
        )
    kept = Solution(stored.number, userid, judged.move, int(judged.right), work.now)
    work.tx.of(Problems).add_answer(kept)
    if judged.right:
        return say("That was your first answer, so it counts for the list of solvers.")
    return say("You can try again, but only your first answer counts for the list of solvers.")


# -- a problem from a game of the player's own


def own_letter(work: Work, own: OwnProblem, user: User, newest: StoredProblem) -> PlainLetter:
    """Return the letter that asks a player what was better in a game of the player's own.

    It comes in place of the problem of the week, ``newest``.
    """
    heads = {
        "List-Unsubscribe": unsubscribe(work, Purpose.STOP_PROBLEM, user),
        "Reply-To": signed(work, "own", user.userid, own.number),
    }
    facts = replace(_own_facts(work, own), last=_last(work, newest, user.userid), weekly=True)
    board = board_of(own.stored)
    return PlainLetter.to(user, facts, heads).showing(board, board.to_move)


def answered_own(
    work: Work, own: OwnProblem, user: User, answer: Command | UsageError
) -> PlainLetter:
    """Return the letter that judges a player's answer to a problem of the player's own."""
    judged = judge(own.stored, answer)
    facts = _own_facts(work, own, judged)
    board = board_of(own.stored)
    heads = {} if judged.right else {"Reply-To": signed(work, "own", user.userid, own.number)}
    letter = PlainLetter.to(user, facts, heads)
    if judged.right and judged.after:
        return letter.showing(judged.after)
    return letter.showing(board, board.to_move)


def _own_facts(work: Work, own: OwnProblem, judged: Judgement | None = None) -> ProblemFacts:
    board = board_of(own.stored)
    rival = _rival(work, own)
    asked = (
        say(
            "In your game against {userid}, you played {move} here. What would have been better?",
            userid=rival,
            move=own.stored.played,
        )
        if rival
        else say(
            "In one of your games, you played {move} here. What would have been better?",
            move=own.stored.played,
        )
    )
    return ProblemFacts(
        number=0,
        kind=kind(board.game),
        mover=board.to_move,
        ends=ends(board),
        by=NOTHING,
        judged=judged.said if judged else NOTHING,
        right=bool(judged and judged.right),
        solution=NOTHING,
        own=asked,
        of_board=own.stored.board,
    )


def _rival(work: Work, own: OwnProblem) -> str:
    """Return the opponent, if everybody may see the opponent's games and this one; otherwise nothing."""
    row = work.tx.boards.get(own.stored.board)
    others = [each for each in row.seats if each != own.userid] if row else []
    if row is None or row.agreed.private or len(others) != 1:
        return ""
    rival = work.tx.accounts.user(others[0])
    is_open = rival is not None and rival.state != "closed" and (rival.public or rival.is_program)
    return others[0] if is_open else ""


def guest_letter(
    work: Work, stored: StoredProblem, judged: Judgement | None, address: str
) -> PlainLetter:
    """Return the letter that shows a problem to a reader without an account, or judges an answer."""
    right = judged is not None and judged.right
    heads = {"Reply-To": signed(work, "guess", identity.reader_mark(address), stored.number)}
    facts = replace(shown(work, stored, judged), last=_last(work, stored), stranger=True)
    letter = PlainLetter(facts, "", address, heads)
    board = judged.after if right and judged and judged.after else board_of(stored)
    return letter.showing(board, "" if right else board.to_move)


class Judgement(NamedTuple):
    """A judgement of an answer: a sentence, True if the move decides, the move, and the board after it.

    move   the cell; empty if the answer was not a possible move
    after  the board with that move; None if there is no move
    """

    said: Sentence
    right: bool = False
    move: str = ""
    after: Match | None = None


def board_of(stored: StoredProblem) -> Match:
    """Return the position of a problem as a match whose players are called X and O; it has no number."""
    game = games.load(stored.game, stored.options)
    seats = tuple(reversed(PLAYERS)) if "swap" in stored.moves else PLAYERS
    match = begin(0, game, seats, 0.0, _TERMS)
    for move in stored.moves:
        match = match.after(match.to_move, move, 0.0)
    return match


def read_answer(mail: Inbound, stored: StoredProblem, own: int = 0) -> Reply:
    """Read a reply to a problem: an answer, a word for help, or commands.

    own  the number of a problem of the player's own; 0 for a problem of the week
    """
    reply = read_reply(mail.subject, mail.is_reply, mail.lines, type(board_of(stored).game))
    first = reply.commands[0]
    if not reply.bare or (isinstance(first, Command) and first.verb.name == "help"):
        return reply
    args = {"own": own, "answer": first} if own else {"problem": stored.number, "answer": first}
    return Reply((Command(_ROW, None, args, _ROW.name),), is_talk=reply.is_talk)


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
        return Judgement(error.told)
    if after.bounds.decided == before.to_move:
        said = say("{move} decides the game: {proof}.", move=move, proof=proof(after))
        return Judgement(said, True, move, after)
    said = say(
        "After {move}, {rival} still has a chance. Scores still possible: {scores}.",
        move=move,
        rival=other(before.position.mover),
        scores=ends(after),
    )
    return Judgement(said, False, move, after)


def ends(match: Match) -> Sentence:
    """Return the points that the players can still have: ``X 10 to 20, O 9 to 19``."""
    return together(
        *(
            say("{who} {low} to {high}", who=player, low=low, high=high)
            for player in PLAYERS
            for low, high in [match.bounds.of(player)]
        ),
        by=", ",
    )


def proof(match: Match) -> Sentence:
    """Return a clause that says why a board is decided: the least lead, and the bounds."""
    bounds = match.bounds
    winner = bounds.decided
    assert winner is not None
    x, o = (bounds.worst if winner == "X" else bounds.best).points
    least = x - o if winner == "X" else o - x
    form = say("{winner} wins no matter what ({scores})")
    if least > 0:
        form = say("{winner} wins by at least {points} no matter what ({scores})")
    return form.given(winner=winner, points=least, scores=ends(match))
