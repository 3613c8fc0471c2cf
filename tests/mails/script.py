"""Golden scripts: who mails what to the server, and who gets which letter, as a person would tell it.

What goes in:
    ! limits=off operator=op@site.example     keys of the configuration, in the first lines
    ! brief                            from here on: of a letter what is new in it (as at the beginning)
    ! whole                            from here on: all of the text
    ! subjects                         from here on: of an error its reason, of a letter its Subject
    ! bob is gone                      the relay refuses letters to bob, until: ! bob is back
    @ 8 days later                     the clock moves on
    > alice: SUBJECT                   a mail to the server (alice is short for alice@alice.example)
    > alice to postmaster: SUBJECT     the same to another address of ours
    > alice replies: LINE              to the newest letter that alice can reply to
    > alice replies to "New Star": LINE     ... whose Subject begins with these words
    > alice replies where "a draw" stands: LINE     ... in whose text these words stand
    > alice replies on 2: LINE         ... that is about board 2
    > alice replies for bob: LINE      ... that bob got
    > alice unsubscribes               a program's mail to the List-Unsubscribe of alice's newest letter
    > alice's program answers          an automatic answer to alice's newest letter
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
    alice| - You lost                  what the Subject ends with for alice alone
    | text                             a line that all of them got
    bob| text                          a line that only bob got
    | can: move B3#3, pass#3; reply: score    in brief: the commands that a letter offers, and more words, but
                                       for show and help, which are always there
    | (star help me) No such page.    in brief: (what was understood of a command) and why it is refused
    | + 12 lines                       in brief: more of a page, a list of points or a lesson
    | + album                          in brief: the album of the game stands there
    . ignored: null sender             what became of a mail that no letter came of
    = text                             what pbmstar printed, and how it ended if not well
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile

from harness.letters import ALBUM, RULE
from harness.office import DAY, SERVER, Got, Office, address
from harness.returned import bounce, complaint

from pbmstar.service import Outcome

_OUTPUT = re.compile(r"[<.=] |[^ |>+$!@#][^ |]*\||[<.=]$")
_MAIL = re.compile(
    r"> (?P<who>\S+?)(?:(?P<replies> replies)(?: to \"(?P<old>[^\"]*)\")?(?: where \"(?P<says>[^\"]*)\" stands)?(?: on (?P<board>\d+))?(?: for (?P<owner>\S+))?"
    r"| to (?P<to>\S+))?:(?: (?P<line>.*))?"
)
_UNITS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": DAY}
_SERIAL = re.compile(r"<pbmstar\.[0-9a-f]{24}@")
_NUMBER = re.compile(  # of a letter: PostgreSQL leaves some out
    r"(?m)(?<=Letter )\d+(?= (?:to|was) )|(?<=; letters  )\d+(?= ;)|(?<=  id )\d+(?=; message_id)|^\d+(?=  (?:dead|new)  )"
)
_OWN = re.compile(  # what a letter says to its own reader alone, above the board
    r"(?ms)^(?:Your (?:move|answer), \S+\.\n|(?:\S+ has challenged you to a game|Your game) of .*?\n\n)"
)
FORMS = ("! brief", "! whole", "! subjects")
WIDE = 108
_PAGES = re.compile(r"Help: |Star Course|Star Problem|Star: welcome|.* (?:Score|Review)$")
_CONSTANT = ("show", "help")  # offered in each letter
_SCORES = re.compile(r"[a-z]\S* \([xo]\): ")
_TABLE = re.compile(r"(?m)^ |\S  +\S")
_PROSE = re.compile(r"[a-z]{3}")
_COMMAND = re.compile(r"(?:\S+ (?!\S+ password))?(\S+)(?: \d+)?(?: \S+ password)?(.*)")
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
        self._form = "! brief"
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
        if line in FORMS:
            self._form = line
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
            and board in ("", got.mail["X-Pbmstar-Board"])
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
        self._mails[-1][1].extend(letters)
        self._got += letters
        form = _in_brief if self._form == "! brief" else _parts
        together: dict[tuple[str, ...], list[Got]] = {}
        for got in letters:
            together.setdefault((got.subject.partition(" - ")[0], *form(got)[::2]), []).append(got)
        return [each for same in together.values() for each in self._shown(same)]

    def _shown(self, letters: list[Got]) -> Iterator[str]:
        names = [_short(got.to) for got in letters]
        times = {
            name: f"{name} {count} times" for name, count in Counter(names).items() if count > 1
        }
        subject = letters[0].subject.partition(" - ")[0]
        yield f"< {', '.join(times.get(name, name) for name in dict.fromkeys(names))}: {subject}"
        form = _in_brief if self._form == "! brief" else _parts
        head, _, tail = form(letters[0])
        if self._form == "! subjects":
            if subject.endswith("Error"):
                yield from _lines("", _reason(head).splitlines())
            return
        same, own, rest = _compared([form(got)[1].splitlines() for got in letters])
        yield from _lines("", head.splitlines() + same)
        for name, lines in zip(names, own, strict=True):
            yield from _lines(name, lines)
        yield from _lines("", rest + tail.splitlines())


def _parts(got: Got) -> tuple[str, str, str]:
    """A text up to what its reader can send next, that, and the comment.

    What is said to the reader alone counts as a part of what she can send.
    """
    head, choices, rest = _TOKEN.sub("TOKEN", got.text).partition("You can:\n")
    middle, rule, comment = rest.partition(RULE)
    own = "".join(_OWN.findall(head))
    _, dash, stressed = got.subject.partition(" - ")
    return (
        _OWN.sub("", head),
        dash.lstrip() + stressed + "\n" * bool(dash) + own + choices + middle,
        rule + comment,
    )


def _in_brief(got: Got) -> tuple[str, str, str]:
    """The same three parts of a letter, each only as far as it is new or its reader's own."""
    head, choices, tail = _parts(got)
    choices, album, _ = choices.partition(f"\n{ALBUM}\n")
    tail = tail + "\n+ album" * bool(album)
    if got.subject.endswith("Error"):
        return _reason(head), "", ""
    if _PAGES.match(got.subject):
        first, _, rest = head.partition("\n\n")
        more = rest.count("\n") + tail.count("\n")
        return "\n".join([_filled(first), *([f"+ {more} lines"] if more else [])]), "", ""
    told = [each for each in head.split("\n\n") if _is_new(each)]
    if not got.mail["X-Pbmstar-Move"] or got.subject.endswith((" Record", " Preview")):
        told = [each if _TABLE.search(each) else _filled(each) for each in told]
        return "\n".join(told).strip("\n"), choices, tail.replace(f"{RULE}\n", "")
    if got.subject.startswith("New "):
        told = [each for each in told if not each.startswith(("Players ", "A first move "))]
    told = [each.partition("\n")[0] if _SCORES.match(each) else each for each in told]
    comment = re.sub(r"\n{2,}", "\n", tail.replace(f"{RULE}\n", ""))
    return _filled(" ".join(told)), _filled(_offered(choices)), comment.strip("\n")


