"""A game's open ladder or league, who may be in it, and what may not be changed there."""

from __future__ import annotations

from ... import games
from ...errors import Refusal, say
from ...service.proof.strangers import mailboxes
from ...service.work.work import BoardRefusal, Speaker, Work
from ...store import Tx, User
from .rows import CLOSED, Contest, Contests

_WHAT = {
    "decline": "declined",
    "cancel": "ended without result",
    "extend": "given more time",
}
CHANGES_A_DAY = 10  # by one player, who joins, leaves or challenges on any ladder or league


def the_open(tx: Tx, kind: str, word: str) -> Contest:
    """Return the newest ladder or season of a game that is not closed. Raises Refusal if there is none."""
    newest = tx.of(Contests).newest(kind, word)
    if not newest or newest[0].state == CLOSED:
        there = sorted({each.game for each in tx.of(Contests).all(alive=True) if each.kind == kind})
        known = f"There is one of {', '.join(there)}." if there else "No other game has one either."
        game = games.find(word)
        title = f" of {game.title}" if game else ""
        raise Refusal(
            say(
                "There is no {kind}{title} on this server. {known}",
                kind=kind,
                title=title,
                known=known,
            ),
            "no-contest",
        )
    return newest[0]


def count_change(work: Work, user: User) -> None:
    """Count a change that a player asks for. Raises Refusal if it is one too many for a day."""
    if work.exceeds(CHANGES_A_DAY, f"contests {user.userid}"):
        raise Refusal(
            say(
                "You may join, leave and challenge {changes_a_day} times a day in all.",
                changes_a_day=CHANGES_A_DAY,
            ),
            "too-many-contests",
        )


def require_alone(work: Work, contest: Contest, user: User) -> None:
    """Raise Refusal if another account at an address of the player is in a contest."""
    own = mailboxes(work.tx, user)
    for entry in work.tx.of(Contests).entries(contest.id):
        other = work.tx.accounts.user(entry.userid)
        if other is not None and not own.isdisjoint(mailboxes(work.tx, other)):
            raise Refusal(
                say("Another account at your address is in this {kind}.", kind=contest.kind),
                "same-mailbox",
            )


def refuse_change(speaker: Speaker, act: str, kind: str, ways_out: str) -> None:
    """Refuse all that would change the terms of one game of a season; ``ways_out``: what a player may do."""
    if act == "counter":
        raise BoardRefusal(
            say("You cannot change the terms of a {kind} game.", kind=kind),
            "contest-game",
            speaker.match,
        )
    raise Refusal(
        say(
            "A game of a {kind} cannot be {what}. {ways_out}",
            kind=kind,
            what=_WHAT[act],
            ways_out=ways_out,
        ),
        f"{kind}-game",
    )
