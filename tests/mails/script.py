"""Golden scripts: who mails what to the server, and who gets which letter, as a person would tell it.

What goes in:
    ! limits=off operator=op@site.example     keys of the configuration, in the first lines
    ! brief                            from here on: of an error its reason, of a letter its Subject
    ! whole                            from here on: all of the text (so it is at the beginning)
    ! bob is gone                      the relay refuses letters to bob, until: ! bob is back
    @ 8 days later                     the clock moves on
    > alice: SUBJECT                   a mail to the server (alice is short for alice@alice.example)
    > alice to postmaster: SUBJECT     the same to another address of ours
    > alice replies: LINE              to the newest letter that alice can reply to
    > alice replies to "New Star": LINE     ... whose Subject begins with these words
    > alice replies on 2: LINE         ... that is about board 2
    > alice replies for bob: LINE      ... that bob got
    > alice unsubscribes               a program's mail to the List-Unsubscribe of alice's newest letter
    > alice complains                  a complaint (RFC 5965) about alice's newest letter
    > alice's mail returns: 5.1.1      a bounce of alice's newest letter
    > again                            the last mail once more, the same bytes
    + Precedence: bulk                 a header of the mail above it; or its envelope: + MAIL FROM:<>
    | text                             a line of the mail above it
    >> 1: C3, swap, D4                 moves on board 1 by whoever's turn it is, as replies
    ! bots answer                      the bots play what is due
    $ admin board list                 pbmstar, with these words
TOKEN stands for a one-time token: in a mail for the newest that its writer got, "TOKEN of bob" for bob's.

What comes out, and is written anew by ``pytest tests/mails --renew``:
    < alice, bob: SUBJECT              a letter to each of them
    | text                             a line that all of them got
    bob| text                          a line that only bob got
    . ignored: null sender             what became of a mail that no letter came of
    = text                             what pbmstar printed, and how it ended if not well
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile

from harness.letters import RULE
from harness.office import DAY, SERVER, Got, Office, address
from harness.returned import bounce, complaint

from pbmstar.service import Outcome

_OUTPUT = re.compile(r"[<.=] |[^ |>+$!@#][^ |]*\||[<.=]$")
_MAIL = re.compile(
    r"> (?P<who>\S+?)(?:(?P<replies> replies)(?: to \"(?P<old>[^\"]*)\")?(?: on (?P<board>\d+))?(?: for (?P<owner>\S+))?"
    r"| to (?P<to>\S+))?:(?: (?P<line>.*))?"
)
_UNITS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": DAY}
_SERIAL = re.compile(r"<pbmstar\.[0-9a-f]{24}@")
_NUMBER = re.compile(  # of a letter: PostgreSQL leaves some out
    r"(?m)(?<=Letter )\d+(?= to )|(?<=; letters  )\d+(?= ;)|(?<=  id )\d+(?=; message_id)|^\d+(?=  (?:dead|new)  )"
)
_TURN = re.compile(r"(?m)^Your move, \S+\.\n")
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

    def __init__(self, office: Office) -> None:
        self.office = office
        self._mails: list[tuple[str, list[Got]]] = []  # what was asked, and the letters
        self._brief = False
        self._got: list[Got] = []
        # The last mail, its envelope's sender if that is not its author, and its recipient.
        self._last: tuple[bytes, str | None, str] = (b"", None, "")

    def play(self, text: str) -> str:
        """The script with what really comes out."""
        out: list[str] = []
        for step, acts in steps(text):
            out += step
            out += self._act(step) if acts else self._note(step[0])
        done = self.office.run("admin", "check")
        assert (done.exit_code, done.output) == (0, "0 differences\n"), done.output
        return "\n".join(out) + "\n"

    def _note(self, line: str) -> list[str]:
        if line in ("! brief", "! whole"):
            self._brief = line == "! brief"
        elif there := re.fullmatch(r"! (\S+) is (gone|back)", line):
            refused = self.office.tray.refused
            (refused.add if there[2] == "gone" else refused.discard)(_full(there[1]))
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
            self._mails.append((step[0], []))
            output = _SERIAL.sub("<pbmstar.SERIAL@", done.output)  # the program's own are random
            output = _NUMBER.sub("N", output)
            printed = [f"= {line}".rstrip() for line in output.splitlines()]
            if done.exit_code:
                printed.append(f"= exit status {done.exit_code}")
            return [*printed, *self._letters()]
        if step[0] == "! bots answer":
            self.office.think()
            self._mails.append((step[0], []))
            return self._letters()
        if step[0].startswith(">>"):
            return self._moves(step[0])
        outcome = self._mail(step)
        return self._letters() or [f". {outcome.name}: {outcome.why}".removesuffix(": ")]

    def _moves(self, line: str) -> list[str]:
        board, moves = re.fullmatch(r">> (\d+): (.*)", line).groups()  # type: ignore[union-attr]
        shown: list[str] = []
        for move in moves.split(","):
            boards = [got for got in self._got if got.mail["X-Pbmstar-Board"] == board]
            who = boards[-1].mail["X-Pbmstar-To-Move"]
            outcome = self._mail([f"> {who} replies on {board}: {move.strip()}"])
            assert outcome.name == "applied", (move, outcome)
            shown = self._letters()
        return shown

    def bytes(self) -> bytes:
        """All letters as they came, below what was asked."""
        return b"".join(
            f"\n######## {asked}\n".encode()
            + b"".join(
                b"\n==== envelope sender " + got.sender.encode() + b"\n" + got.raw
                for got in letters
            )
            for asked, letters in self._mails
        )

    # -- mails

    def _mail(self, step: list[str]) -> Outcome:
        line, *more = step
        headers = "".join(f"{each[2:]}\r\n" for each in more if each.startswith("+"))
        lines = [each[2:] for each in more if each.startswith("|")]
        if line != "> again":
            self._last = self._written(line, lines)
        self._mails.append((" | ".join([line[2:].replace(":", " |", 1), *lines]), []))
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
            letter = self._to(owner, "Reply-To", mail["old"] or "", mail["board"] or "")
            to, subject, lines = letter.reply_to, f"Re: {letter.subject}", [text, *lines]
        return self.office.write(who, subject, "\r\n".join(lines), to), None, to

    def _to(self, who: str, header: str = "To", subject: str = "", board: str = "") -> Got:
        """The newest letter to somebody that has this header, Subject and board, if any are asked."""
        return next(
            got
            for got in reversed(self._got)
            if got.to == _full(who)
            and got.mail[header]
            and got.subject.startswith(subject)
            and board in ("", got.mail["X-Pbmstar-Board"])
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
        self._mails[-1][1].extend(letters)
        self._got += letters
        together: dict[tuple[str, ...], list[Got]] = {}
        for got in letters:
            together.setdefault((got.subject, *_parts(got)[::2]), []).append(got)
        return [each for same in together.values() for each in self._shown(same)]

    def _shown(self, letters: list[Got]) -> Iterator[str]:
        names = [_short(got.to) for got in letters]
        times = {
            name: f"{name} {count} times" for name, count in Counter(names).items() if count > 1
        }
        subject = letters[0].subject
        yield f"< {', '.join(times.get(name, name) for name in dict.fromkeys(names))}: {subject}"
        head, _, tail = _parts(letters[0])
        if self._brief:
            if subject.endswith("Error"):
                yield from _lines("", head.partition("\n\nNothing was done")[0].splitlines())
            return
        same, own, rest = _compared([_parts(got)[1].splitlines() for got in letters])
        yield from _lines("", head.splitlines() + same)
        for name, lines in zip(names, own, strict=True):
            yield from _lines(name, lines)
        yield from _lines("", rest + tail.splitlines())


def _parts(got: Got) -> tuple[str, str, str]:
    """A text up to what its reader can send next, that, and the comment.

    The line "Your move, alice." counts as one of what she can send.
    """
    head, choices, rest = _TOKEN.sub("TOKEN", got.text).partition("You can:\n")
    middle, rule, comment = rest.partition(RULE)
    turn = _TURN.search(head)
    return _TURN.sub("", head), (turn[0] if turn else "") + choices + middle, rule + comment


def _compared(texts: list[list[str]]) -> tuple[list[str], list[list[str]], list[str]]:
    """The lines that all texts begin with, those of each alone, and those that all end with."""

    def begin(texts: list[list[str]]) -> list[str]:
        alike = takewhile(lambda lines: len(set(lines)) == 1, zip(*texts, strict=False))
        return [lines[0] for lines in alike]

    head = begin(texts)
    own = [text[len(head) :] for text in texts]
    tail = begin([lines[::-1] for lines in own])[::-1]
    return head, [lines[: len(lines) - len(tail)] for lines in own], tail


def _lines(name: str, lines: list[str]) -> Iterator[str]:
    return (f"{name}| {line}".rstrip() for line in lines)


def _full(who: str) -> str:
    return who if "@" in who else address(who)


def _short(home: str) -> str:
    local, _, domain = home.partition("@")
    return local if domain == f"{local}.example" else home
