"""What is told of commands that were refused, and to whom: never to a stranger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import Refusal
from ..match import Match
from . import play, proof
from .desk import Desk

DAY = 86400.0
_ANSWERS_A_DAY = 10  # to one address, about mails that prove nothing: two machines stop there


@dataclass(frozen=True)
class Refused:
    """One command that was not carried out: what was understood of it, why not, and the board."""

    understood: str
    reason: str
    match: Match | None = None
    wrong_userid: str | None = None  # whose password it was not


def refusal(understood: str, error: Refusal) -> Refused:
    match = error.match if isinstance(error, play.BoardRefusal) else None
    wrong = error.userid if isinstance(error, proof.NotYou) else None
    return Refused(understood, str(error), match, wrong)


def answer(desk: Desk, refused: list[Refused]) -> None:
    """Tell what was refused: to the player who has proved to be it, else to an account's address.

    The address that a mail says it is from is answered only if it is an account's; a wrong
    password for an account is told to that account otherwise, and a stranger nothing.
    """
    if desk.quiet:
        return
    user = desk.tx.user(desk.answering) if desk.answering else None
    proved = user is not None
    kind, most = "answers", _ANSWERS_A_DAY
    if user is None:
        at = desk.writers()
        user = at[0] if at else None
    if user is None:
        wrong = next((r.wrong_userid for r in refused if r.wrong_userid), None)
        user = desk.tx.user(wrong) if wrong else None
        refused = [r for r in refused if r.wrong_userid]
        kind, most = "guesses", 1  # it is somebody else who guesses
    if user is None or user.state != "active":
        return
    limited = desk.context.config.limits and not proved
    if limited and desk.tx.count(f"{kind} {user.address}", desk.now, DAY) > most:
        return
    match = next((r.match for r in refused if r.match), None)
    if match:  # a later command of the mail may have changed the board, or removed it
        row = desk.tx.board(match.number)
        match = desk.context.matches.match(desk.tx, row) if row else None
    facts: dict[str, Any] = {"refusals": refused, "match": match}
    if match is None:
        desk.post("error.txt", user.userid, user.address, facts)
    else:
        desk.post_board(
            match, to=(user.userid,), template="error.txt", answers=user.userid, extra=facts
        )
