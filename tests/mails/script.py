"""Golden scripts: who mails what to the server, and who gets which letter, as a person would tell it.

What goes in:
    ! limits=off operator=op@site.example     keys of the configuration, in the first lines
    ! needs bots                       in the first lines: not played where that feature is left out
    ! slow                             in the first lines: played with --slow (and --renew) only
    ! brief                            from here on: of a letter what is new in it (as at the beginning)
    ! subjects                         from here on: of an error its reason, of a letter its Subject
    ! whole                            from here on: all of the text
    ! bytes                            from here on: Subjects; the letters stand in the file of bytes beside
    ! next whole                       the same for what comes of the next step alone: brief, subjects, bytes
    ! carol, dora have accounts        (or: has an account) with the password tr1angle
    ! bob is gone                      the relay refuses letters to bob, until: ! bob is back
    @ 8 days later                     the clock moves on
    > alice: SUBJECT                   a mail to the server (alice is short for alice@alice.example)
    > alice to postmaster: SUBJECT     the same to another address of ours
    > alice replies: LINE              to the newest letter that alice can reply to
    > alice replies to "New Star": LINE     ... whose Subject begins with these words
    > alice replies where "a draw" stands: LINE     ... in whose text these words stand
    > alice replies on 2: LINE         ... that is about board 2, perhaps among others
    > alice replies for bob: LINE      ... that bob got
    > alice unsubscribes               a program's mail to the List-Unsubscribe of alice's newest letter
    > alice's program answers          an automatic answer to alice's newest letter
    > alice complains                  a complaint (RFC 5965) about alice's newest letter
    > alice's mail returns: 5.1.1      a bounce of alice's newest letter
    > again                            the last mail once more, the same bytes
    + Precedence: bulk                 a header of the mail above it; or its envelope: + MAIL FROM:<>
    | text                             a line of the mail above it
    >> 1: C3, swap, D4                 moves on board 1 by whoever's turn it is, as replies; bots answer
    ! bots answer                      the bots play what is due
    $ admin board list                 pbmstar, with these words
TOKEN stands for a one-time token: in a mail for the newest that its writer got, "TOKEN of bob" for bob's.

What comes out, and is written anew by ``pytest tests/mails --renew``:
    < alice, bob: SUBJECT              a letter to each of them
    < bob: SUBJECT | text              the same, if its text fits there
    alice| - You lost                  what the Subject ends with for alice alone
    | text                             a line that all of them got
    bob| text                          a line that only bob got
    . ignored: null sender             what became of a mail that no letter came of
    = text                             what pbmstar printed, and how it ended if not well; JSON on few lines;
                                       nothing if it says that there was nothing to do (QUIET)
    | [rated: 1500?; 1500?; +9; -9]    wherever it stands, a sentence that many letters share: its name in
                                       harness/common.txt, and its values

A letter in brief:
    | Somebody, probably you, ...      a sentence that this script has shown, with what followed it there: so
                                       many words as no other sentence begins with. Names of a reader are
                                       as good as another's
    | ...                              lines of a table that stood so below the one above
    | (star help me) No such page.     what was understood of a command if it is not the mail's own line, and
                                       why it is refused; (no line) if none was named
    | reply: pass, claim, score        the words that a reply may begin with, if they are neither usual (USUAL
                                       in forms.py) nor those of the last such letter
    | + 12 lines                       more of a page, a lesson, a report or the list of settings
    | + album                          the album of the game, with what was written
Of a board's letter it leaves out the heading, the drawing, the moves, the rules; whose turn it is, which its
Subject says; the move that the mail above it made; a score that has not changed; what a game of two new players
is worth. What is left out stands whole in short_game.letters, and each game in its own script. Only the scripts
of ratings show what letters say of them, only those of bots that a review is offered, and only those of the first
week its tips: else these features could not be left out.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version

from harness.common import named
from harness.office import DAY, SERVER, Got, Office, address
from harness.returned import bounce, complaint

from pbmstar.service.work.context import Outcome

from .forms import WIDE, Mail, Piece, Read, View, brief, filled, reason, refuses, together, whole

_OUTPUT = re.compile(r"[<.=] |[^ |>+$!@#][^ |]*\||[<.=]$")
_MAIL = re.compile(
    r"> (?P<who>\S+?)(?:(?P<replies> replies)(?: to \"(?P<old>[^\"]*)\")?(?: where \"(?P<says>[^\"]*)\" stands)?(?: on (?P<board>\d+))?(?: for (?P<owner>\S+))?"
    r"| to (?P<to>\S+))?:(?: (?P<line>.*))?"
)
VERSION = version("pbmstar")
_UNITS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": DAY}
_SERIAL = re.compile(r"<pbmstar\.[0-9a-f]{24}@")
_NUMBER = re.compile(  # of a letter: PostgreSQL leaves some out
    r"(?m)(?<=Letter )\d+(?= (?:to|was) )|(?<=; letters  )\d+(?= ;)|(?<=  id )\d+(?=; message_id)|^\d+(?=  (?:dead|new)  )"
)
FORMS = ("! brief", "! whole", "! subjects", "! bytes")
QUIET = (
    "Done: 0 reminders, 0 last warnings, 0 forfeits.\n",
    "Another process delivers from this spool.\n",
    "0 differences.\n",
)
_TOKEN = re.compile(r"\b[a-z2-7]{32}\b")


def steps(text: str) -> Iterator[tuple[list[str], bool]]:
    """What goes in, line by line, those of one mail together; and whether anything comes of it."""
    step: list[str] = []
    shown = False  # whether the line before belongs to what came out
    for line in text.splitlines():
        if step and line.startswith(("+", "|")) and not shown:
            step.append(line)
            continue
        shown = bool(_OUTPUT.match(line)) or (shown and line.startswith("|"))
        if shown:
            continue
        if step:
            yield step, True
            step = []
        if line.startswith((">", "$")) or line == "! bots answer":
            step = [line]
        else:
            yield [line], False
    if step:
        yield step, True


def settings(text: str) -> dict[str, str]:
    """The configuration that a script asks for."""
    words = [word for line in re.findall(r"(?m)^! (.*=.*)$", text) for word in line.split()]
    return dict(word.split("=", 1) for word in words)


class Script:
    """Plays a script in an office."""

    def __init__(self, office: Office, feature: str = "") -> None:
        """``feature``: the one in whose folder the script lies, if it is one. See ``text_of``."""
        self.office = office
        self._feature = feature
        self._mails: list[str] = []  # what was asked
        self._exact: list[tuple[str, list[Got]]] = []
        self._form = self._next = "! brief"  # from here on, and of what comes next
        self._got: list[Got] = []
        self._read = Read()
        self._answered = Mail()
        # The last mail, its envelope's sender if that is not its author, and its recipient.
        self._last: tuple[bytes, str | None, str] = (b"", None, "")

    def play(self, text: str) -> str:
        """The script with what really comes out."""
        out: list[str] = []
        for step, acts in steps(text):
            out += step
            out += self._act(step) if acts else self._note(step[0])
            self._next = self._form if acts else self._next
        assert self.office.check() == []
        return "\n".join(out) + "\n"

    def _note(self, line: str) -> list[str]:
        if line in FORMS:
            self._form = self._next = line
        elif line.replace(" next", "") in FORMS:
            self._next = line.replace(" next", "")
        elif there := re.fullmatch(r"! (\S+) is (gone|back)", line):
            refused = self.office.tray.refused
            (refused.add if there[2] == "gone" else refused.discard)(_full(there[1]))
        elif people := re.fullmatch(r"! (.*) (?:has an account|have accounts)", line):
            for userid in people[1].split(", "):
                self.office.add(userid, password="tr1angle")
        elif line.startswith("@"):
            passed = re.fullmatch(r"@ ([\d.]+) (second|minute|hour|day)s? later", line)
            assert passed, line
            self.office.now += float(passed[1]) * _UNITS[passed[2]]
        else:
            assert not line or line[0] in "#!", line
        return []

    def _act(self, step: list[str]) -> list[str]:
        if step[0].startswith("$"):
            done = self.office.run(*step[0][2:].split())
            self._answered = Mail()
            self._mails.append(step[0])
            output = _SERIAL.sub("<pbmstar.SERIAL@", done.output)  # the program's own are random
            output = _NUMBER.sub("N", output)
            output = re.sub(r"(?m)^database: .*", "database: SIZE", output)
            pieces = [
                Piece(f"= {named(line)}".rstrip(), True)
                for line in _printed(output.replace(VERSION, "VERSION"))
            ]
            printed = [
                "= ..." if line == "..." else line
                for line in self._read.shorten(tuple(pieces), set())
            ]
            if done.exit_code:
                printed.append(f"= exit status {done.exit_code}")
            return [*printed, *self._letters()]
        if step[0] == "! bots answer":
            self.office.think()
            self._mails.append(step[0])
            return self._letters()
        if step[0].startswith(">>"):
            return self._moves(step[0])
        outcome = self._mail(step)
        return self._letters() or [f". {outcome.name}: {outcome.reason}".removesuffix(": ")]

    def _moves(self, line: str) -> list[str]:
        board, moves = re.fullmatch(r">> (\d+): (.*)", line).groups()  # type: ignore[union-attr]
        shown: list[str] = []
        for move in moves.split(","):
            boards = [got for got in self._got if got.mail["X-Pbmstar-Board"] == board]
            row = self.office.row(int(board))
            assert row is not None
            who = boards[-1].mail["X-Pbmstar-To-Move"] if boards else row.to_move
            outcome = self._mail([f"> {who} replies on {board}: {move.strip()}"])
            assert outcome.name == "applied", (move, outcome)
            shown = self._letters()
            if not shown:  # it is a bot's turn
                self.office.think()
                shown = self._letters()
        return shown

    def whole(self) -> bytes:
        """The letters that stand byte for byte beside the script, below what was asked."""
        return b"".join(
            f"\n######## {asked}\n".encode()
            + b"".join(
                b"\n==== envelope sender " + got.sender.encode() + b"\n" + got.raw
                for got in letters
            )
            for asked, letters in self._exact
        )

    # -- mails

    def _mail(self, step: list[str]) -> Outcome:
        line, *more = step
        headers = "".join(f"{each[2:]}\r\n" for each in more if each.startswith("+"))
        lines = [each[2:] for each in more if each.startswith("|")]
        if line != "> again":
            who, _, first = line.removeprefix("> ").partition(": ")
            first = " ".join(first.split())
            self._answered = Mail(who.partition(" ")[0], (*([first] if first else []), *lines))
            self._last = self._written(line, lines)
        self._mails.append(" | ".join([line[2:].replace(":", " |", 1), *lines]))
        raw, sender, to = self._last
        for name, value in re.findall(r"(MAIL FROM|RCPT TO):<(.*)>\r\n", headers):
            sender, to = (value, to) if name == "MAIL FROM" else (sender, value)
        headers = re.sub(r"(MAIL FROM|RCPT TO):.*\r\n", "", headers)
        raw = raw.replace(
            b"Content-Type: text/plain;", headers.encode() + b"Content-Type: text/plain;", 1
        )
        self._last = raw, sender, to
        return self.office.deliver(raw, sender, to)

    def _written(self, line: str, lines: list[str]) -> tuple[bytes, str | None, str]:
        """A mail, who its envelope says it is from, and whom it goes to."""
        if returned := re.fullmatch(r"> (\S+)'s mail returns: (\S+)", line):
            return (*bounce(self._to(returned[1]).sender, returned[2], len(self._mails)),)
        if complains := re.fullmatch(r"> (\S+) complains", line):
            return (*complaint(self._to(complains[1]).sender, len(self._mails)),)
        if answers := re.fullmatch(r"> (\S+)'s program answers", line):
            to, machine = self._to(answers[1]).sender, "Auto-Submitted: auto-replied\r\n"
            return self.office.write(answers[1], "Out of office", "Back soon", to, machine), "", to
        if leaves := re.fullmatch(r"> (\S+) unsubscribes", line):
            wish = str(self._to(leaves[1], "List-Unsubscribe").mail["List-Unsubscribe"])
            to = wish.removeprefix("<mailto:").partition("?")[0]
            machine = "Auto-Submitted: auto-generated\r\n"
            return self.office.write(leaves[1], "unsubscribe", "", to, machine), "", to
        mail = _MAIL.fullmatch(line)
        assert mail, line
        who, text = mail["who"], self._with_tokens(mail["line"] or "", mail["who"])
        lines = [self._with_tokens(each, who) for each in lines]
        to, subject = SERVER, text
        if mail["to"]:
            to = mail["to"] if "@" in mail["to"] else f"{mail['to']}@pbm.example"
        if mail["replies"]:
            owner = mail["owner"] or who
            letter = self._to(
                owner, "Reply-To", mail["old"] or "", mail["board"] or "", mail["says"] or ""
            )
            if mail["board"] and not letter.mail["X-Pbmstar-Board"]:
                text = f"{mail['board']} {text}"
            to, subject, lines = letter.reply_to, f"Re: {letter.subject}", [text, *lines]
        return self.office.write(who, subject, "\r\n".join(lines), to), None, to

    def _to(
        self, who: str, header: str = "To", subject: str = "", board: str = "", says: str = ""
    ) -> Got:
        """The newest letter to somebody that has this header, Subject, board and words, if any are asked."""
        return next(
            got
            for got in reversed(self._got)
            if got.to == _full(who)
            and got.mail[header]
            and (subject or says or header != "Reply-To" or _asks(got))
            and got.subject.startswith(subject)
            and (board in ("", got.mail["X-Pbmstar-Board"]) or f"\nBoard {board}, " in got.text)
            and says in " ".join(got.text.split())
        )

    def _with_tokens(self, text: str, who: str) -> str:
        def newest(word: re.Match[str]) -> str:
            home = _full(word[1] or who)
            tokens = [_TOKEN.findall(got.text) for got in self._got if got.to == home]
            return next(token[-1] for token in reversed(tokens) if token)

        return re.sub(r"TOKEN(?: of (\S*\w))?", newest, text)

    # -- letters

    def _letters(self) -> list[str]:
        """What came, as the script shows it."""
        letters = self.office.letters()
        if self._next == "! bytes":
            self._exact.append((self._mails[-1], letters))
        self._got += letters
        groups: dict[object, list[tuple[Got, View]]] = {}
        for got in letters:
            view = self._view(got)
            key = got.subject.partition(" - ")[0], view.head, view.tail
            groups.setdefault(key, []).append((got, view))
        return [line for same in groups.values() for line in self._shown(same)]

    def _view(self, got: Got) -> View:
        if self._next == "! whole":
            return whole(got, self._feature)
        if self._next == "! brief":
            return brief(got, self._answered, self._feature)
        return reason(got, self._answered) if refuses(got) else View()

    def _shown(self, same: list[tuple[Got, View]]) -> list[str]:
        names = [_short(got.to) for got, _ in same]
        times = {
            name: f"{name} {count} times" for name, count in Counter(names).items() if count > 1
        }
        got, view = same[0]
        is_whole = refuses(got) or got.subject.endswith(" - removed")
        subject = got.subject if is_whole else got.subject.partition(" - ")[0]
        came = f"< {', '.join(times.get(name, name) for name in dict.fromkeys(names))}: {subject}"
        account, *_ = subject.removeprefix("Star account ").split(":")
        account = account if "account" in subject else names[0]
        pieces = self._read.new(view.head, got.mail["X-Pbmstar-Board"] or "")
        lines = self._read.shorten(pieces, {account} if len(set(names)) == 1 else set())
        own = [self._read.own(_short(got.to), got, view) for got, view in same]
        told = [
            *(("", line) for line in lines),
            *together(names, own),
            *(("", line) for line in view.tail),
        ]
        lines = [f"{name}| {line}".rstrip() for name, line in told]
        if len(lines) == 1 and lines[0].startswith("|") and len(f"{came} {lines[0]}") <= WIDE:
            return [f"{came} {lines[0]}"]
        return [came, *lines]


_OF_ACCOUNTS = re.compile(
    r"Star account |(?:List of|Best of|Help:|Star players|Star Error).*|.* against "
)


def _asks(got: Got) -> bool:
    """Whether a letter is one that people reply to: all about an account can be replied to."""
    if "+c" not in got.reply_to or not _OF_ACCOUNTS.match(got.subject):
        return True
    return "eply with one " in got.text or "reply to this mail" in got.text


def _printed(output: str) -> list[str]:
    """What pbmstar printed: nothing that says that there was nothing to do, and JSON on few lines."""
    if output in QUIET:
        return []
    if not output.startswith(("{", "[")):
        return output.splitlines()
    value = json.loads(output)
    assert output == json.dumps(value, indent=1) + "\n"
    return filled(json.dumps(value)).splitlines()


def _full(who: str) -> str:
    return who if "@" in who else address(who)


def _short(home: str) -> str:
    local, _, domain = home.partition("@")
    return local if domain == f"{local}.example" else home
