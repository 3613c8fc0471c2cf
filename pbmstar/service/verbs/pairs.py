"""Pair two players who wait for an opponent; offer a bot to a player who waits alone."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ... import games
from ...command import Command
from ...errors import Refusal, say
from ...games.base import Game
from ...games.hexagon.star import Star
from ...machine.times import DAY
from ...match import BOTS
from ...matchmaking.offers import ALONE, MATCH_DAYS, STANDING, Offer, agreed
from ...matchmaking.rows import Offers
from ...ratings.rated_games import rival
from ...render.facts import AloneFacts, WaitingFacts
from ...store import Store, User
from ..work.bots import opponents
from ..work.context import Context, in_steps
from ..work.work import Work
from . import beginning
from .beginning import agreed_on, start
from .offers import (
    accept,
    described,
    enter,
    mail,
    make,
    others_waiting,
    own_line,
    require_active,
    usual_terms,
    with_one_begun,
)

_TOGETHER = 20  # offers that are tidied up in one transaction


def match(work: Work, command: Command, user: User) -> int | None:
    """Take the offer that fits best, and return the board number of its game. Raises Refusal.

    If no offer fits, make one for others and return None.
    """
    require_active(user)
    kind = command.args.get("kind") or command.game or Star
    game = kind(command.args.get("options", {}))
    wish = Offer(
        0,
        user.userid,
        game.word,
        json.dumps(_named(game)),
        json.dumps(command.args.get("terms", {})),
        is_match=True,
        made=work.now,
        until=work.now + MATCH_DAYS * DAY,
    )
    work.tx.of(Offers).lock(work.now)
    lobby = enter(work, user)
    usual = usual_terms(work)
    fitting = (agreed(wish, offer, usual) for offer in lobby.fitting(work.now, game.word))
    for offer in lobby.by_nearness(filter(None, fitting), work.now):
        with suppress(Refusal):
            return accept(work, offer, user)
    _wait(work, user, wish)
    return None


def pair(work: Work) -> bool:
    """Begin a game of a player who waits and can take an offer now; return True if one has begun.

    Leave may have ended since, an offer or a block been withdrawn, or a limit raised.
    """
    offers = work.tx.of(Offers)
    offers.lock(work.now)
    every, usual = offers.open(), usual_terms(work)
    for wish in (each for each in every if each.is_match and each.is_open(work.now)):
        if all(each.userid == wish.userid for each in every if each.game == wish.game):
            continue
        user = work.account(wish.userid)
        lobby = enter(work, user)
        reader = lobby.reader
        is_full = reader.most is not None and reader.running >= reader.most
        if user.state != "active" or reader.away or is_full:
            continue
        fitting = (agreed(wish, each, usual) for each in lobby.fitting(work.now, wish.game))
        for offer in lobby.by_nearness(filter(None, fitting), work.now):
            with suppress(Refusal):
                accept(work, offer, user)
                with_one_begun(work, wish)
                return True
    return False


def pair_again(work: Work) -> None:
    """Begin the games of all who wait and can play each other now, after a player has changed a wish.

    What the player has written, and the letter that it answers, have nothing to do with these games.
    """
    if len(work.tx.of(Offers).open()) > 1:
        by_itself = Work(work.context, work.tx, work.now, report=work.report)
        while pair(by_itself):
            pass


def _named(game: Game) -> dict[str, Any]:
    """Return the options that a player has named, usual ones too; the other player may choose the rest."""
    named = (each for each in game.options if each.name in game.values)
    return {each.name: game.value(each.name) if each.range else True for each in named}


def _wait(work: Work, user: User, wish: Offer) -> None:
    """Make an offer of a player's wish to be paired, unless the player waits for such a game already."""
    same = (wish.game, wish.options, wish.terms)
    own = [offer for offer in work.tx.of(Offers).of(user.userid) if offer.is_open(work.now)]
    waiting = [each for each in own if (each.game, each.options, each.terms) == same]
    offer = waiting[0] if waiting else make(work, user, wish)
    bot = nearest_program(work, user.userid, offer)
    others = others_waiting(work, user)
    words = [*(["bot"] if bot else []), *(f"take {each.number}" for each in others)]
    words += [f"unseek {offer.number}", "seeks"]
    facts = WaitingFacts(words, own_line(offer), bot, not waiting, others)
    mail(work, user, facts)


def bot(work: Work, command: Command, user: User) -> int:
    """Begin the game that a player offers with a bot; return its board number.

    If the player offers none, it is a game of Star. Raises Refusal.
    """
    number = command.args.get("offer")
    own = [each for each in work.tx.of(Offers).of(user.userid) if number in (None, each.number)]
    if number and not own:
        raise Refusal(say("You don't have an open offer {number}.", number=number), "no-offer")
    offer = own[-1] if own else Offer(0, user.userid, Star.word, games.dump(Star({})))
    userid = nearest_program(work, user.userid, offer)
    player = work.tx.accounts.user(userid) if userid else None
    if player is None:
        raise Refusal(
            say("None of this server's bots play {game}.", game=described(offer)), "no-bot"
        )
    game = games.load(offer.game, offer.options)
    beginning.require_consent(work, user, [user, player], game, is_proved=True)
    seats = (userid, user.userid) if offer.seat == "O" else (user.userid, userid)
    chosen = agreed_on(work, seats, json.loads(offer.terms))
    return start(work, game, seats, user.userid, agreed=chosen, is_proved=True)


def nearest_program(work: Work, userid: str, offer: Offer) -> str:
    """Return the program that is nearest to a player in a game; empty if none plays it.

    A player of whom nothing is known gets the weakest.
    """
    every = BOTS
    equal = rival(work.tx, userid, offer.game)
    place = every.index(equal) if equal else 0
    able = opponents(work, games.load(offer.game, offer.options))
    return min(able, key=lambda each: abs(every.index(each) - place), default="")


def tidy(work: Work) -> bool:
    """End offers whose time is over, and mail players who have waited alone for a day.

    Return True if there may be more to do.
    """
    work.tx.of(Offers).lock(work.now)
    due = work.tx.of(Offers).due(work.now, work.now - ALONE, work.now - STANDING, _TOGETHER)
    for offer in due:
        owner = work.account(offer.userid)
        is_over = offer.until is None or offer.until <= work.now
        asked = replace(offer, asked=work.now)
        work.tx.of(Offers).set(replace(asked, closed=work.now, why="ended") if is_over else asked)
        nearest = "" if is_over else nearest_program(work, owner.userid, offer)
        others = others_waiting(work, owner)
        words = [
            *(["bot"] if nearest else []),
            *(f"take {each.number}" for each in others),
            *(["match"] if is_over else [f"unseek {offer.number}"]),
            "seeks",
        ]
        if is_over or nearest or others:
            mail(work, owner, AloneFacts(words, own_line(offer), nearest, is_over, others))
    return len(due) == _TOGETHER


def due(context: Context, store: Store) -> None:
    """Pair those who wait, end offers whose time is over, tell those who wait alone, delete old rows."""
    now = context.clock()
    in_steps(store, lambda tx: pair(Work(context, tx, now)))
    in_steps(store, lambda tx: tidy(Work(context, tx, now)))
    with store.transaction() as tx:
        tx.of(Offers).prune(now - context.config.keep_rows * DAY)
