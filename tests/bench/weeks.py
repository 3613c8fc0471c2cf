"""Five weeks of twelve players, and their letters by kind: ``python tests/bench/weeks.py`` prints a table.

With TREE, a checkout of another commit, and PYTHON, the program of an environment that has what it needs, the same
people play there as well, and the table has both. They write in four languages and move at random, legally: the
dice of a move depend on who makes it and when, so that a run can be repeated. The clock goes on by hand, with
``remind`` four times a day. There are games with bots and with people, matches and invitations, a cup that begins
and one that lacks players, a league, a ladder, the Sunday game, the problem of the week, leave, and people who
vanish.

A letter answers a move if the move of a person, or a bot's answer to it, is what it comes of; it answers a mail if
it goes to the one who wrote; all others answer nothing. ``--keep FOLDER`` keeps the letters to read.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from email.header import decode_header, make_header
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

if TYPE_CHECKING:
    from harness.letters import Got
    from harness.office import Office

TREE = Path(__file__).resolve().parents[2]
DAYS, ROUNDS = 35, 4  # of a day
HOURS = 24 / ROUNDS
SEED = 1
WORD = "tr1angle"  # the password of each
FIRST_SUNDAY = 1_800_144_000.0  # at noon


class Person(NamedTuple):
    """How somebody plays: in which language, at which rounds of a day, every how many days, from when to when."""

    language: str
    rounds: tuple[int, ...] = (1,)
    each: int = 1
    until: int = DAYS


PEOPLE = {
    "anna": Person("en"),
    "ben": Person("en", (1, 2, 3)),
    "carl": Person("en", (2,), 2),
    "ninade": Person("de", (1, 3)),
    "dora": Person("de", (3,)),
    "emil": Person("de", until=6),
    "lucfr": Person("fr", (1, 2)),
    "fay": Person("fr", (2,), until=3),
    "gus": Person("fr", (2,)),
    "ninaes": Person("es", (1, 3)),
    "hana": Person("es", (3,)),
    "ivo": Person("es", (2,), 3),
}
FRIENDS = {"oma": ("ninade", 1), "sis": ("anna", 8)}  # invited by whom and when; they play on
HELLO = {"en": "hello", "de": "Hallo", "fr": "Bonjour", "es": "Hola"}
# What people write without being asked: day, who, line.
_OF_EIGHT = ("anna", "ben", "carl", "ninade", "emil", "lucfr", "fay", "hana")
WISHES = [
    *((0, who, "star challenge -size=4 {who} bot1") for who in PEOPLE),
    *((1, who, "match {who} {word} star -size=5") for who in ("anna", "ninade", "lucfr", "ninaes")),
    *((2, who, "cup {who} {word} star") for who in _OF_EIGHT),
    *((2, who, "cup {who} {word} hex") for who in ("ivo", "gus", "dora")),
    *((2, who, "sunday {who} {word} on") for who in ("anna", "ben", "carl", "hana", "gus", "emil")),
    *((3, who, "ladder join star {who} {word}") for who in ("ben", "dora", "gus", "ninaes")),
    *(
        (3, who, "league join star {who} {word}")
        for who in ("dora", "gus", "ivo", "ninaes", "ninade")
    ),
    *((day, "gus", "ladder challenge star {who} {word} ben") for day in (4, 25)),
    (9, "ninaes", "ladder challenge star {who} {word} dora"),
    (4, "ben", "hex challenge -size=5 {who} anna"),
    (5, "hana", "star challenge -size=5 {who} ninaes"),
    (5, "dora", "star challenge -size=4 {who} carl"),
    (6, "anna", "problem {who} {word} on"),
    (6, "lucfr", "problem {who} {word} on"),
    *((9, who, "away {who} {word} 5") for who in ("ninade", "lucfr")),
    *((10, who, "match {who} {word} hex -size=4") for who in ("ninade", "lucfr")),
    (12, "ben", "star challenge -size=5 {who} bot3"),
    *((day, who, "games {who}") for day in (7, 21) for who in PEOPLE),
    (15, "gus", "y challenge {who} bot2"),
    (16, "anna", "star challenge -size=4 {who} gus"),
    (18, "dora", "match {who} {word} star -size=4"),
    (20, "ivo", "match {who} {word} star -size=4"),
    (20, "hana", "letters {who} {word} daily"),
]
# Things that are told once, by the reply that has them in each language.
THINGS = {
    "the cup": r"\bcup (?:star|hex)\b",
    "the ladder": r"\bladder join\b",
    "the Sunday game": r"\bsunday on\b",
    "the problem": r"\bproblem on\b",
    "postcards": r"\bpostcard\b",
    "invitations": r"\binvite\b",
    "the lobby": r"\blobby on\b",
    "games played on": r": from [0-9]+\b",
}
MOVE, MAIL, CLOCK = "a move", "a mail", "nothing"
# A letter that the clock sends, by its Subject; the first that fits counts.
KINDS = (
    ("daily letter", r"^Star: [0-9]+ boards? waits? for you"),
    ("reminder", r"^Reminder: "),
    ("Sunday game", r"Sunday"),
    ("cup", r"\bcup\b"),
    ("league", r"\bleague\b"),
    ("ladder", r"\bladder\b"),
    ("problem", r"Problem"),
    ("new game", r"^New "),
    ("leave of others", r" is away$"),
    ("offers", r"no opponent yet|your offer"),
    ("end of a game", r" Board [0-9]+ - |lost on time"),
    ("an opponent's time", r" Board [0-9]+ [a-z]+$"),
)


class World:
    """The people, their office, and what came of their mails."""

    def __init__(self, office: Office, keep: Path | None) -> None:
        self.office, self.keep = office, keep
        self.doors: dict[tuple[str, int], str] = {}  # where a reply about a board goes
        self.letters: Counter[tuple[str, str]] = Counter()
        self.moves = 0
        self.number = 0
        self.read: dict[str, list[tuple[float, str, str, Got]]] = defaultdict(list)
        self.faults: list[str] = []
        self._examine = office.examiner.examine
        office.examiner.examine = self.examine  # type: ignore[method-assign]

    def examine(self, letter: Got) -> None:
        """Note what is not true of a letter, and goes on."""
        try:
            self._examine(letter)
        except AssertionError as error:
            where = traceback.extract_tb(error.__traceback__)[-1].line
            self.faults.append(f"{letter.to}: {letter.subject}: {where}: {str(error)[:60]!r}")

    def take(self, cause: str, writer: str, letters: Sequence[Got]) -> None:
        """Count letters that came of something; ``writer``: whose mail it was."""
        for letter in letters:
            who = letter.to.partition("@")[0]
            about = cause if cause != MAIL or who == writer else CLOCK
            subject = str(make_header(decode_header(letter.subject)))
            kind = next((name for name, form in KINDS if re.search(form, subject)), "other")
            about = MOVE if kind == "daily letter" else about  # it tells of those of a day
            self.letters[about, kind if about == CLOCK else ""] += 1
            if letter.mail["X-Pbmstar-Board"] and letter.mail["Reply-To"]:
                self.doors[who, int(letter.mail["X-Pbmstar-Board"])] = letter.reply_to
            self.read[who].append((self.office.now, about, kind, letter))
            if self.keep:
                self._keep(letter, who, f"{about}: {kind}")

    def _keep(self, letter: Got, who: str, about: str) -> None:
        assert self.keep
        self.number += 1
        folder = self.keep / who
        folder.mkdir(parents=True, exist_ok=True)
        day = (self.office.now - FIRST_SUNDAY) / 86400
        head = f"[{about}; day {day:.2f}]\nSubject: {letter.subject}\n\n"
        (folder / f"{self.number:04}.txt").write_text(head + letter.text)
        (folder / f"{self.number:04}.eml").write_bytes(letter.raw)

    def mail(self, who: str, line: str, to: str = "", cause: str = MAIL) -> list[Got]:
        """Somebody writes a line; bots answer."""
        office = self.office
        address = {"to": to} if to else {}
        letters = office.send(who, *(("Re: Star", line) if to else (line, "")), **address)
        self.take(cause, who, letters)
        while office.think():
            self.take(cause, who, office.letters())
        self.take(cause, who, office.letters())
        return letters

    def arrive(self, who: str, language: str) -> None:
        """Somebody writes a greeting, and signs up in reply."""
        (door,) = self.mail(who, HELLO[language])
        self.mail(who, f"signup {who} {WORD}", door.reply_to)
        self.mail(who, f"language {who} {WORD} {language}")

    def invite(self, friend: str, host: str) -> None:
        """Somebody invites a friend, who moves and signs up at once."""
        line = f"invite {host} {WORD} {friend}@{friend}.example Come and play!"
        letters = self.mail(host, line)
        for letter in letters:
            if letter.to.startswith(friend):
                self.mail(friend, f"signup {friend} {WORD}\nB3", letter.reply_to)

    def play(self, who: str, day: int, skips: Callable[[Any], bool]) -> None:
        """Somebody moves on each board that waits."""
        office = self.office
        for row in office.ask("boards.of", who, "next"):
            if skips(row):
                continue
            match = row.match(office.ask("boards.record", row.board))
            dice = random.Random(f"{SEED} {who} {row.length} {day}")
            moves = [
                str(each) for each in match.position.moves() if str(each) not in ("pass", "swap")
            ]
            if not moves or match.to_move != who:
                continue
            move = dice.choice(moves)
            to = self.doors.get((who, row.board), "")
            full = f"{row.game} move {row.board} {who} {WORD} {move}"
            self.mail(who, move if to else full, to, MOVE)
            self.moves += 1

    def remind(self, hours: float) -> None:
        """The clock goes on, and what is due is done."""
        self.take(CLOCK, "", self.office.remind(hours / 24)[1])
        while self.office.think():
            self.take(CLOCK, "", self.office.letters())


def _skips(who: str, day: int) -> Callable[[Any], bool]:
    """Return what somebody leaves alone: fay moves in no cup, emil once in each game of his."""

    def skips(row: Any) -> bool:
        contest = getattr(row, "contest", "") or ""
        return (
            (who == "fay" and row.game == "star" and day >= 2)
            or (who == "emil" and row.length > 2)
            or (contest == "sunday" and who == "carl" and day > 20)
        )

    return skips


def play(folder: Path, keep: Path | None) -> dict[str, Any]:
    """Play five weeks with the tree that is imported; return the counts."""
    from harness.office import Office

    options = {"limits": "off", "bots": "4"}
    spool = folder / "spool"
    spool.mkdir()
    with closing(Office(f"sqlite:///{spool}/pbmstar.db", spool, (), **options)) as office:
        office.now = FIRST_SUNDAY - 0.25 * 86400
        office.context = replace(office.context, random=random.Random(SEED).randbytes)
        office.service = type(office.service)(office.context)
        world = World(office, keep)
        for bot in ("bot1", "bot2", "bot3"):
            office.run("admin", "bot", "add", bot)
        office.run("admin", "ladder", "open", "star")
        office.run("admin", "league", "open", "star", "-size=4")
        everybody = dict(PEOPLE)
        for day in range(DAYS):
            for part in range(ROUNDS):
                world.remind(HOURS)
                if day == 0 and part == 0:
                    for who, person in PEOPLE.items():
                        world.arrive(who, person.language)
                if part == 1:
                    for when, who, line in WISHES:
                        if when == day and who in PEOPLE and PEOPLE[who].until >= day:
                            world.mail(who, line.format(who=who, word=WORD))
                    for friend, (host, when) in FRIENDS.items():
                        if when == day:
                            world.invite(friend, host)
                            everybody[friend] = Person(PEOPLE[host].language, (2,), 2)
                for who, person in everybody.items():
                    if part in person.rounds and day % person.each == 0 and day <= person.until:
                        world.play(who, day, _skips(who, day))
                if day == 6 and part == 3:
                    office.run("admin", "league", "begin", "star")
        faults = [*world.faults, *office.check(), *repeated(world), *told_twice(world)]
    return {
        "moves": world.moves,
        "letters": {f"{about}|{kind}": count for (about, kind), count in world.letters.items()},
        "faults": faults,
    }


def repeated(world: World) -> list[str]:
    """Return what a player was told twice: a letter that says what an earlier one said."""
    found = []
    for who, letters in world.read.items():
        last = ""
        for at, about, kind, letter in letters:
            said = re.sub(r"[0-9]+", "#", letter.words)
            if said == last and about == CLOCK:
                found.append(
                    f"{who}, day {(at - FIRST_SUNDAY) / 86400:.1f}: {kind} again: {letter.subject}"
                )
            last = said
    return found


def told_twice(world: World) -> list[str]:
    """Return the things that a player was told of more than once, in letters that no mail had asked for."""
    found = []
    for who, letters in world.read.items():
        for thing, form in THINGS.items():
            times = [
                (at - FIRST_SUNDAY) / 86400
                for at, about, kind, letter in letters
                if about != MAIL and kind != "cup" and re.search(form, letter.words)
            ]
            if len(times) > 1:
                days = " ".join(f"{day:.1f}" for day in times)
                found.append(f"{who} is told of {thing} on the days {days}")
    return found


def child(tree: Path, keep: Path | None) -> None:
    """Play with a tree, and print the counts."""
    sys.path[:0] = [str(tree), str(tree / "tests")]
    sys.modules.setdefault("numba", None)  # type: ignore[arg-type]
    import argon2

    from pbmstar import identity

    cheap = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(identity.passwords, "HASHER", cheap),
        mock.patch.object(identity.passwords, "NOBODY", cheap.hash("nobody's")),
    ):
        print(json.dumps(play(Path(folder), keep)))


def counted(tree: Path, python: str, keep: Path | None) -> dict[str, Any]:
    """Return the counts of a tree, played in a process of its own."""
    words = [python, str(Path(__file__).resolve()), "--play", str(tree)]
    words += ["--keep", str(keep)] if keep else []
    environment = os.environ | {"PYTHONPATH": str(tree)}
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, env=environment, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def table(sides: Sequence[dict[str, Any]]) -> list[str]:
    """Return the lines of the table, as Markdown."""
    keys = sorted(
        {key for side in sides for key in side["letters"]},
        key=lambda key: (
            (MOVE, MAIL, CLOCK).index(key.partition("|")[0]),
            -max(side["letters"].get(key, 0) for side in sides),
        ),
    )
    heads = ["then", "now"][-len(sides) :]
    lines = ["| letters | " + " | ".join(heads) + " |", "|---|" + "---|" * len(sides)]

    def row(name: str, figures: Sequence[object]) -> None:
        lines.append(f"| {name} | " + " | ".join(map(str, figures)) + " |")

    row("moves of people", [side["moves"] for side in sides])
    row("**all letters**", [sum(side["letters"].values()) for side in sides])
    for about in (MOVE, MAIL, CLOCK):
        ours = [key for key in keys if key.startswith(f"{about}|")]
        sums = [sum(side["letters"].get(key, 0) for key in ours) for side in sides]
        row(f"**answer {about}**", sums)
        for key in ours if about == CLOCK else ():
            row(key.partition("|")[2], [side["letters"].get(key, 0) for side in sides])
    each = [
        100
        * sum(count for key, count in side["letters"].items() if key.startswith(CLOCK))
        / side["moves"]
        for side in sides
    ]
    row("answer nothing, for 100 moves", [f"{figure:.1f}" for figure in each])
    return lines


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path, nargs="?")
    parser.add_argument("python", nargs="?", default=sys.executable)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.play:
        child(options.play, options.keep)
        return
    sides = [(TREE, sys.executable, options.keep)]
    if options.tree:
        kept = options.keep and options.keep.with_name(options.keep.name + "-then")
        sides.insert(0, (options.tree.resolve(), options.python, kept))
    played = [counted(*side) for side in sides]
    print("\n".join(table(played)))
    print(*played[-1]["faults"], sep="\n")


if __name__ == "__main__":
    main()
