"""What players write down: notes that nobody else sees, and the record of a board with all words."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import cast

from ...command import Command, open_lines
from ...match import AGREE, Happening, Match
from ...render.asking import offer, recorded
from ...store import User
from ..apply import load, look
from ..clocks import BANKS
from ..post import post_board
from ..rations import ask
from ..work import BoardRefusal, Seat, Work

LONGEST = 2000  # characters of a note
MOST = 20  # notes of a player on a board
_DRAWN = 10  # moves between two drawings of a record


def note(work: Work, command: Command, seat: Seat) -> None:
    """Keep the text below the command for its player alone; or forget all notes on the board."""
    number, userid = seat.match.number, seat.userid
    kept = work.tx.notes_of(number, userid)
    if "none" in command.args:
        if kept:
            work.tx.drop_notes(number, userid, kept[-1].n)
        _tell(work, seat, Happening("unnoted", userid))
        return
    text, _ = open_lines(command.args.get("below", ()))
    text = text.strip()
    if not text:
        raise BoardRefusal(
            "Your note is the text below that line: none is there.", "no-note", seat.match
        )
    if len(text) > LONGEST:
        raise BoardRefusal(
            f"A note has at most {LONGEST} characters; this one has {len(text)}.",
            "long-note",
            seat.match,
        )
    work.tx.add_note(number, userid, work.now, seat.match.position.played, text)
    gone = len(kept) + 1 - MOST
    if gone > 0:
        work.tx.drop_notes(number, userid, kept[gone - 1].n)
    _tell(work, seat, Happening("noted", userid, str(MOST) if gone > 0 else ""))


def notes(work: Work, _command: Command, seat: Seat) -> None:
    """Mail all notes of a player on a board."""
    lines = [
        {"move": each.move, "when": _when(each.at), "text": each.text}
        for each in work.tx.notes_of(seat.match.number, seat.userid)
    ]
    to = (seat.userid,)
    facts = {"notes": lines}
    post_board(work, seat.match, to=to, template="notes", facts=facts, answers=seat.userid)


def record(work: Work, command: Command, reader: User) -> None:
    """Mail the record of a board: moves, what happened beside them, and to players their words."""
    match = look(work, command["board"], reader, command.game)
    facts = {"parts": _parts(work, match, reader.userid)}
    letter = partial(
        post_board, work, match, to=(reader.userid,), template="record", facts=facts,
        answers=reader.userid,
    )  # fmt: skip
    ask(work, reader, ("record", match.number, match.resets, len(match.record)), letter)


def _parts(work: Work, match: Match, reader: str) -> list[dict[str, object]]:
    """What a record says, in parts that each end with the board after so many moves, None: as it is."""
    # (when, after which entry, the entry's place or -1, what): what has the same time stands in this order.
    record = match.record
    lines = [(each.at, place, place, _entry(match, place)) for place, each in enumerate(record)]
    for event in work.tx.events(match.number):
        if event.kind != BANKS:  # what follows from the moves and events around it
            lines.append((event.at, len(record), -1, f"{_when(event.at)}  {recorded(event)}"))
    if match.player(reader):
        for each in work.tx.comments(match.number):
            what = f"{_when(each.at)}  {each.userid} writes: {each.text}"
            lines.append((each.at, each.length - 1, -1, what))
    parts: list[dict[str, object]] = [{"lines": [], "move": None}]
    for *_, place, line in sorted(lines, key=lambda each: (*each[:2], each[2] < 0)):
        number = match.record[place].number if place >= 0 else None
        parts[-1]["lines"] = [*cast(list[str], parts[-1]["lines"]), line]
        if number and number % _DRAWN == 0:
            parts[-1]["move"] = number
            parts.append({"lines": [], "move": None})
    return parts


def _entry(match: Match, place: int) -> str:
    entry = match.record[place]
    if entry.move.startswith(AGREE):
        return f"{_when(entry.at)}  {entry.userid} accepts {offer(entry.move.partition(' ')[2])}"
    move = entry.move if entry.number is None else f"{entry.number} {entry.move}"
    mark = "*" if entry.by_plan and match.position.over else ""
    return f"{_when(entry.at)}  {move}{mark} by {entry.userid}"


def _when(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def _tell(work: Work, seat: Seat, happening: Happening) -> None:
    match = load(work, seat.match.number)
    post_board(work, match, (happening,), to=(seat.userid,), answers=seat.userid)
