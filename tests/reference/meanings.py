"""The meanings of names that the program promises: the reference pages add these to what they find in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pbmstar.games import GAMES


class Event(NamedTuple):
    """An event of the log: what has happened, and the meanings of its facts by name."""

    text: str
    facts: dict[str, str] = {}


TROUBLE = "what went wrong, in words"
COMMON = {
    "at": "when, in UTC, to the millisecond",
    "level": "`info`, `warning` or `error`",
    "event": "the name of the event",
    "node": "the node that wrote the line",
    "trace": "after a fault of the program: frames and classes of errors, without any text of a message",
}
LETTER = {
    "letter": "its number",
    "message_id": "its Message-ID",
    "code": "the relay's status code, such as `450 4.2.0`; empty if the relay did not answer",
    "tries": "how often it was tried",
}
EVENTS = {
    "start": Event(
        "The daemon is ready for mail.",
        {"version": "its version, and after a `+` the commit it was built from"},
    ),
    "mail": Event(
        "A message was answered.",
        {
            "id": "its id, as in the answer to the mail server; `admin explain` knows it",
            "peer": "who brought it: a network address, `local`, `pipe` or `quarantine`",
            "client": "the machine the mail server got it from",
            "sender_domain": "the domain of the envelope's sender",
            "recipients": "the number of the envelope's recipients",
            "bytes": "its length",
            "outcome": "what became of it, see below",
            "why": "the reason, see below; empty if its commands were carried out or refused",
            "done": "how many of its commands were carried out",
            "of": "how many commands it had",
            "commands": "each command that was read, with its game and its board: `star move 17`",
            "codes": "the reasons of refusals, see below",
            "letters": "the numbers of the letters it caused",
            "limits": "the limits it reached, see below",
            "authentic": "what our mail server says about its From address: `pass`, `fail` or `none`",
            "userid": "the account it's from, or says it's from",
            "proved": "whether that's proved",
            "message_hash": "a hash of its Message-ID",
            "quarantine": "its id in the quarantine",
            "ms": "milliseconds from the end of the message to its answer",
        },
    ),
    "sent": Event("The relay accepted letters.", {"letters": "their numbers"}),
    "deferred": Event("The relay didn't accept a letter; we'll try again.", LETTER),
    "refused": Event("The relay refused a letter for good, or we gave it up.", LETTER),
    "alert": Event(
        "The operator is told about a problem, by a letter too unless alerts are muted.",
        {
            "kind": "the kind of alert, see [Alerts](alerts.md)",
            "detail": "what it's about, such as a letter or a board",
            "more": "how often it has happened since the last alert of that kind",
        },
    ),
    "session": Event(
        "A command from a client failed because of a bug.", {"peer": "its network address"}
    ),
    "delivery": Event(
        "Letters are waiting, because the relay or the database doesn't answer.",
        {"trouble": TROUBLE, "pause": "seconds until the next try"},
    ),
    "mailbox": Event(
        "We can't read the mailbox now, or can't move messages out of its inbox.",
        {"trouble": TROUBLE, "pause": "seconds until the next try"},
    ),
    "store": Event("This process can't use the database any more, and ends.", {"trouble": TROUBLE}),
    "writer": Event("Work is waiting for the database, or a commit failed.", {"trouble": TROUBLE}),
    "damaged": Event(
        "A periodic job skipped something damaged in the database.",
        {"what": "what was left out, such as `board 17`", "error": "the class of the error"},
    ),
    "fault": Event(
        "A periodic job skipped something because of a bug; the trace follows.",
        {"what": "what was left out, such as `board 17`"},
    ),
    "bounce": Event("We couldn't read a bounce.", {"trouble": TROUBLE}),
    "picture": Event("We couldn't draw a picture, and sent the letter without it."),
    "upkeep": Event(
        "Daily letters or the deletion of old rows have to wait.", {"trouble": TROUBLE}
    ),
    "watch": Event("The check the daemon makes each minute failed."),
    "drain": Event(
        "The daemon doesn't accept mail any more, and ends once its letters are sent.",
        {"trouble": "letters are still waiting at the end"},
    ),
    "stop": Event(
        "The daemon ended without finishing all its work; you don't lose anything.",
        {"given_up": "what it didn't wait for"},
    ),
    "bots": Event(
        "A bot's process failed, or has to wait.",
        {
            "trouble": TROUBLE,
            "board": "the board",
            "crashes": "how often it has failed in this turn",
            "pause": "seconds until the next try",
        },
    ),
    "site": Event(
        "The site's pages were written, or couldn't be.",
        {
            "games": "pages of games",
            "others": "other files",
            "removed": "files that were deleted",
            "trouble": TROUBLE,
            "status": "the exit status of the writing process",
        },
    ),
}
# Events that the program names by a value.
NAMED_BY_A_VALUE = {"mail", "deferred", "refused", "delivery"}

OUTCOMES = {
    "applied": "At least one command was carried out, or `why` says what it did.",
    "refused": "No command was carried out, and `codes` says why. The sender was told, if limits allowed it.",
    "ignored": "We didn't look for commands in it, and didn't answer.",
    "duplicate": "We've already handled the same message.",
    "kept": "It's in quarantine, because `operator` isn't set.",
    "quarantined": "It met a bug and is in quarantine. `why` is the class of the error.",
    "deferred": "We asked its server to send it again later. `why` says what's in the way.",
    "unreadable": "We refused all of it (554). `why` says what's wrong with it.",
}
REASONS = {
    "applied": {
        "first move": "Someone without an account played a first move, and is asked for a name.",
        "language": "Someone without an account chose the language of our letters.",
        "unsubscribe": "An email app unsubscribed its reader from a kind of letter (List-Unsubscribe).",
        "suppressed": "Someone without an account doesn't want any more letters.",
        "passed on to the operator": "It was for postmaster or abuse.",
        "probe": "It answers a probe, or brings one back.",
        "bounce": "It's a bounce, and is counted.",
        "address dropped": "Letters to a second address bounced, so we've stopped using it.",
        "address replaced": "Letters to the first address bounced, so we use the next one.",
        "suspended": "Letters to the only address bounced, so the account doesn't get any for now.",
        "a feature's name": "Someone without an account answered a letter from that feature.",
    },
    "refused": {
        "no command": "None of its lines could be a command.",
        "a wish": "It's a wish in words after a game, and the answer says how to have it.",
        "words to a bot": "It's a message to a bot, and the answer says what you can do.",
        "no first game": "It answers the welcome letter, but its sender can't start a game now.",
        "empty reply": "It answers a letter without saying anything.",
        "a no": "It says no to a letter that asks for a yes.",
        "not a yes": "It answers a question with something other than yes or no.",
        "no cell": "A guest's first move names a cell that isn't on the board.",
        "board gone": "Its board was declined or removed.",
        "former name": "The letter went to the account under its former name.",
        "token from another address": "It answers a letter from someone else's address.",
        "too many commands": "The account sent too many commands in an hour.",
        "no and a feature's name": "Someone without an account gave an impossible answer.",
    },
    "ignored": {
        "banned": "You've banned its address or domain.",
        "unknown token": "The reply address belongs to no account.",
        "no bounce": "It came to an address for bounces, but isn't one.",
        "report and its type": "A provider reports something other than a complaint, such as `report not-spam`.",
        "no hard bounce": "A letter to someone without an account bounced for a temporary reason.",
        "too many mails": "Too many messages came from one place in an hour.",
        "null sender": "It has no sender, so it's a bounce, but came to an address for players.",
        "auto-submitted": "Its header Auto-Submitted says that a program sent it.",
        "autoresponder": "A header says that a program is answering for someone.",
        "calendar": "A calendar program answers an invitation.",
        "daemon": "Its author is a mail system.",
        "hops": "It has passed through more than 50 servers.",
        "loop": "It's one of our own letters, or says it's from our address.",
        "junk": "The provider took it for junk and its sender isn't proved, so it stays in that folder.",
        "out of office": "Its Subject says so, and it has no command.",
        "report": "It's a delivery report, or its Subject says so and it has no command.",
    },
    "kept": {"mail to the operator": "It was to postmaster or abuse."},
}
# Reasons for which a message gets no answer about an error; no outcome names them.
QUIET = {"list", "bulk", "noreply author", "x-auto-response-suppress", "x-loop"}
LIMITS = {
    "bounces": "bounces for one account in a day",
    "commands": "commands from one account in an hour",
    "door": "letters to one person without an account",
    "letters": "letters caused by unproved messages",
    "mails": "messages from one place in an hour",
    "signups": "sign-ups in an hour",
    "strangers": "letters to people without an account in a day",
    "wrong": "wrong passwords from one place",
}

# Sentences of codes whose sentences are put together.
# Codes whose sentence does not stand beside them, or says less than an example.
CODES = {
    "bad-days": "I can't read those dates. Write a number of days, or 2026-12-20 2027-01-03.",
    "no-contest": "There's no Hex ladder on this server.",
    "missing-{name}": "Something is missing: userid.",
    "offer-seat": "Offer 12 gives you no choice of the side.",
    "{kind}-game": "You can't decline a cup or league game.",
    "bad-choice": "After it stands one of these words: each, mine, daily.",
    "bridge": "The star in the middle is a bridge, on which no stone goes.",
    "bad-switch": "After it stands one of these words: on, off.",
    "late-swap": "A swap is possible as the second move only.",
    "unaddressed": "The reply does not say which letter it answers; a yes to the answer does what it says.",
    "no-command": "We read your message, but couldn't find a move or a command in it.",
    "no-jump": "A stone on *30 can't jump to *10, or anywhere else.",
    "no-line": "Which board do you mean? Start each line with the number of its board, like 17 F6 or 23 pass.",
    "not-in-row": "*10 isn't on a row with *53.",
    "offer-not-taken": "Offer 12 is no longer open.",
    "out-of-reach": "You can challenge the three players above you: bob, carol, dora.",
    "slip": "Did you mean resign?",
    "two-questions": "bob asks something now; answer that first.",
    "one-move": "We didn't play {cell}, because you can only make one move per turn.",
    "wish": "To sign up, send: signup NAME",
}

HEADERS = {
    "X-Pbmstar-Game": ("`star`", "the word of the game"),
    "X-Pbmstar-Board": ("`17`", "the number of the board"),
    "X-Pbmstar-Move": ("`5`", "how many moves have been made"),
    "X-Pbmstar-To-Move": ("`bob`", "who moves next, while the game is running"),
    "X-Pbmstar-Result": (
        "`bob`, `tie`, `void`, `unsolved`",
        "when it's over: the winner's userid, or another end. If a player's userid is such a word, it's `player tie`",
    ),
    "X-Pbmstar-Deadline": (
        "`2026-12-06T14:20:00Z`",
        "when the next player loses on time; missing in a bot's turn, and without a time limit",
    ),
    "X-Pbmstar-Clock": ("`alice=702000 bob=864000`", "the seconds each player has left"),
    "X-Pbmstar-By-Plan": ("`6`", "the numbers of the moves a plan has just made"),
    "X-Pbmstar-Rating": (
        "`alice=1543 bob=1491?`",
        "in the first and last letter of a rated game: both ratings; `?` means not sure yet",
    ),
    "X-Pbmstar-Bounce": (
        "`balice-k5m2...`",
        "with `detail = none`: where a bounce of this letter belongs",
    ),
    "X-Pbmstar-Loop": ("`star.example.org`", "our domain, in every letter; we recognize our own letters by it"),
}  # fmt: skip

# Subjects: GAME is the title of a game, USERID a userid, 17 a number. What stands in brackets may be missing, and
# of what stands in braces there is one.
SUBJECTS = {
    "New GAME Board 17 USERID": "A new game; USERID moves first.",
    "GAME Board 17[ USERID]": "After a move; USERID moves next. When the game is over, there's no name.",
    "Reminder: GAME Board 17 USERID": "USERID still has to move.",
    "Reminder: 17 boards wait for you": "You still have to move on several boards, in a cup or a league.",
    "GAME Board 17 - removed": "The board is gone, and nobody has lost.",
    "GAME Board 17 - [play ]MOVE?": "Your line may mean this; reply yes to do it.",
    "GAME Board 17 Error": "We couldn't carry out a line about that board.",
    "Star Error": "We couldn't carry out a line.",
    "Star: help": "How to do what you asked for.",
    "GAME[ Board 17] Preview": "A position you're trying out.",
    "GAME Board 17 Score": "The score, or the board as it was.",
    "GAME Board 17 Review": "Where a finished game turned.",
    "GAME Board 17 Notes": "Your notes.",
    "GAME Board 17 Record": "All moves, as text and JSON, and of Hex and Y as SGF.",
    "List of [GAME ]Games": "Your games, or another player's.",
    "Best of GAME": "The best results in a puzzle.",
    "GAME history of USERID": "A player's rated games.",
    "Star ratings": "The list of ratings.",
    "Star players": "Who plays here.",
    "Star: USERID": "About a player.",
    "Star: USERID is away": "Your opponent has booked leave.",
    "Star: 17 board[s] wait[s] for you": "The daily letter.",
    "Star: 17 games lost on time": "You lost several games of a contest on time, all in one letter.",
    "Star: news of your boards": "The daily letter, while no board is waiting for you.",
    "Star: 17 game[s] to take": "The daily letter with nothing but offers of games.",
    "Star: 17 open offer[s][ of GAME]": "Games on offer.",
    "Star: your offer[s][ 17]": "Offers of your own.",
    "Star: your offer 17 has ended": "One of your offers was taken back, or is too old.",
    "Star: you wait for an opponent": "The answer to `match`.",
    "Star: no opponent yet": "`match` offers you a bot.",
    "Star: USERID invites you to a game": "An invitation, to someone without an account.",
    "Star: USERID has been told": "The answer to someone who declines it.",
    "Star: a postcard from USERID": "A finished game, to someone without an account.",
    "Star: GAME ladder": "A ladder.",
    "Star: GAME league[ 17][, division 17]": "A season of a league.",
    "Star: GAME league 17[, division 17] {begins|ends|is over|crosstable}": "A season of a league.",
    "Star: leagues": "The leagues of the server.",
    "Star: GAME cup 17[ {begins|half time|is over}]": "A cup.",
    "Star Course[ 17]": "A lesson of the course.",
    "Star Problem[ 17]": "The problem of the week.",
    "Star: solvers of 17": "Who has solved the most problems in a year.",
    "Help: {GAME|TOPIC}": "A help page.",
    "Star account USERID: TOPIC": "About an account. TOPIC says what, see below.",
    "Star: welcome": "To someone without an account.",
    "Star: your first move": "The same, after a first move.",
    "Star: for invited players": "The only letter to a stranger where only invited people can play.",
    "Star: no more mail": "The last letter to someone who doesn't want any.",
    "Star: no account yet": "To someone who can't sign up right now, with the reason.",
    "Star: probe": "A test letter from the operator.",
    "Star news: WORDS": "News from the operator.",
    "Star server: TOPIC": "To the operator: an alert, or a report by a player.",
    "Mail to the operator": "To the operator: a message to postmaster or abuse.",
}
ADDED = {
    " - Sunday 17": "the game is a Sunday game; below the board the letter says how all did in the last one",
    " **": "you or your opponent wrote something",
    " - Please answer, USERID": "you're asked something",
    " - USERID has to answer": "your opponent is asked something",
    " - You won by 17": "the end of a game; so are You lost, USERID won, A draw, No result, Solved, The end",
}

TITLE = f"(?:{'|'.join(re.escape(game.title) for game in GAMES)})"
_WORDS = {
    "GAME": TITLE,
    "USERID": "[a-z][a-z0-9_-]{1,15}",
    "17": "[0-9]+",
    "MOVE": "[A-Za-z0-9*@ +.-]+",
    "TOPIC": r"[a-z ]+\??",
    "WORDS": ".+",
}
_SIGNS = {r"\[": "(?:", r"\]": ")?", r"\{": "(?:", r"\}": ")", r"\|": "|"}
_BELOW = re.compile(
    r"(?: \*\*)?(?: - (?:Please answer, \S+|\S+ has to answer|(?:You|\S+) (?:won|lost)(?: by [0-9]+)?|A draw"
    r"|No result|Solved|The end|Sunday [0-9]+|(?:Du|Tu|Has) [\w ]+))?$"  # in three languages more
)


@cache
def _pattern(subject: str) -> re.Pattern[str]:
    """A row of SUBJECTS as a regular expression."""
    text = re.escape(subject)
    for sign, meant in _SIGNS.items():
        text = text.replace(sign, meant)
    return re.compile(
        re.sub(rf"(?<!\w)(?:{'|'.join(_WORDS)})\b", lambda word: _WORDS[word[0]], text)
    )


def is_subject(subject: str) -> set[str]:
    """The rows of SUBJECTS that a Subject of a letter is of; none if it is not promised."""
    bare = _BELOW.sub("", subject)
    return {row for row in SUBJECTS if _pattern(row).fullmatch(bare)}


# The text part of a letter about a board, in its order: a pattern of the line, and its meaning.
PARTS = (
    ("what happened", r".*(?:(?:Your move|Please answer), \w+|\w+ to move|You (?:won|lost)\b.*|A draw|it's (?:your|\w+'s) move)\.", "who played what, and whose turn it is; more sentences can follow, each on one or more lines"),
    ("words", r"\w+ writes.*:", "if a player wrote something: up to six lines of it, indented by two"),
    ("the board", r" *[0-9]+- .*", "drawn as text; `*star help` explains the names of cells"),
    ("the last move", r"Last move: .*", "its number, its cell, its player"),
    ("the score", r"\w+ \([xo]\).*", "in games with points: each player's, and which are still possible"),
    ("the clock", r"(?:You|\w+) (?:has|have|must) .*", "of the player who moves next"),
    ("replies", r"Reply with .*:.*", "how to move, and what else you can reply"),
    ("a rule", r"-{60}", "the rest isn't needed for a move"),
    ("the title", r"Summary of Star Board \d+", "the game, as in the Subject"),
    ("options", r"Options: .*", "if they aren't the usual ones"),
    ("the status", r"It is \w+'s turn\.|The game .*\.|\w+ (?:won|solved|gave up)\b.*\.", "whose turn it is, or who has won"),
    ("chains", r"  \w+: .*", "in games with points: the parts of each player's score"),
    ("moves", r"Moves: .*", "all moves, with their numbers; a `*` marks planned ones"),
    ("clocks", r"\w+ has .*", "what each player has left, then plan, note, request, rating and other waiting boards"),
)  # fmt: skip

# The terms of a challenge: values, what holds otherwise, and the meaning.
TERMS = {
    "time": (
        "`21d`, `10d+36h`, `10d+36h/20d`, `none`, `slow`, `normal`, `fast`, `daily`",
        "the key `time`",
        "time for each move; for all moves, plus some after each; at most so much; no limit",
    ),
    "undo": ("`ask`, `no`, `free`", "`ask`", "whether moves can be taken back"),
    "leave": ("`yes`, `no`", "`yes`", "whether leave stops the clocks"),
    "claim": ("`yes`, `no`", "`yes`", "whether the winner of a decided game can end it"),
    "weekends": ("none, `yes`, `no`", "`no`", "clocks stop on Saturdays and Sundays"),
    "private": ("none, `yes`, `no`", "`no`", "only the players see the game"),
    "rated": ("`yes`, `no`", "`yes`", "whether the game counts for ratings"),
}

STATUSES = {
    0: "Done.",
    1: "Refused, or there's something to look at: differences, letters waiting for an hour, "
    "a `fail` from `doctor`, or no results.",
    2: "Wrong usage, or a wrong key in the configuration.",
    75: "Try again later: the database, the disk or the relay doesn't answer now. A mail server keeps the "
    "message, and sends it again.",
}  # fmt: skip


def not_named(line: Mapping[str, object]) -> list[str]:
    """What a line of the log has that these tables do not name; the sentence of a library is none of ours."""
    if " " in str(line["event"]):
        return []
    event = EVENTS.get(str(line["event"]))
    if event is None:
        return [f"event {line['event']}"]
    known = event.facts.keys() | COMMON.keys()
    found = [f"{line['event']}: {name}" for name in line if name not in known]
    for table, key in ((OUTCOMES, "outcome"), (EVENTS, "event")):
        if key in line and line[key] not in table:
            found.append(f"{key} {line[key]}")
    limits = line.get("limits", ())
    return found + [f"limit {name}" for name in limits if name not in LIMITS]  # type: ignore[attr-defined]


@cache
def _codes() -> re.Pattern[str]:
    """The codes that the page about the log names."""
    page = Path(__file__).parents[2] / "docs" / "reference" / "log.md"
    rows = re.findall(r"(?m)^\| `([^`]+)` \|", page.read_text().partition("\n## Codes\n")[2])
    return re.compile("|".join(re.sub(r"\{\w+\}", "[a-z0-9-]+", row) for row in rows))


def unknown_codes(codes: Iterable[str]) -> list[str]:
    """Those codes of refusals that the page about the log does not name."""
    return [each for each in codes if not _codes().fullmatch(each)]
