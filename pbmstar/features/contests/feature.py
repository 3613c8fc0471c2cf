"""The answers of contests together to the questions of core, what their command does, and who may enrol."""

from __future__ import annotations

from types import MappingProxyType

from ... import games
from ...command import Command
from ...errors import Refusal, Sentence, say, together
from ...match.dates import moment
from ...service.proof.limits import ask
from ...service.proof.strangers import mailboxes
from ...service.work.feature import Feature, Gauge, Series
from ...service.work.letter import PlainLetter
from ...service.work.work import BoardRefusal, Speaker, Work
from ...store import Tx, User
from .facts import ContestLine, LeaguesFacts
from .rows import BEGUN, Contest, Contests


def contests(work: Work, _command: Command, reader: User) -> None:
    """Mail a list of all leagues and ladders, and of the cups that are not over."""
    lines: dict[str, list[ContestLine]] = {"league": [], "ladder": [], "cup": []}
    for each in work.tx.of(Contests).all(alive=True):
        lines[each.kind].append(_line(work, each, reader))
    facts = LeaguesFacts(lines["league"], lines["ladder"], lines["cup"])
    ask(work, reader, ("leagues",), PlainLetter.with_buttons(work, reader, facts))


def _line(work: Work, contest: Contest, reader: User) -> ContestLine:
    entries = work.tx.of(Contests).entries(contest.id)
    return ContestLine(
        word=contest.game,
        title=games.title_of(contest.game),
        season=contest.season,
        begun=contest.state == BEGUN,
        until=moment(contest.until or work.now, reader.zone),
        players=len(entries),
        is_in=any(entry.userid == reader.userid for entry in entries),
    )


# What a player cannot do with a game of a cup or league, by the act; and with any kind of contest.
_CANNOT = {
    "decline": say("You can't decline a cup or league game."),
    "cancel": say("You can't end a cup or league game without a result."),
    "extend": say("You can't give your opponent more time in a cup or league game."),
}
CHANGES_A_DAY = 10  # by one player, who joins, leaves or challenges in any contest


def count_change(work: Work, user: User) -> None:
    """Count a change that a player asks for. Raises Refusal if it is one too many for a day."""
    if work.exceeds(CHANGES_A_DAY, f"contests {user.userid}"):
        raise Refusal(
            say(
                "You can only join, leave or challenge {most} times a day, and you've reached "
                "the limit. Please try again tomorrow.",
                most=CHANGES_A_DAY,
            ),
            "too-many-contests",
        )


def require_alone(work: Work, contest: Contest, user: User, why: Sentence) -> None:
    """Raise Refusal, which says ``why``, if another account at an address of the player is in a contest."""
    own = mailboxes(work.tx, user)
    for entry in work.tx.of(Contests).entries(contest.id):
        other = work.tx.accounts.user(entry.userid)
        if other is not None and not own.isdisjoint(mailboxes(work.tx, other)):
            raise Refusal(why, "same-mailbox")


def refuse_change(speaker: Speaker, act: str, kind: str, ways_out: Sentence) -> None:
    """Refuse all that would change the terms of one game of a season; ``ways_out``: what a player may do.

    To plan and to talk changes nothing.
    """
    if act == "counter":
        raise BoardRefusal(
            say("You can't change the terms of a cup or league game."),
            "contest-game",
            speaker.match,
        )
    if cannot := _CANNOT.get(act):
        raise Refusal(together(cannot, ways_out), f"{kind}-game")


def _entrants(tx: Tx) -> Series:
    """Return the numbers of players, by kind of contest."""
    counted = {"ladder": 0, "league": 0, "cup": 0, **tx.of(Contests).entrants()}
    return {(kind,): count for kind, count in counted.items()}


class ContestsFeature(Feature):
    """Ladders and leagues together."""

    title = "ladders and leagues"
    figures = MappingProxyType(
        {
            "pbmstar_contest_players": Gauge(
                "Players in leagues, cups and ladders that are not over, by kind; some count more than once.",
                labels=("kind",),
                of_store=_entrants,
            )
        }
    )


FEATURE = ContestsFeature()
