"""People of a simulated week: each reads their letters, and answers at hours and in ways of their own."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import islice
from math import inf
from typing import NamedTuple, Protocol

from harness.letters import SERVER, Got

from pbmstar.match import Match

PASSWORD = "s3cret"
HOUR = 3600.0
GAMES = (
    ("star", ("-size=3", "-size=4", "-size=5", "-size=4 -maxi")),
    ("*star", ("-rings=3", "-rings=3 -double", "-rings=4 -handicap=2", "-rings=4 -nobridge")),
    ("stary", ("-rings=3",)),
    ("hex", ("-size=4", "-size=5")),
    ("y", ("-size=5",)),
    ("polyy", ("-rings=3",)),
)
SMALL = (("star", ("-size=3",)), ("hex", ("-size=3",)), ("y", ("-size=4",)))  # for the strong bots
TIMES = ("", "-time=7d", "-time=3d+12h", "-time=48h -leave=no", "-time=48h -leave=no")
GARBAGE = ("Hi", "star move", "star mvoe 1 2 3", "\x00\x01", "star move 99999 nobody wrong F6")
_BOARD = re.compile(r"(?:New |Reminder: )?.* Board \d+(?: [a-z]\S*)?(?: \*\*)?(?: - .*)?")


class World(Protocol):
    """What a person can do, and see."""

    now: float
    userids: list[str]

    def later(self, seconds: float, act: Callable[[], object]) -> None:
        """Have something done after so many seconds."""

    def mail(self, userid: str, subject: str, body: str = "", to: str = SERVER) -> None:
        """Send a mail."""

    def match(self, board: int) -> Match | None:
        """A board as it stands, None if it was removed."""


class Shown(NamedTuple):
    """What a letter has shown of a board, and when it came."""

    at: float
    reply_to: str
    move: int
    to_move: str
    result: str
    deadline: str


class Person:
    """Somebody with an account. ``gone``: from when on they do not write any more."""

    def __init__(self, world: World, userid: str, chance: random.Random, hours: float) -> None:
        """``hours`` that the world lasts: what a person does once is done within them."""
        self.world, self.userid, self.chance = world, userid, chance
        self.shown: dict[int, list[Shown]] = {}
        self.is_daily = chance.random() < 0.05
        vanishes = chance.random() < 0.15
        self.gone = world.now + hours * HOUR * chance.random() / 3 if vanishes else inf
        self._pace = HOUR * min(hours / 20, 0.3 + chance.expovariate(1 / 5))
        self._wakes = chance.randrange(24)
        self._over: set[int] = set()
        self._reviews = 0.1 if hours > 96 else 0.0  # they take long where numba is not
        once = {
            f"zone {userid} {PASSWORD} Europe/Berlin": 0.2,
            f"drawing {userid} {PASSWORD} words": 0.1,
            f"html {userid} {PASSWORD} off": 0.2,
            f"reminders {userid} {PASSWORD} daily": 0.1,
            f"away {userid} {PASSWORD} 2": 0.1,
            f"games {userid}": 0.3,
            "who": 0.3,
            "help bots": 0.2,
        }
        for subject, share in once.items():
            if chance.random() < share:
                world.later(chance.random() * hours * HOUR, self._mailing(subject))
        if self.is_daily:
            world.later(0, self._mailing(f"letters {userid} {PASSWORD} daily 7:30"))
        for _ in range(chance.randint(1, 4)):
            world.later(chance.random() ** 2 * hours * HOUR / 2, self.challenge)

    def read(self, letter: Got) -> None:
        """Take a letter from the mailbox; it is attended to at a fitting hour."""
        mail = letter.mail
        if not mail["X-Pbmstar-Board"]:
            if "wait" in letter.subject and letter.reply_to:
                self.world.later(self._delay(), lambda: self._answer_all(letter.reply_to))
            return
        if not _BOARD.fullmatch(letter.subject):
            return
        board = int(mail["X-Pbmstar-Board"])
        heads = [mail.get(f"X-Pbmstar-{name}", "") for name in ("To-Move", "Result", "Deadline")]
        shown = Shown(self.world.now, letter.reply_to, int(mail["X-Pbmstar-Move"]), *heads)
        self.shown.setdefault(board, []).append(shown)
        self.world.later(self._delay(), lambda: self._attend(board))

    def challenge(self) -> None:
        """Begin a game: of two with a bot is one."""
        if self.world.now > self.gone:
            return
        level = self.chance.randint(1, 9) if self.chance.random() < 0.5 else 0
        game, options = self.chance.choice(SMALL if level > 6 else GAMES)
        words = [self.chance.choice(options)]
        words += [] if level else [self.chance.choice(TIMES)]
        others = [userid for userid in self.world.userids if userid != self.userid]
        players = [self.userid, f"bot{level}" if level else self.chance.choice(others)]
        self.chance.shuffle(players)
        self.world.mail(self.userid, f"{game} challenge {' '.join((*words, *players))}")

    def _mailing(self, subject: str) -> Callable[[], None]:
        return lambda: self.world.mail(self.userid, subject)

    def _delay(self) -> float:
        """Seconds until this person has time: they sleep for eight hours, unless the pace is fast."""
        seconds = self.chance.expovariate(1 / self._pace)
        hour = (self.world.now + seconds) / HOUR % 24
        asleep = (hour - self._wakes) % 24 - 16
        return seconds + (8 - asleep) * HOUR * (asleep > 0 and self._pace > HOUR)

    def _reply(self, board: int, body: str) -> None:
        to = self.shown[board][-1].reply_to
        if to:
            self.world.mail(self.userid, "Re: your board", body, to)

    def _attend(self, board: int) -> None:
        """Do what is to be done on a board."""
        match = self.world.match(board)
        if match is None or self.world.now > self.gone:
            return
        asked = match.request
        if match.position.over:
            self._look_back(match)
        elif asked and asked.userid != self.userid:
            self._reply(board, self.chance.choice(("accept", "decline later")))
        elif match.to_move == self.userid:
            self._move(match)
        elif self.chance.random() < 0.03:
            self._reply(board, self.chance.choice(("say Take your time.", "undo", "extend 2")))

    def _look_back(self, match: Match) -> None:
        if match.number in self._over:
            return
        self._over.add(match.number)
        if self.chance.random() < self._reviews:
            self._mailing(f"{match.game.word} review {match.number}")()
        if self.chance.random() < 0.3:
            self._reply(match.number, "rematch\n\nThat was fun.")
        elif self.chance.random() < 0.7:
            self.challenge()

    def _move(self, match: Match) -> None:
        """Play, or do something else that is possible in turn."""
        roll, board = self.chance.random(), match.number
        mine = match.player(self.userid)
        if match.bounds.decided and roll < 0.4:
            self._reply(board, "claim" if match.bounds.decided == mine else "resign")
        elif roll < 0.01:
            self._reply(board, "resign")
        elif roll < 0.05:
            self._reply(board, self.chance.choice(("undo", "draw", "cancel", "Z99", "try Q17")))
            self.world.later(HOUR, lambda: self._attend(board))
        elif roll < 0.07:
            self.world.mail(self.userid, self.chance.choice(GARBAGE), "\r\n".join(GARBAGE))
            self.world.later(HOUR, lambda: self._attend(board))
        elif roll < 0.3:
            word, move = match.game.word, self._choice(match)
            command = f"{word} move {board} {self.userid} {PASSWORD} {move}#{match.turn}"
            self.world.mail(self.userid, command, "Good luck!")
        else:
            plan = f" if {self._choice(match)} then {self._choice(match)}" if roll < 0.35 else ""
            self._reply(board, f"{self._choice(match)}{plan}\n\nYour turn.")

    def _choice(self, match: Match) -> str:
        moves = list(islice(match.position.moves(), 300))
        stones = [move for move in moves if move not in ("pass", "swap")]
        if "swap" in moves and self.chance.random() < 0.5:
            return "swap"
        is_idle = not stones or (match.game.has_points and match.bounds.settled)
        return "pass" if is_idle and "pass" in moves else self.chance.choice(stones)

    def _answer_all(self, to: str) -> None:
        """Answer a digest: a line for each board."""
        if self.world.now > self.gone:
            return
        matches = [match for board in self.shown if (match := self.world.match(board))]
        due = [match for match in matches if match.to_move == self.userid]
        lines = [f"{match.number} {self._choice(match)}" for match in due]
        self.world.mail(self.userid, "Re: boards", "\n".join(lines or ["nothing to do"]), to)
