"""The answers of the window to the questions of core, and what its commands do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ... import identity
from ...command import Command
from ...errors import say
from ...match.happenings import Left
from ...matchmaking.offers import Offer
from ...service.letters.post import tell_account
from ...service.verbs.offers import described
from ...service.work.feature import AboutBoard, Below, Feature, Wish
from ...service.work.work import Work
from ...store import User
from .rows import Waiting, Window


def window(work: Work, command: Command, user: User) -> None:
    """Choose if letters tell the player what else waits."""
    is_open = command["on"]
    work.tx.of(Window).set(user.userid, is_open)
    notice = (
        say(
            "When a letter doesn't ask you for a move, it will now end with a list of your other "
            "games where it's your turn, and of players looking for a game."
        )
        if is_open
        else say(
            "Our letters will no longer list your other games where it's your turn, or players "
            "looking for a game."
        )
    )
    tell_account(work, user, say("settings"), notice, (_change(is_open), "seeks"))


def _change(is_open: bool) -> str:
    """Return the line that changes the setting."""
    return f"letters window {'off' if is_open else 'on'}"


_MOST = 3  # boards that are named, and players


class WindowFeature(Feature):
    """The window: it shows a player who has moved what else waits."""

    title = "windows"

    def footer(self, work: Work, letter: AboutBoard, user: User, reader: str) -> tuple[Below, ...]:
        """Return the player's other boards that wait, and who waits for a game, if another is to move.

        A short letter tells nothing of that. Nor does a letter that is followed by another right away: by a
        bot's answer, or by the next board of a player who leaves.
        """
        if not reader or letter.match.to_move in ("", reader) or user.drawing == "short":
            return ()
        follows = any(isinstance(each, Left) for each in letter.happenings)
        if not letter.facts.has_room or follows or letter.facts.awaits:
            return ()
        seen = work.tx.of(Window).seen(user, letter.match.number, work.now, _MOST + 1)
        own = [each for each in seen if not each.is_offer]
        others = [each for each in seen if each.is_offer and _may_take(user, each)]
        return (*_of_boards(own), *_of_offers(others))

    def letter_settings(self, work: Work, user: User) -> tuple[Wish]:
        """Tell if letters say what else waits."""
        is_open = work.tx.of(Window).is_open(user.userid)
        value = say("on") if is_open else say("off")
        return (Wish(say("Show what else is waiting"), value, change=_change(is_open)),)


def _may_take(user: User, offer: Waiting) -> bool:
    """Return True unless a player has refused the game, or the offer is of somebody at the same mailbox."""
    is_own = identity.reader_mark(offer.address) == identity.reader_mark(user.address)
    return not is_own and offer.game not in user.refuses.split()


def _of_boards(own: Sequence[Waiting]) -> Iterator[Below]:
    if own:
        said = say("Other boards are waiting for you, too. To see one, reply:")
        yield Below(said, [(f"show {each.number}", each.userid) for each in own[:_MOST]])


def _of_offers(others: Sequence[Waiting]) -> Iterator[Below]:
    if others:
        said = say("These players are looking for a game. To play one of them, reply:")
        yield Below(
            said,
            [(f"take {each.number}", f"{each.userid}: {_game(each)}") for each in others[:_MOST]],
        )


def _game(waiting: Waiting) -> str:
    offer = Offer(
        waiting.number, waiting.userid, waiting.game, waiting.options, terms=waiting.terms
    )
    return described(offer)


FEATURE = WindowFeature()
