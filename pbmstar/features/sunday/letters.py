"""The letter that says how everybody did in a Sunday game."""

from __future__ import annotations

from ... import games
from ...errors import Refusal, Said, say
from ...games.base import Game
from ...service.letters.headers import account_reply_to, unsubscribe
from ...service.letters.post import PlainLetter
from ...service.work.apply import load
from ...service.work.work import Work
from ...store import User
from .facts import SundayFacts, SundayLine
from .rows import Sunday, Sundays
from .rules import Finisher, Parting, parting, places

_LISTED = 10  # the best players, who are in the list of everybody's letter


def report(work: Work, sunday: Sunday, user: User) -> PlainLetter | None:
    """Return the letter about a Sunday game that is over to a player; None if nobody played."""
    found = places(work.tx.of(Sundays).results(sunday.number))
    if not found:
        return None
    own = next((each for each in found if each.userid == user.userid), None)
    best = next((each for each in found if each.userid != user.userid), None)
    parted = _parted(work, own, best) if own and best else None
    game = games.load(sunday.game, sunday.options)
    facts = SundayFacts(
        number=sunday.number,
        played=len(found),
        what=_kind(game),
        bot=sunday.bot,
        reader=user.userid,
        own=_own(own),
        other=_other(best),
        parted=_told(parted, best) if own and best else "",
        lines=[
            SundayLine(each.place, each.userid, result(each.margin))
            for at, each in enumerate(found)
            if at < _LISTED or each == own
        ],
    )
    heads = {
        "List-Unsubscribe": unsubscribe(work, "y", user),
        "Reply-To": account_reply_to(work, user),
    }
    letter = PlainLetter.to(user, facts, heads)
    return letter.showing(parted.board) if parted else letter


def _kind(game: Game) -> str:
    """Return the game and its options: ``Star, size 5``."""
    options = game.described().replace("=", " ").replace(" -", ", ").removeprefix("-")
    return ", ".join(filter(None, (game.title, options)))


def result(margin: int) -> Said:
    """Return a margin in words: ``won by 3``."""
    if margin == 0:
        return say("ended level")
    if margin > 0:
        return say("won by {points}", points=margin)
    return say("lost by {points}", points=-margin)


def _own(own: Finisher | None) -> Said:
    if own is None:
        return say("You did not play.")
    form = say("You ended level: place {place}.")
    if own.margin:
        form = say("You lost by {points}: place {place}.")
    if own.margin > 0:
        form = say("You won by {points}: place {place}.")
    return form.given(points=abs(own.margin), place=own.place)


def _other(best: Finisher | None) -> Said | str:
    return say("{userid} {result}.", userid=best.userid, result=result(best.margin)) if best else ""


def _parted(work: Work, own: Finisher, best: Finisher) -> Parting | None:
    """Return where two players parted; None if nowhere, or if a record is corrupt."""
    try:
        return parting(load(work, own.board), load(work, best.board))
    except Refusal:
        return None


def _told(parted: Parting | None, best: Finisher) -> Said:
    """Return the sentence on where the reader and another player parted."""
    userid = best.userid
    if parted is None:
        return say("You and {userid} made the same moves.", userid=userid)
    own, other = say("your game ended there"), say("{userid}'s game ended there", userid=userid)
    if parted.own:
        own = say("you {move}", move=parted.own)
    if parted.other:
        other = say("{userid} {move}", userid=userid, move=parted.other)
    return say(
        "Where you parted: move {number}, {own}, {other}.",
        number=parted.board.position.played + 1,
        own=own,
        other=other,
    )
