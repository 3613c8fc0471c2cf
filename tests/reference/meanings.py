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
        "The daemon takes mail from now on.",
        {"version": "its version, and after a `+` the commit that it was built from"},
    ),
    "mail": Event(
        "A message has got its answer.",
        {
            "id": "its id, which the answer to the mail server names and `admin explain` knows",
            "peer": "who brought it: a network address, `local`, `pipe` or `quarantine`",
            "client": "the machine that the mail server had it from",
            "sender_domain": "the domain of the envelope's sender",
            "recipients": "the number of the envelope's recipients",
            "bytes": "its length",
            "outcome": "what came of it, see below",
            "why": "the reason, see below; empty if its commands were carried out or refused",
            "done": "how many of its commands were carried out",
            "of": "how many commands it had",
            "commands": "each command that was read, with its game and its board: `star move 17`",
            "codes": "the reasons of refusals, see below",
            "letters": "the numbers of the letters that it caused",
            "limits": "the limits that it reached, see below",
            "authentic": "what our mail server says of its From address: `pass`, `fail` or `none`",
            "userid": "the account that it is from, or says that it is from",
            "proved": "whether that is proved",
            "message_hash": "a hash of its Message-ID",
            "quarantine": "its id in the quarantine",
            "ms": "milliseconds from the end of its content to its answer",
        },
    ),
    "sent": Event("The relay has taken letters.", {"letters": "their numbers"}),
    "deferred": Event("The relay did not take a letter, which is tried again.", LETTER),
    "refused": Event("The relay refused a letter for good, or it was given up.", LETTER),
    "alert": Event(
        "The operator is told of a trouble; by a letter too, unless alerts are muted.",
        {
            "kind": "the kind of alert, see [Alerts](alerts.md)",
            "detail": "what it is about, such as a letter or a board",
            "more": "how often it has happened since the last alert of its kind",
        },
    ),
    "session": Event("A command of a client failed here.", {"peer": "its network address"}),
    "delivery": Event(
        "Letters wait, because the relay or the database does not answer.",
        {"trouble": TROUBLE, "pause": "seconds until the next try"},
    ),
    "store": Event("This process can no longer use the database, and ends.", {"trouble": TROUBLE}),
    "writer": Event("Work waits for the database, or a commit failed.", {"trouble": TROUBLE}),
    "damaged": Event(
        "A round has left out what is damaged in the database.",
        {"what": "what was left out, such as `board 17`", "error": "the class of the error"},
    ),
    "bounce": Event("A returned message could not be read.", {"trouble": TROUBLE}),
    "picture": Event("A picture could not be drawn; its letter went without it."),
    "upkeep": Event("Daily letters, or the deletion of old rows, must wait.", {"trouble": TROUBLE}),
    "watch": Event("The look at the server that comes each minute failed."),
    "feature": Event("The work of a feature failed here.", {"name": "its name"}),
    "drain": Event(
        "The daemon takes no more mail, and ends once the letters are sent.",
        {"trouble": "that letters still wait at its end"},
    ),
    "stop": Event(
        "The daemon ended without waiting for all of its work; nothing is lost.",
        {"given_up": "what it did not wait for"},
    ),
    "bots": Event(
        "A process that finds moves for bots failed, or must wait.",
        {
            "trouble": TROUBLE,
            "board": "the board",
            "crashes": "how often it has failed for this turn",
            "pause": "seconds until the next try",
        },
    ),
    "site": Event(
        "Pages of the site were written, or could not be.",
        {
            "games": "pages of games",
            "others": "other files",
            "removed": "files that were taken away",
            "trouble": TROUBLE,
            "status": "the exit status of the process that writes them",
        },
    ),
}
# Events that the program names by a value.
NAMED_BY_A_VALUE = {"mail", "deferred", "refused", "delivery"}

