"""Mail of people that looks automatic is carried out and answered; mail of programs stays without an answer."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from harness.letters import SERVER
from harness.office import Office, address

DONE, ANSWERED, QUIET = "done", "answered", "quiet"


class Case(NamedTuple):
    """A mail of alice's: to the reply address of her newest board letter, or to the plain address."""

    meant: str
    subject: str
    body: str
    headers: str = ""
    replies: bool = True
    sender: str | None = None
    author: str = "alice"


def plain(meant: str, subject: str, body: str, headers: str = "") -> Case:
    return Case(meant, subject, body, headers, replies=False)


RE = "Re: New Star Board 1 alice"
PW = "alice s3cret"
# Who goes away writes such Subjects, in all languages; a password or a reply address proves the person.
AWAY = [
    plain(DONE, subject, f"away {PW} 14")
    for subject in (
        "Out of office next week", "Abwesend: 1.-14. Dezember", "Afwezig volgende week", "Frånvaro nästa vecka",
        "Fuori sede domani", "Absence du bureau jusqu'au 5", "Fuera de la oficina", "Fora do escritório",
        "Nieobecność", "Вне офиса", "Fravær: jeg er væk", "不在", "外出します", "Vacation response", "Auto: nach Rom",
    )
]  # fmt: skip
MOVES = [
    Case(DONE, subject, "D4\n\nsee you")
    for subject in (
        "Auto: fahre ich morgen", "Autoreply", "Returned mail: sorry", "failure notice", "Undeliverable: bad joke",
        "Poissa toimistosta", "Automatic reply: not at all", "Delivery status notification",
    )
]  # fmt: skip
WORDS = [
    Case(DONE, "Out of office", "away 14"),
    Case(DONE, "Autoreply", "move D4"),
    Case(DONE, "Abwesend: bin weg", "say see you"),
    Case(DONE, "Autosvar: nej", "resign"),
    plain(DONE, "Undeliverable: ha", f"star move 1 {PW} D4"),
    Case(ANSWERED, "Out of office", "away 900"),
    Case(ANSWERED, "Autoreply", "Z99"),
    Case(ANSWERED, "Vacation reply", "D99"),
    plain(ANSWERED, "Abwesend: bald", f"star move 1 {PW} Z99"),
]
# Gateways and mail services put such fields on people's mail.
FIELDS = (
    "X-Auto-Response-Suppress: All", "X-Auto-Response-Suppress: DR, AutoReply", "Precedence: bulk", "Precedence: list",
    "Precedence: junk", "X-Precedence: bulk", "List-Unsubscribe: <mailto:x@home.example>", "List-Id: <x.example>",
    "List-Help: <mailto:y@home.example>", "X-Loop: home.example", "List-Post: <mailto:z@home.example>",
)  # fmt: skip
MISTAKES = [Case(ANSWERED, RE, f"Z{at}", f"{field}\r\n") for at, field in enumerate(FIELDS, 80)]
QUESTIONS = [
    Case(DONE, RE, "show", "Precedence: bulk\r\n"),
    Case(DONE, RE, "help", "List-Id: <x.example>\r\n"),
    Case(DONE, RE, "games", "X-Auto-Response-Suppress: All\r\n"),
    plain(ANSWERED, "", f"star move 1 {PW} Z99", "List-Unsubscribe: <mailto:x@home.example>\r\n"),
    Case(ANSWERED, RE, "I think this is a fine game", "X-Loop: home.example\r\n"),
]
PEOPLE = [*AWAY, *MOVES, *WORDS, *MISTAKES, *QUESTIONS]

