"""The list of all contests that a player may enter."""

from __future__ import annotations

from ... import games
from ...command import Command
from ...render.board.dates import moment
from ...service.letters.post import PlainLetter
from ...service.proof.rations import ask
from ...service.work.work import Work
from ...store import User
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