OUTCOMES = {
    "applied": "At least one of its commands was carried out, or it did what `why` says.",
    "refused": "Nothing was carried out; `codes` says why. Its author was told, if limits allowed that.",
    "ignored": "It was not read for commands, and nobody was told.",
    "duplicate": "The same message has had its effect before.",
    "kept": "It is in the quarantine, since the operator has no address.",
    "quarantined": "A fault kept it from being handled; it is in the quarantine. `why` is the class of the error.",
    "deferred": "It had no effect, and its server sends it again. `why` says what is in the way.",
    "unreadable": "It was refused as a whole (554). `why` says what is wrong with it.",
}
REASONS = {
    "applied": {
        "first move": "A person without an account has played a first move, and is asked for a name.",
        "language": "A person without an account has chosen the language of our letters.",
        "unsubscribe": "A mail program has ended letters of a kind (List-Unsubscribe).",
        "suppressed": "A person without an account wants no more letters.",
        "passed on to the operator": "It was to postmaster or abuse.",
        "probe": "It answers a probe, or brings one back.",
        "bounce": "It brought a letter back, which is counted.",
        "address dropped": "A further address brings letters back, and is no longer used.",
        "address replaced": "The first address brings letters back; the next one takes its place.",
        "suspended": "The only address brings letters back; the account gets none for now.",
        "a feature's name": "A person without an account has answered a letter of that feature.",
    },
    "refused": {
        "no command": "It has no line that could be a command.",
        "empty reply": "It replies to a letter, and says nothing.",
        "not a yes": "It answers a question otherwise than by yes or no.",
        "no cell": "A guest's first move names a cell that the board does not have.",
        "board gone": "Its board was declined or removed.",
        "token from another address": "It replies to a letter from an address that is not the reader's.",
        "too many commands": "The account has sent too many commands within an hour.",
        "no and a feature's name": "An answer of a person without an account is not a possible one.",
    },
    "ignored": {
        "banned": "The operator has banned its address or domain.",
        "unknown token": "The reply address belongs to no account.",
        "no bounce": "It came to an address for bounces, and is none.",
        "no hard bounce": "A letter to a person without an account came back for a passing reason.",
        "too many mails": "Too many messages came from one place within an hour.",
        "null sender": "It has no sender, so it is a bounce, but at an address for players.",
        "auto-submitted": "Its header Auto-Submitted says that a program sent it.",
        "autoresponder": "A header says that a program answers for a person.",
        "calendar": "A calendar program answers an invitation.",
        "daemon": "Its author is a mail system.",
        "hops": "It has passed through more than 50 servers.",
        "loop": "It is a letter of ours that came back.",
        "out of office": "Its Subject says so.",
        "report": "It reports on the delivery of a letter.",
    },
    "kept": {"mail to the operator": "It was to postmaster or abuse."},
}
# Reasons for which a message gets no answer about an error; no outcome names them.
QUIET = {"list", "bulk", "noreply author", "x-auto-response-suppress", "x-loop"}
LIMITS = {
    "bounces": "bounces of one account in a day",
    "commands": "commands of one account in an hour",
    "door": "letters to one person without an account",
    "letters": "letters that messages without proof may cause",
    "mails": "messages of one place in an hour",
    "signups": "accounts asked for in an hour",
    "strangers": "letters to people without an account in a day",
    "wrong": "wrong passwords from one place",
}

# Sentences of codes whose sentences are put together.
# Codes whose sentence does not stand beside them, or says less than an example.
CODES = {
    "bad-days": "Those dates cannot be read. Write a number of days, or 2026-12-20 2027-01-03.",
    "no-contest": "There is no ladder of Hex on this server.",
    "missing-{name}": "Something is missing: the userid.",
    "offer-seat": "Offer 12 gives you no choice of the side.",
    "{kind}-game": "You cannot decline a game of a league.",
    "bad-choice": "After it stands one of these words: each, mine, daily.",
    "bridge": "The star in the middle is a bridge, on which no stone goes.",
    "bad-switch": "After it stands one of these words: on, off.",
    "late-swap": "A swap is possible as the second move only.",
    "no-command": "I found no command in your message.",
    "no-jump": "There is no jump from *30 to *10.",
    "no-line": "Your reply does not say which board it is about.",
    "not-in-row": "*10 is not on a row with *53.",
    "offer-not-taken": "Offer 12 is no longer open.",
    "out-of-reach": "You can challenge the three players above you: bob, carol, dora.",
    "slip": "Did you mean resign?",
    "two-questions": "bob asks something now; answer that first.",
    "wish": "To sign up, send: signup NAME",
}

