"""The verbs about offers of games: to make, list, take or withdraw them; and their words in letters."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from ... import games
from ...command import Command
from ...errors import NOTHING, BadInput, Refusal, Sentence, say, together
from ...games.base import Game
from ...grammar.seeking import Sought
from ...machine.times import DAY, Epoch
from ...match.dates import date_of
from ...match.happenings import OfferTaken
from ...match.terms import Terms, spelled
from ...matchmaking.offers import AT_ONCE, Lobby, Objection, Offer
from ...matchmaking.rows import Offers
from ...ratings.rated_games import strengths
from ...render.board.opening import kind
from ...render.facts import (
    OfferedFacts,
    OfferFacts,
    OfferLine,
    OffersPart,
    OwnOffer,
    SeeksFacts,
    WithdrawnFacts,
)
from ...store import User
from ..letters import digests
from ..letters.post import send, tell_account
from ..proof import limits
from ..work.letter import PlainLetter
from ..work.work import Work
from . import beginning
from .beginning import agreed_on, start

_LISTED = 30  # offers of a letter
_IN_A_LETTER = 10  # the most offers in a daily letter
_NAMED = 5  # offers that are named in a letter about another one


def seek(work: Work, command: Command, user: User) -> int | None:
    """Offer a game to all players whom it fits. Raises Refusal.

    Those who wait for such a game get it at once; return the board number of the last game begun so, or
    None.
    """
    assert command.game is not None
    sought: Sought = command["sought"]
    game = command.game(command["options"])
    work.tx.of(Offers).lock(work.now)
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
    lobby = enter(work, user)
    offer, board = _give(work, lobby, offer, user)
    if offer.left != 0:
        # A distance from a rating that is not known yet means nothing.
        provisional = lobby.reader.strength(game.word).is_provisional
        ignored = sought.within is not None and provisional
        others = others_waiting(work, user)
        words = [*(f"take {each.number}" for each in others), f"unseek {offer.number}", "seeks"]
        mail(work, user, OfferedFacts(words, own_line(offer), ignored, others))
    return board


def _give(work: Work, lobby: Lobby, offer: Offer, user: User) -> tuple[Offer, int | None]:
    """Begin the games of a new offer with players who wait for one; return what is left, and a board number.

    The board is the last one, or None.
    """
    board = None
    for wish in lobby.waiting(offer, work.now, usual_terms(work)):
        if offer.left == 0:
            break
        with suppress(Refusal):
            board = accept(work, wish, user)
            offer = with_one_begun(work, offer)
    return offer, board


def with_one_begun(work: Work, offer: Offer) -> Offer:
    """Keep that an offer has begun one more game, and return it."""
    begun = replace(offer, begun=offer.begun + 1)
    if begun.left == 0:
        begun = replace(begun, closed=work.now, why="taken")
    work.tx.of(Offers).set(begun)
    return begun


def make(work: Work, user: User, offer: Offer) -> Offer:
    """Keep a new offer; return it with its number. Raises Refusal."""
    require_active(user)
    if offer.game in user.refuses.split():
        raise Refusal(
            say(
                "You've turned off challenges for {game}, so you can't offer it. To turn them "
                "back on, reply: {command}",
                game=offer.game,
                command=f"accept {offer.game}",
            ),
            "own-refusal",
        )
    own = work.tx.of(Offers).of(user.userid)
    if len(own) >= AT_ONCE:
        numbers = ", ".join(str(each.number) for each in own)
        raise Refusal(
            say(
                "You already have {most} open offers: {numbers}. To withdraw one, reply: {command}",
                most=AT_ONCE,
                numbers=numbers,
                command=f"unseek {own[0].number}",
            ),
            "too-many-offers",
        )
    return work.tx.of(Offers).add(offer)


def seeks(work: Work, command: Command, reader: User) -> None:
    """Mail the offers that a player can take, and the player's own offers apart from them."""
    game = games.find(command.args.get("game", ""))
    limits.ask_for(work, reader, ("seeks", game), partial(_mail_seeks, work, reader, game))


