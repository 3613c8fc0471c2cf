"""The list of all contests that a player may enter."""

from __future__ import annotations

from typing import Any

from ... import games
from ...command import Command
from ...render.board.clock_face import moment
from ...render.facts import Loose
from ...service.letters.post import PlainLetter
from ...service.proof.rations import ask
from ...service.work.work import Work
from ...store import User
from .rows import BEGUN, Contest, Contests


def contests(work: Work, _command: Command, reader: User) -> None:
    """Mail a list of all leagues and ladders."""
    listed = [_listed(work, each, reader) for each in work.tx.of(Contests).all(alive=True)]
    facts = {
        "leagues": [each for each in listed if each["kind"] == "league"],
        "ladders": [each for each in listed if each["kind"] != "league"],
    }
    ask(work, reader, ("leagues",), PlainLetter.with_buttons(work, reader, Loose("leagues", facts)))


def _listed(work: Work, contest: Contest, reader: User) -> dict[str, Any]:
    entries = work.tx.of(Contests).entries(contest.id)
    return {
        "kind": contest.kind,
        "word": contest.game,
        "title": games.title_of(contest.game),
        "season": contest.season,
        "begun": contest.state == BEGUN,
        "until": moment(contest.until or work.now, reader.zone),
        "players": len(entries),
        "is_in": any(entry.userid == reader.userid for entry in entries),
    }