HEADERS = {
    "X-Pbmstar-Game": ("`star`", "the word of the game"),
    "X-Pbmstar-Board": ("`17`", "the number of the board"),
    "X-Pbmstar-Move": ("`5`", "how many moves were made so far"),
    "X-Pbmstar-To-Move": ("`bob`", "the player to move, while the game runs"),
    "X-Pbmstar-Result": (
        "`bob`, `tie`, `void`, `unsolved`",
        "when it is over: the winner's userid, or another end. A userid that is such a word is `player tie`",
    ),
    "X-Pbmstar-Deadline": (
        "`2026-12-06T14:20:00Z`",
        "when the player to move loses on time; not in the turn of a bot, nor without a limit",
    ),
    "X-Pbmstar-Clock": ("`alice=702000 bob=864000`", "the seconds that each player has left"),
    "X-Pbmstar-By-Plan": ("`6`", "the moves that a plan has just made, by their numbers"),
    "X-Pbmstar-Rating": (
        "`alice=1543 bob=1491?`",
        "in the letters of a new and of a finished rated game: the ratings of both; `?`: not sure yet",
    ),
    "X-Pbmstar-Loop": ("`star.example.org`", "our domain, in every letter: by it we know our own letters"),
}  # fmt: skip

# Subjects: GAME is the title of a game, USERID a userid, 17 a number. What stands in brackets may be missing, and
# of what stands in braces there is one.
SUBJECTS = {
    "New GAME Board 17 USERID": "A game has begun; USERID is to move.",
    "GAME Board 17[ USERID]": "After a move; USERID is to move, and nobody once the game is over.",
    "Reminder: GAME Board 17 USERID": "A move of USERID is awaited.",
    "GAME Board 17 - removed": "The board is gone; nobody has lost.",
    "GAME Board 17 - [play ]MOVE?": "A line may mean this; reply yes to do it.",
    "GAME Board 17 Error": "A line about that board was refused.",
    "Star Error": "A line was refused.",
    "Star: help": "How to do what was asked for.",
    "GAME[ Board 17] Preview": "A position tried out.",
    "GAME Board 17 Score": "The score, or the board as it was.",
    "GAME Board 17 Review": "Where a finished game turned.",
    "GAME Board 17 Notes": "Your notes.",
    "GAME Board 17 Record": "All moves, as text and JSON.",
    "List of [GAME ]Games": "Your games, or another player's.",
    "Best of GAME": "The best results in a puzzle.",
    "GAME history of USERID": "A player's rated games.",
    "Star ratings": "The list of ratings.",
    "Star players": "Who plays here.",
    "Star: USERID": "About a player.",
    "Star: USERID against USERID": "How two players have done against each other.",
    "Star: USERID is away": "Your opponent has booked leave.",
    "Star: 17 board[s] wait[s] for you": "The daily letter.",
    "Star: news of your boards": "The daily letter, while no board waits for you.",
    "Star: 17 game[s] to take": "The daily letter with nothing but offers of games.",
    "Star: 17 open offer[s][ of GAME]": "Games that you can take.",
    "Star: your offer[s][ 17]": "Offers of your own.",
    "Star: your offer 17 has ended": "An offer of yours was taken back, or is too old.",
    "Star: you wait for an opponent": "What `match` has begun.",
    "Star: no opponent yet": "`match` offers you a bot.",
    "Star: USERID invites you to a game": "An invitation, to a person without an account.",
    "Star: USERID has been told": "The answer to one who declines it.",
    "Star: a postcard from USERID": "A finished game, to a person without an account.",
    "Star: GAME ladder": "A ladder.",
    "Star: GAME league[ 17][, division 17]": "A season of a league.",
    "Star: GAME league 17[, division 17] {begins|ends|is over|crosstable}": "A season of a league.",
    "Star: leagues": "The leagues of the server.",
    "Star: GAME cup 17[ {begins|is over}]": "A cup.",
    "Star Course[ 17]": "A lesson of the course.",
    "Star Problem[ 17]": "The problem of the week.",
    "Star: solvers of 17": "Who has solved the most problems of a year.",
    "Star Sunday 17": "How all did in a Sunday game.",
    "Help: {GAME|TOPIC}": "A help page.",
    "Star account USERID: TOPIC": "About an account. TOPIC says what, see below.",
    "Star: welcome": "To a person without an account.",
    "Star: your first move": "The same, after a first move.",
    "Star: no more mail": "The last letter to a person who wants none.",
    "Star: probe": "A letter by which the operator tests the way.",
    "Star news: WORDS": "An announcement of the operator.",
    "Star server: TOPIC": "To the operator: an alert, or a report by a player.",
    "Mail to the operator": "To the operator: a message to postmaster or abuse.",
}
ADDED = {
    " **": "words of your opponent are in it",
    " - Your answer, USERID": "you are asked something",
    " - USERID is asked": "your opponent is asked something",
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
    r"(?: \*\*)?(?: - (?:Your answer, \S+|\S+ is asked|(?:You|\S+) (?:won|lost)(?: by [0-9]+)?|A draw"
    r"|No result|Solved|The end|(?:Du|Tu|Has) [\w ]+))?$"  # in three languages more
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
    ("the heading", r"Summary of Star Board \d+", "the game, as in the Subject"),
    ("options", r"Options: .*", "if they are not the usual ones"),
    ("notices", r"[A-Z].*\.", "what has happened: one or more paragraphs"),
    ("the status", r"It is \w+'s turn\.|Game .*\.", "whose turn it is, or who has won"),
    ("scores", r"\w+ \([xo]\): .*", "of games with points: each player's, and each chain's"),
    ("moves", r"Moves:", "all moves, with their numbers; a `*` marks planned ones"),
    ("the board", r" *[0-9]+- .*", "drawn as text; `help cells` explains the names of cells"),
    ("the last move", r"Last move: .*", "its number, its cell, its player"),
    ("clocks", r"\w+ has .*", "what each player has left, then plan, note, request, rating and what else waits"),
    ("replies", r"You can: ?.*", "command lines ready to send"),
    ("a rule", r"\*{60}", "if words of a player are in the letter"),
    ("words", r"\w+ writes:", "the words, to the end"),
)  # fmt: skip