def _is_new(paragraph: str) -> bool:
    """Whether a paragraph of a board's letter is neither a heading, the record nor a drawing."""
    known = paragraph.startswith(("Summary of ", "Options: ", "Moves:\n"))
    return not known and bool(_PROSE.search(paragraph))


def _offered(choices: str) -> str:
    """The commands of a letter on one line, and the reply words that none of them begins with."""
    commands, _, words = choices.partition("Or simply reply: ")
    told = [
        "".join(found.groups())
        for line in commands.splitlines()
        if line.startswith("  ") and (found := _COMMAND.fullmatch(line.strip()))
    ]
    known = {re.split("[ #]", each)[0] for each in told}
    words, _, below = words.partition(":\n\n")[2].partition("\n\n")
    replies = re.split(r"  +", words.strip())
    more = [word for word in replies if word.split(" ")[0] not in known]
    told = [each for each in told if each not in _CONSTANT]
    told = [f"can: {', '.join(told)}"] if told else []
    told = [choices.partition("\n")[0], *told] if choices.startswith("- ") else told
    more = [*more, *(["letters mine"] if "letters mine" in below else [])]
    rest = [each for each in below.strip().split("\n\n") if each and "letters mine" not in each]
    return "; ".join([*told, *([f"reply: {', '.join(more)}"] if any(more) else []), *rest])


def _filled(text: str) -> str:
    return textwrap.fill(
        " ".join(text.split()), WIDE, break_long_words=False, break_on_hyphens=False
    )


def _reason(head: str) -> str:
    """Return why something was refused, of an error's text, each behind what was understood."""
    told = re.sub(
        r"Your line:\n\n  (.*(?:\n    .*)*)\n\n",
        r"(\1) ",
        head.partition("\n\nNothing was done")[0],
    )
    return "\n".join(each if each.startswith(" ") else _filled(each) for each in told.split("\n\n"))


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


_OF_ACCOUNTS = re.compile(
    r"Star account |(?:List of|Best of|Help:|Star players|Star Error).*|.* against "
)


def _asks(got: Got) -> bool:
    """Whether a letter is one that people reply to: all about an account can be replied to."""
    if "+c" not in got.reply_to or not _OF_ACCOUNTS.match(got.subject):
        return True
    return "eply with one line" in got.text or "reply to this mail" in got.text


def _full(who: str) -> str:
    return who if "@" in who else address(who)


def _short(home: str) -> str:
    local, _, domain = home.partition("@")
    return local if domain == f"{local}.example" else home
