"""A ladder: players in an order. A player who wins a challenge takes the place of the loser above.

The order is a fold over steps. A player who has not begun a game in time rests: nobody may challenge a
resting player, and a player who rests for long is taken off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from ...errors import Refusal, Sentence, either, say
from ...machine.times import DAY, Epoch

LADDER = "ladder"  # the kind of its contests, and of the games of these
# The kinds of steps: to join, to leave, to be taken off, to win against another player.
JOIN, LEAVE, OFF, WIN = "join", "leave", "off", "win"
LEAVING, RESTING = "leaving", "resting"
REACH, TOP_REACH, TOP = 3, 2, 10  # places up that a challenge reaches; fewer for the first ten
MOST_OUT, MOST_IN = 2, 2  # running challenges of a player, and to a player
REST = 30 * DAY  # seconds until a resting player is taken off
_REMEMBERED = 180 * DAY  # seconds for which the place of a player who was taken off is kept
_LOWER = 5  # such a player comes back so many places lower


class LadderStep(NamedTuple):
    """An event on a ladder. In a win ``other`` has lost to ``userid``."""

    at: Epoch
    kind: str
    userid: str
    other: str = ""


@dataclass(frozen=True)
class Ladder:
    """The players of a ladder, the first one first; ``off``: the place and the time of players taken off."""

    order: tuple[str, ...] = ()
    off: Mapping[str, tuple[int, float]] = field(default_factory=dict)

    def place(self, userid: str) -> int:
        """Return a player's place, 1 for the first; 0 if the player is not on the ladder."""
        return self.order.index(userid) + 1 if userid in self.order else 0

    def above(self, userid: str) -> tuple[str, ...]:
        """Return the players whose places are near enough for a player's challenge, the nearest first."""
        place = self.place(userid)
        reach = TOP_REACH if place <= TOP else REACH
        return self.order[max(0, place - 1 - reach) : max(0, place - 1)][::-1]

    def after(self, step: LadderStep) -> Ladder:
        """Return the ladder after a step; a step that makes no sense changes nothing."""
        order, place = list(self.order), self.place(step.userid)
        match step.kind:
            case "join" if not place:
                order.insert(self._way_back(step), step.userid)
                return Ladder(tuple(order), {k: v for k, v in self.off.items() if k != step.userid})
            case "leave" if place:
                order.remove(step.userid)
                return Ladder(tuple(order), self.off)
            case "off" if place:
                order.remove(step.userid)
                return Ladder(tuple(order), {**self.off, step.userid: (place, step.at)})
            case "win" if 0 < self.place(step.other) < place:
                order.remove(step.userid)
                order.insert(self.place(step.other) - 1, step.userid)
                return Ladder(tuple(order), self.off)
        return self

    def _way_back(self, step: LadderStep) -> int:
        """Return the number of players above one who joins.

        All are above, or fewer if the joining player was taken off lately.
        """
        place, at = self.off.get(step.userid, (0, 0.0))
        if place and step.at - at <= _REMEMBERED:
            return min(len(self.order), place - 1 + _LOWER)
        return len(self.order)


def fold(steps: Iterable[LadderStep]) -> Ladder:
    """Return the ladder after all steps, in their order."""
    ladder = Ladder()
    for step in steps:
        ladder = ladder.after(step)
    return ladder


class Challenges(NamedTuple):
    """The running challenges, each as challenger and challenged player; and ``notes``, by userid, on players
    who are ``leaving`` or ``resting``."""

    pairs: tuple[tuple[str, str], ...] = ()
    notes: Mapping[str, str] = MappingProxyType({})


def require_challenge(ladder: Ladder, userid: str, other: str, running: Challenges) -> None:
    """Raise Refusal if a player may not challenge another one now."""
    if not ladder.place(userid):
        raise Refusal(say("You're not on this ladder."), "not-on-ladder")
    if other not in ladder.above(userid):
        raise Refusal(_who_can_be(ladder, userid), "out-of-reach")
    if running.notes.get(userid) == LEAVING:
        raise Refusal(
            say(
                "You've already asked to leave this ladder, and you will when your games on "
                "it are over."
            ),
            "leaving",
        )
    match running.notes.get(other):
        case "resting":
            raise Refusal(
                say(
                    "{userid} didn't make a first move in time, so you can't challenge "
                    "{userid} until they write to us again.",
                    userid=other,
                ),
                "resting",
            )
        case "leaving":
            raise Refusal(say("{userid} is leaving this ladder.", userid=other), "leaving")
    if frozenset((userid, other)) in map(frozenset, running.pairs):
        raise Refusal(
            say("You and {userid} are already playing a ladder game.", userid=other),
            "challenged-already",
        )
    if sum(challenger == userid for challenger, _ in running.pairs) >= MOST_OUT:
        raise Refusal(
            say(
                "You've already challenged {most} players, which is the limit. Please wait until "
                "one of those games is over.",
                most=MOST_OUT,
            ),
            "too-many-challenges",
        )
    if sum(challenged == other for _, challenged in running.pairs) >= MOST_IN:
        raise Refusal(
            say(
                "{most} players have already challenged {userid}, which is the limit.",
                userid=other,
                most=MOST_IN,
            ),
            "too-many-challenges",
        )


def _who_can_be(ladder: Ladder, userid: str) -> Sentence:
    above = ladder.above(userid)
    if not above:
        return say("You're at the top of this ladder, so there's nobody above you to challenge.")
    place = ladder.place(userid)
    return say(
        "You're number {place}, so you can challenge {userids}.", place=place, userids=either(above)
    )