# The terms of a challenge: values, what holds otherwise, and the meaning.
TERMS = {
    "time": (
        "`21d`, `10d+36h`, `10d+36h/20d`, `none`, `slow`, `normal`, `fast`, `daily`",
        "the key `time`",
        "time for moves: for each move; for all and a bit more after each; at most so much; no limit",
    ),
    "undo": ("`ask`, `no`, `free`", "`ask`", "whether moves may be taken back"),
    "leave": ("`yes`, `no`", "`yes`", "whether leave stops the clocks"),
    "claim": ("`yes`, `no`", "`yes`", "whether the winner of a decided game may end it"),
    "weekends": ("none, `yes`, `no`", "`no`", "clocks are paused on Saturdays and Sundays"),
    "private": ("none, `yes`, `no`", "`no`", "only the players see the game"),
    "rated": ("`yes`, `no`", "`yes`", "whether the game counts for ratings"),
}

STATUSES = {
    0: "Done.",
    1: "Refused: nothing was done, or there is something to look at (differences, letters that wait for an hour, "
    "a `fail` of `doctor`, nothing found).",
    2: "Wrong usage, or a wrong key of the configuration.",
    75: "Try again later: the database, the disk or the relay does not answer now. A mail server then keeps the "
    "message, and brings it again.",
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
