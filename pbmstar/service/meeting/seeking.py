"""The verbs about offers of games: to make, list, take or withdraw them."""

from __future__ import annotations

import json
from functools import partial

from ... import games
from ...command import Command, Sought
from ...contest.offers import AT_ONCE, Lobby, Objection, Offer
from ...errors import BadInput, Refusal
from ...games.base import Game
from ...match.terms import DAY
from ...store import User
from ..letters import digesting
from ..letters.post import tell_account
from ..proof import rations
from ..work.work import Work
from .accepting import accept, lines, mail, own_line, require_active
from .welcome import enter

_LISTED = 30  # offers of a letter
_NAMED = 5  # offers that are named in place of an offer that cannot be taken


def seek(work: Work, command: Command, user: User) -> None:
    """Offer a game to all players whom it fits. Raises Refusal."""
    assert command.game is not None
    sought: Sought = command["sought"]
    game = command.game(command["options"])
    work.tx.offers.lock(work.now)
    offer = make(
        work,
        user,
        Offer(
            0,
            user.userid,
            game.word,
            games.dump(game),
            json.dumps(command["terms"]),
            sought.seat,
            sought.low,
            sought.high,
            sought.within,
            sought.count,
            is_new=sought.is_new,
            made=work.now,
            until=work.now + sought.days * DAY if sought.count else None,
        ),
    )
    # A distance from a rating that is not known yet means nothing.
    provisional = enter(work, user).reader.rating(game.word).is_provisional
    facts = {"offer": own_line(offer), "ignored": sought.within is not None and provisional}
    mail(work, user, "offered", [f"unseek {offer.number}", "seeks"], facts)


def make(work: Work, user: User, offer: Offer) -> Offer:
    """Keep a new offer; return it with its number. Raises Refusal."""
    require_active(user)
    if offer.game in user.refuses.split():
        raise Refusal(
            f"You refuse games of {offer.game}. To take them again, send: accept userid password "
            f"{offer.game}",
            "own-refusal",
        )
    own = work.tx.offers.of(user.userid)
    if len(own) >= AT_ONCE:
        numbers = ", ".join(str(each.number) for each in own)
        raise Refusal(
            f"You have {AT_ONCE} open offers, {numbers}, which is the most. To withdraw one, send: "
            f"unseek {own[0].number} userid password",
            "too-many-offers",
        )
    return work.tx.offers.add(offer)


def seeks(work: Work, command: Command, reader: User) -> None:
    """Mail the offers that a player can take, and the player's own offers apart from them."""
    kind = games.find(command.args.get("game", ""))
    rations.ask(work, reader, ("seeks", kind), partial(_mail_seeks, work, reader, kind))


def _mail_seeks(work: Work, reader: User, kind: type[Game] | None) -> None:
    lobby = enter(work, reader)
    word = kind.word if kind else ""
    fitting = lobby.fitting(work.now, word)
    own = [
        offer
        for offer in lobby.open
        if offer.userid == reader.userid and offer.is_open(work.now) and word in ("", offer.game)
    ]
    shown = fitting[:_LISTED]
    facts = {
        "title": kind.title if kind else "",
        "offers": lines(shown, lobby),
        "more": len(fitting) - len(shown),
        "own": [own_line(offer) for offer in own],
    }
    words = [f"take {offer.number}" for offer in shown] or ["match"]
    mail(work, reader, "seeks", [*words, *(f"unseek {offer.number}" for offer in own)], facts)


def take(work: Work, command: Command, user: User) -> int:
    """Take an offer: begin its game, and return the board number. Raises Refusal."""
    require_active(user)
    work.tx.offers.lock(work.now)
    number = command["offer"]
    offer, lobby = work.tx.offers.get(number), enter(work, user)
    against = lobby.objection(offer, work.now) if offer else Objection.GONE
    if offer is None or against is not None:
        raise Refusal(_why_not(work, number, against, lobby), "offer-not-taken")
    return accept(work, offer, user, command.args.get("seat", ""))


def _why_not(work: Work, number: int, against: Objection | None, lobby: Lobby) -> str:
    assert against is not None
    left = [str(offer.number) for offer in lobby.fitting(work.now)[:_NAMED]]
    others = (
        f"You can take: {', '.join(left)}." if left else "Reply match, or offer a game yourself."
    )
    return f"Offer {number} {against.value}. {others}"


def unseek(work: Work, command: Command, user: User) -> None:
    """Withdraw all offers of a player, or one of them. Raises BadInput if there is none."""
    number = command.args.get("offer")
    own = [offer for offer in work.tx.offers.of(user.userid) if number in (None, offer.number)]
    if not own:
        there = f"You have no open offer {number}." if number else "You have no open offer."
        raise BadInput(f"{there} To make one, send: match userid password", "no-offer")
    work.tx.offers.withdraw(user.userid, [offer.number for offer in own], work.now)
    numbers = ", ".join(str(offer.number) for offer in own)
    mail(work, user, "withdrawn", ["seeks"], {"numbers": numbers, "count": len(own)})


def lobby(work: Work, command: Command, user: User) -> None:
    """Choose if a daily letter lists new offers for the player."""
    user = user._replace(lobby=int(command["on"]))
    work.tx.accounts.set_wishes(digesting.with_due(work, user))
    notice = (
        f"A letter a day, at {digesting.at(user)}, lists the offers of games that you can take, when "
        "there are new ones."
        if user.lobby
        else "Offers of games are no longer listed in a daily letter."
    )
    tell_account(work, user, notice, f"lobby {'off' if user.lobby else 'on'}, or seeks")