NOTE = "I am not in the office until Monday 5.12.2026 and do not read my mail.\n\nAlice"
# Programs answer to the reply address, to that of the envelope, or to the From address. A field, the null sender or
# a report's form says so; some have nothing but their Subject.
PROGRAMS = [
    *(
        Case(QUIET, RE, body, f"{field}\r\n")
        for body in ("D4", NOTE, "away 14")
        for field in (
            "Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated; x=y", "X-Autoreply: yes",
            "X-Autorespond: x", "Precedence: auto_reply", "X-Failed-Recipients: a@b.example",
        )
    ),
    *(
        Case(QUIET, subject, body)
        for body in (NOTE, "")
        for subject in (
            f"Automatic reply: {RE}", "Automatische Antwort: Star", "Réponse automatique : Star", "自动回复: Star",
            "Respuesta automática: Star", "Out of Office: Star", "Автоматический ответ: Star", "Autosvar: Star",
        )
    ),
    Case(QUIET, RE, NOTE, sender=""),
    Case(QUIET, RE, "D4", sender=""),
    plain(QUIET, "Automatic reply: Star", NOTE),
    plain(QUIET, "Out of office", "show 1"),
    plain(QUIET, "Abwesend: x", "star move 1 alice wr0ngone D4"),
    plain(QUIET, "", "star move 1 alice wr0ngone D4", "Precedence: bulk\r\n"),
    plain(QUIET, "help", "", "List-Id: <x.example>\r\n"),
    Case(QUIET, "Undelivered Mail Returned to Sender", NOTE, author="postmaster@home.example"),
    Case(QUIET, "Automatic reply: Star", NOTE, author="desk@home.example"),
    Case(QUIET, "Undeliverable: Star", "D4", author="mailer-daemon@home.example"),
]  # fmt: skip


@pytest.fixture
def board(office: Office) -> str:
    """A board on which alice is to move; its reply address."""
    letters = office.send("alice", "star challenge -size=6 alice bob")
    return next(letter.mail["Reply-To"] for letter in letters if letter.to == address("alice"))


def became(office: Office, reply_to: str, case: Case) -> str:
    """What became of a mail: it was done, refused with an answer, or nobody got a letter."""
    to = reply_to if case.replies else SERVER
    raw = office.write(case.author, case.subject, case.body, to, case.headers)
    outcome = office.deliver(raw, case.sender, to)
    told = [letter for letter in office.letters() if letter.to == address("alice")]
    if not told:
        return QUIET
    return DONE if outcome.name == "applied" else ANSWERED


@pytest.mark.slow
@pytest.mark.parametrize("cases", [PEOPLE, PROGRAMS], ids=["people", "programs"])
def test_what_becomes_of_mail_that_looks_automatic(
    office: Office, board: str, cases: list[Case]
) -> None:
    again, wrong = office.kept(), []
    for case in cases:
        if (really := became(office, board, case)) != case.meant:
            wrong.append((really, case))
        if really == DONE:
            again()
    assert not wrong, f"{len(wrong)} of {len(cases)}"


@pytest.mark.slow
def test_one_answer_to_the_same_words(office: Office, board: str) -> None:
    """A program that does not mark its notes writes the same each time: a person's mistakes keep their answers."""
    note = ("Alice Muster is out of the office.", NOTE)
    assert len(office.send("alice", *note, to=board)) == 1
    for _ in range(70):
        assert not office.send("alice", *note, to=board)
    for line in ("Z99", "Y99", "we should meet"):
        assert len(office.send("alice", RE, line, to=board)) == 1
    office.now += 86_401
    assert len(office.send("alice", *note, to=board)) == 1


def test_the_same_words_at_other_boards(office: Office) -> None:
    """At another board the same mistake is another one; but not for ever."""
    answers = []
    for _ in range(4):
        letters = office.send("alice", "star challenge -size=6 alice bob")
        to = next(letter.mail["Reply-To"] for letter in letters if letter.to == address("alice"))
        answers += [len(office.send("alice", "Re: Star", "Z99", to=to)) for _ in range(2)]
    assert answers == [1, 0] * 4


def test_no_hint_and_no_letter_to_others(office: Office, board: str) -> None:
    """A note with nothing but its Subject still tells that its player may be away; words go to nobody."""
    office.play(1, "D4")
    assert not office.send("alice", "Automatic reply: Star", "See you soon", to=board)
    assert office.ask("accounts.user", "alice").absent == office.now