def _mail_seeks(work: Work, reader: User, game: type[Game] | None) -> None:
    lobby = enter(work, reader)
    word = game.word if game else ""
    fitting = lobby.fitting(work.now, word)
    own = [
        offer
        for offer in lobby.open
        if offer.userid == reader.userid and offer.is_open(work.now) and word in ("", offer.game)
    ]
    shown = fitting[:_LISTED]
    words = [f"take {offer.number}" for offer in shown] or ["match"]
    facts = SeeksFacts(
        [*words, *(f"unseek {offer.number}" for offer in own)],
        title=game.title if game else "",
        offers=lines(shown, lobby),
        more=len(fitting) - len(shown),
        own=[own_line(offer) for offer in own],
    )
    mail(work, reader, facts)


def take(work: Work, command: Command, user: User) -> int:
    """Take an offer: begin its game, and return the board number. Raises Refusal."""
    require_active(user)
    rows, number = work.tx.of(Offers), command["offer"]
    rows.lock(work.now)
    offer, lobby = rows.get(number), enter(work, user)
    if offer:
        against = lobby.objection(offer, work.now)
    else:  # old offers aren't kept
        against = Objection.GONE if number < rows.newest() else Objection.UNKNOWN
    if offer is None or against is not None:
        raise Refusal(_why_not(work, number, against, lobby), "offer-not-taken")
    return accept(work, offer, user, command.args.get("seat", ""))


def _why_not(work: Work, number: int, against: Objection | None, lobby: Lobby) -> Sentence:
    assert against is not None
    left = [str(offer.number) for offer in lobby.fitting(work.now)[:_NAMED]]
    others = (
        say("Offers you can take: {numbers}.", numbers=", ".join(left))
        if left
        else say("Offer a game yourself, or reply: match")
    )
    return together(against.said(number), others)


def unseek(work: Work, command: Command, user: User) -> None:
    """Withdraw all offers of a player, or one of them. Raises BadInput if there is none."""
    number = command.args.get("offer")
    own = [offer for offer in work.tx.of(Offers).of(user.userid) if number in (None, offer.number)]
    if not own:
        there = (
            say("You don't have an open offer {number}.", number=number)
            if number
            else say("You don't have any open offers.")
        )
        raise BadInput(together(there, say("To make one, reply: match")), "no-offer")
    work.tx.of(Offers).withdraw(user.userid, [offer.number for offer in own], work.now)
    numbers = ", ".join(str(offer.number) for offer in own)
    mail(work, user, WithdrawnFacts(["seeks"], numbers, len(own)))


def lobby(work: Work, command: Command, user: User) -> None:
    """Choose if a daily letter lists new offers for the player."""
    user = user._replace(lobby=int(command["on"]))
    work.tx.accounts.set_wishes(digests.with_due(work, user))
    notice = (
        say(
            "You'll get a letter each day at {time} if there are new offers you can take.",
            time=digests.at(user),
        )
        if user.lobby
        else say("You won't get the daily letter with new offers any more.")
    )
    tell_account(
        work,
        user,
        say("offers"),
        notice,
        (f"letters lobby {'off' if user.lobby else 'on'}", "seeks"),
    )


def daily(work: Work, user: User, last: Epoch) -> tuple[OffersPart | None, bool]:
    """Return the offers that a player can take for a daily letter, and if one is news; None if unwanted.

    ``last``: the time of the last such letter.
    """
    if not user.lobby:
        return None, False
    lobby = enter(work, user)
    fitting = lobby.fitting(work.now)
    is_news = any(offer.made > last for offer in fitting)
    return OffersPart(lines(fitting[:_IN_A_LETTER], lobby)), is_news


# -- what a player can take


def enter(work: Work, user: User) -> Lobby:
    """Return the open offers of games as a player sees them now."""
    offers, owners = work.tx.of(Offers), {}
    blocking, offering = offers.blocking(user.userid), offers.owners()
    userids = [user.userid, *(owner.userid for owner, _ in offering)]
    strong = strengths(work.tx, work.now, userids)
    for owner, running in offering:
        blocks = frozenset((user.userid,)) if owner.userid in blocking else frozenset[str]()
        known = beginning.party_of(work, owner, running, blocks)
        owners[owner.userid] = replace(known, strengths=strong.get(owner.userid, {}))
    reader = replace(beginning.party(work, user), strengths=strong.get(user.userid, {}))
    return Lobby(reader, offers.open(), owners, offers.met(user.userid))


