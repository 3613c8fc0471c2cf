"""The answers of the window to the questions of core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...errors import say, say_many, together
from ...match.happenings import Left
from ...service.letters.post import BoardLetter
from ...service.proof import strangers
from ...service.work.work import Work
from ...store import User
from ..feature import Feature
from ..offers.rules import Offer
from ..offers.verbs import described
from ..values import Below
from .rows import Waiting, Window

_MOST = 3  # boards that are named, and players


class WindowFeature(Feature):
    """The window: it shows a player who has moved what else waits."""

    name = "window"
    title = "windows"
    needs = ("offers",)

    def below(self, work: Work, letter: BoardLetter, user: User, reader: str) -> tuple[Below, ...]:
        """Return the player's other boards that wait, and who waits for a game, if another is to move.

        A letter that is short tells nothing of that, nor does one that another follows at once: that of a
        bot's answer, or of the next board of a player who leaves.
        """
        if not reader or letter.match.to_move == reader or user.drawing == "short":
            return ()
        follows = any(isinstance(each, Left) for each in letter.happenings)
        if letter.facts.template != "board" or follows or letter.facts.awaits:
            return ()
        seen = work.tx.of(Window).seen(user, letter.match.number, work.now, _MOST + 1)
        own = [each for each in seen if not each.is_offer]
        others = [each for each in seen if each.is_offer and _may_take(user, each)]
        return (*_of_boards(own), *_of_offers(others))


def _may_take(user: User, offer: Waiting) -> bool:
    """Return True unless a player has refused the game, or the offer is of somebody at the same mailbox."""
    is_own = strangers.reader(offer.address) == strangers.reader(user.address)
    return not is_own and offer.game not in user.refuses.split()


def _of_boards(own: Sequence[Waiting]) -> Iterator[Below]:
    if own:
        boards = ", ".join([f"{each.number} ({each.userid})" for each in own[:_MOST]])
        if len(own) > _MOST:
            said = say("Also waiting for you: boards {boards}, and more.", boards=boards)
        else:
            said = say_many(
                "Also waiting for you: board {boards}.",
                "Also waiting for you: boards {boards}.",
                len(own),
                boards=boards,
            )
        yield Below(
            together(said, say("To see one, reply:")),
            [f"show {each.number}" for each in own[:_MOST]],
        )


def _of_offers(others: Sequence[Waiting]) -> Iterator[Below]:
    if others:
        players = ", ".join(f"{each.userid} ({_game(each)})" for each in others[:_MOST])
        form = say("Waiting for a game: {players}.")
        if len(others) > _MOST:
            form = say("Waiting for a game: {players}, and more.")
        yield Below(
            together(form.given(players=players), say("To play one, reply:")),
            [f"take {each.number}" for each in others[:_MOST]],
        )


def _game(waiting: Waiting) -> str:
    offer = Offer(
        waiting.number, waiting.userid, waiting.game, waiting.options, terms=waiting.terms
    )
    return described(offer)


FEATURE = WindowFeature()
