"""What must hold when a simulated week is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from crash.people import Person, Shown
from harness.office import DAY, Office, address

from pbmstar.bots.rows import Bots
from pbmstar.match import FORFEIT, Match
from pbmstar.service.admin import operator

WARNED = 2 * DAY  # before the end of a turn
Answers = Mapping[tuple[int, int, int], int]  # how often a turn was answered: board, resets, length
People = Mapping[str, Person]  # by address


def faults(office: Office, people: People, answers: Answers) -> Iterator[str]:
    """What is not as it should be."""
    yield from office.check()
    yield from (f"{turn} answered {n} times" for turn, n in answers.items() if n != 1)
    waiting = office.ask_of(Bots, "turns", 10_000)
    yield from (f"board {turn.board} waits for {turn.bot}" for turn in waiting)
    yield from (f"letter {each.id}: {each.trouble}" for each in office.ask("outbox.unsent"))
    for match in matches_of(office):
        yield from (f"board {match.number}: {fault}" for fault in _of_answers(match, answers))
        yield from (f"board {match.number}: {fault}" for fault in _of_letters(match, people))


def matches_of(office: Office) -> list[Match]:
    """All boards as they stand."""
    return office.at_work(lambda work: list(operator.all_matches(work.tx)))


def _of_answers(match: Match, answers: Answers) -> Iterator[str]:
    for place, entry in enumerate(match.record):
        turn = (match.number, match.resets, place)
        is_bot = entry.userid.startswith("bot") and entry.number
        if is_bot and not match.resets and turn not in answers:
            yield f"{entry} was played by nobody"


def _of_letters(match: Match, people: People) -> Iterator[str]:
    """That somebody was not shown the board as it stands, or not warned before they lost on time."""
    now = (match.position.played, match.to_move, match.result)
    for userid in match.seats:
        person = people.get(address(userid))
        if person and not person.is_daily:
            shown = person.shown.get(match.number, [])
            if now not in [(each.move, each.to_move, each.result) for each in shown]:
                yield f"{userid} was not shown {now}"
    if match.record and match.record[-1].move == FORFEIT:
        loser, ended = match.record[-1].userid, match.record[-1].at
        last_turn = (match.position.played, loser)
        shown = people[address(loser)].shown.get(match.number, [])
        turn = [each for each in shown if (each.move, each.to_move) == last_turn]
        if not any(_warns(each, ended) for each in turn):
            yield f"{loser} lost on time, and was not warned"


def _warns(shown: Shown, ended: float) -> bool:
    """Whether a letter named the end of a turn two days before it, and it ended no sooner."""
    if not shown.deadline:
        return False
    end = datetime.fromisoformat(shown.deadline).timestamp()
    return shown.at + WARNED <= end <= ended