# -- a taken offer, and offers in letters


def accept(work: Work, offer: Offer, taker: User, seat: str = "") -> int:
    """Begin the game of an offer that fits its taker; return its board number.

    seat  the seat that the taker wants; empty for either
    Raises Refusal; then nothing has changed. The caller has locked the offers.
    """
    owner = work.account(offer.userid)
    if seat and seat == offer.seat:
        raise Refusal(Objection.SEAT.said(offer.number), "offer-seat")
    game = games.load(offer.game, offer.options)
    beginning.require_consent(work, taker, [owner, taker], game, is_proved=True)
    first = seat or {"X": "O", "O": "X"}.get(offer.seat) or "XO"[work.random(1)[0] & 1]
    seats = (taker.userid, owner.userid) if first == "X" else (owner.userid, taker.userid)
    agreed = agreed_on(work, seats, json.loads(offer.terms))
    because = OfferTaken(taker.userid, offer.number)
    with work.tx.savepoint():  # a search for an opponent goes on after a refusal
        with_one_begun(work, offer)
        return start(work, game, seats, taker.userid, because, agreed=agreed, is_proved=True)


def require_active(user: User) -> None:
    """Raise Refusal if letters do not reach a player: nobody should wait for such a player."""
    if user.state != "active":
        raise Refusal(say("Please confirm your address first."), "suspended")


def usual_terms(work: Work) -> Terms:
    """Return the terms of a game for which nobody chooses any."""
    return Terms(time=work.context.time)


def others_waiting(work: Work, user: User) -> list[OfferLine]:
    """Return the first offers that a player can take, for a letter to somebody who waits."""
    lobby = enter(work, user)
    return lines(lobby.fitting(work.now)[:_NAMED], lobby)


def described(offer: Offer) -> str:
    """Return an offer as one line: the game, its size and options, and terms as a challenge spells them.

    It is the game that begins if the offer is taken.
    """
    return ", ".join((kind(games.load(offer.game, offer.options)), *_spelled_terms(offer)))


def _spelled_terms(offer: Offer) -> list[str]:
    return [spelled(*each) for each in json.loads(offer.terms).items()]


def _of_own(offer: Offer) -> Sentence | str:
    """Return an offer as one line for its owner, who may be paired on a board of another size."""
    game = games.load(offer.game, offer.options)
    if not offer.is_match or not game.scale or game.scale in game.values:
        return described(offer)
    of_any_size = say("{game} (or another size)", game=kind(game))
    return together(of_any_size, *_spelled_terms(offer), by=", ")


def lines(offers: Iterable[Offer], lobby: Lobby) -> list[OfferLine]:
    """Return other players' offers for a letter."""
    return [
        OfferLine(
            number=offer.number,
            what=described(offer),
            by=offer.userid,
            rating=str(lobby.owners[offer.userid].strength(offer.game)),
            seat={"X": "O", "O": "X"}.get(offer.seat, ""),
            wanted=offer.left or 0,
            until=date_of(offer.until) if offer.until is not None else "",
        )
        for offer in offers
    ]


def own_line(offer: Offer) -> OwnOffer:
    """Return an offer for a letter to its owner."""
    to: list[Sentence] = []
    if offer.low is not None:
        to.append(say("with ratings from {low} to {high}", low=offer.low, high=offer.high or 0))
    if offer.within is not None:
        to.append(say("with a rating within {points} of yours", points=offer.within))
    if offer.is_new:
        to.append(say("that you haven't played yet"))
    return OwnOffer(
        number=offer.number,
        what=_of_own(offer),
        seat=offer.seat,
        to=together(tuple(to)) if to else NOTHING,
        wanted=offer.left or 0,
        until=date_of(offer.until) if offer.until is not None else "",
    )


def mail(work: Work, user: User, facts: OfferFacts) -> None:
    """Mail a letter about offers that the player can reply to."""
    if user.state == "active":
        send(work, PlainLetter.with_buttons(work, user, facts))
