"""Notes and transcripts: notes that nobody else sees, and the record of a board with all words."""

from __future__ import annotations

from dataclasses import replace

from ...command import Command, open_lines
from ...errors import Sentence, say, together
from ...machine.times import Epoch
from ...match import AGREE, Happening, Match
from ...match.dates import minute_of
from ...match.happenings import NoteKept, NotesGone
from ...render.board.opening import enclosed
from ...render.board.sentences import recorded
from ...render.board.transcript import offer
from ...render.facts import NoteLine, NotesFacts, RecordFacts, RecordPart
from ...store import User
from ..letters.post import BoardLetter, send
from ..letters.words import comments
from ..proof.limits import ask
from ..work.apply import load, look
from ..work.work import BoardRefusal, Speaker, Work

LONGEST = 2000  # characters of a note
MOST = 20  # notes of a player on a board
_DRAWN = 10  # moves between two drawings of a record


def note(work: Work, command: Command, speaker: Speaker) -> None:
    """Keep the words after the command and below it as a note for the player alone; or forget all notes of
    the player on the board."""
    number, userid = speaker.match.number, speaker.userid
    before = work.tx.notebook.notes(number, userid)
    words = command.args.get("words", "")
    if words.lower().strip(".!") == "none":
        if before:
            work.tx.notebook.drop_notes(number, userid, before[-1].n)
        _tell(work, speaker, NotesGone(userid))
        return
    text, withheld = open_lines([words, *command.args.get("below", ())])
    text = command.masked(text.strip())
    if not text:
        raise BoardRefusal(
            say("Your note is empty. Write it after the word note, or on the lines below it."),
            "no-note",
            speaker.match,
        )
    if len(text) > LONGEST:
        raise BoardRefusal(
            say(
                "A note can have at most {most} characters, but yours has {number}.",
                most=LONGEST,
                number=len(text),
            ),
            "long-note",
            speaker.match,
        )
    work.tx.notebook.add_note(number, userid, work.now, speaker.match.position.played, text)
    gone = len(before) + 1 - MOST
    if gone > 0:
        work.tx.notebook.drop_notes(number, userid, before[gone - 1].n)
    _tell(work, speaker, NoteKept(userid, MOST if gone > 0 else None), withheld)


def notes(work: Work, _command: Command, speaker: Speaker) -> None:
    """Mail all notes of a player on a board."""
    lines = [
        NoteLine(each.move, minute_of(each.at), each.text)
        for each in work.tx.notebook.notes(speaker.match.number, speaker.userid)
    ]
    send(work, BoardLetter.answer(speaker.match, speaker.userid, NotesFacts(lines)))


def record(work: Work, command: Command, reader: User) -> None:
    """Mail the record of a board: its moves and events; players also get their words to each other."""
    match = look(work, command["board"], reader, command.game)
    facts = RecordFacts(_parts(work, match, reader.userid))
    letter = BoardLetter.answer(match, reader.userid, facts)
    ask(work, reader, ("record", *match.state), letter)


def _parts(work: Work, match: Match, reader: str) -> list[RecordPart]:
    """Return a record in parts: its lines, and the board from time to time."""
    # (time, place of the entry before, own place or -1, text): lines with the same time are in this order.
    record = match.record
    lines = [
        (each.at, place, place, _entry(match, place, reader)) for place, each in enumerate(record)
    ]
    for event in work.tx.boards.events(match.number):
        if line := recorded(event.happening):
            lines.append((event.at, len(record), -1, _at(event.at, line)))
    if match.player(reader):
        for each in comments(work, match.number):
            wrote = say("{userid} writes: {text}", userid=each.userid, text=each.text)
            lines.append((each.at, each.length - 1, -1, _at(each.at, wrote)))
    parts, told = list[RecordPart](), list[Sentence]()
    for *_, place, line in sorted(lines, key=lambda each: (*each[:2], each[2] < 0)):
        number = match.record[place].number if place >= 0 else None
        told.append(line)
        if number and number % _DRAWN == 0:
            parts.append(RecordPart(told, number))
            told = []
    # The board after the last move may be drawn already.
    return [*parts, RecordPart(told)] if told or not parts else parts


def _at(at: Epoch, said: Sentence) -> Sentence:
    return together(minute_of(at), said, by="  ")


def _entry(match: Match, place: int, reader: str) -> Sentence:
    entry = match.record[place]
    userid = entry.userid
    if entry.move.startswith(AGREE):
        accepts = say("{userid} accepts {offer}", userid=userid, offer=offer(entry.agreed))
        return _at(entry.at, accepts)
    move = entry.move if entry.number is None else f"{entry.number} {entry.move}"
    mark = "*" if entry.by_plan and match.position.over else ""
    line = say("{move} by {userid}", move=f"{move}{mark}", userid=userid)
    if sentence := enclosed(match, entry, reader):
        line = together(say("{sentence}.", sentence=line), sentence)
    return _at(entry.at, line)


def _tell(work: Work, speaker: Speaker, happening: Happening, withheld: int = 0) -> None:
    match, userid = load(work, speaker.match.number), speaker.userid
    letter = BoardLetter.answer(match, userid, happenings=(happening,))
    send(work, replace(letter, withheld=withheld))
