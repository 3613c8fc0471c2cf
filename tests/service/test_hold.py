"""What a forged From line, a stranger and a flood cannot do, as it was tried."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from harness.common import sentence
from harness.letters import PASSWORD, SERVER, Got
from harness.office import DAY, Office, address
from harness.returned import bounce, complaint

from pbmstar.errors import TemporaryFailure
from pbmstar.inbound import returned
from pbmstar.service.incoming import bounces
from pbmstar.service.proof import authentication, limits
from pbmstar.service.proof.answers import ERRORS_A_DAY
from pbmstar.service.proof.limits import LETTERS_A_DAY
from pbmstar.service.verbs.play import SAID_A_DAY
from pbmstar.service.work.context import Computation, Envelope, Outcome, Precomputed

EVIL = "evil@evil.example"
SHOW_MANY = "\n".join(["star show " + " ".join(["1"] * 10)] * 20)


def forged(office: Office, body: str, who: str = "alice", subject: str = "hi") -> int:
    """A mail that says it is somebody's, and comes from elsewhere; returns how many letters come."""
    office.deliver(office.write(who, subject, body), EVIL)
    return len(office.letters())


# -- letters that nobody proved


@pytest.mark.parametrize(
    "ask", ["star show {}", "star score {}", "star help\nstar show {}\nnonsense"]
)
@pytest.mark.slow
def test_a_mail_that_asks_for_many_boards(office: Office, ask: str) -> None:
    """Three letters, the last one says how many more were asked for; a board named often comes once."""
    for _ in range(5):
        office.game()
    assert forged(office, SHOW_MANY) == 1
    office.deliver(office.write("alice", "", "\n".join(ask.format(n) for n in range(1, 6))), EVIL)
    *boards, last = office.letters()
    assert len(boards) == 2
    rest = 4 if "help" in ask else 3
    assert f"We left out {rest} of the letters you asked for. Without a password" in last.words


@pytest.mark.slow
def test_how_many_letters_more_were_asked_for_is_told_in_the_player_s_language(
    office: Office,
) -> None:
    for _ in range(5):
        office.game()
    office.send("alice", f"language alice {PASSWORD['alice']} de")
    office.deliver(
        office.write("alice", "", "\n".join(f"star show {n}" for n in range(1, 6))), EVIL
    )
    *_, last = office.letters()
    assert (
        "3 der Briefe, um die du gebeten hast, haben wir ausgelassen. Ohne Passwort bekommst"
        in last.words
    )
    assert "Without a password" not in last.words


def test_letters_an_hour_and_a_day(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all that is asked of a player's account, so many letters come; the last one says so."""
    monkeypatch.setattr(limits, "LETTERS_AN_HOUR", 3)
    monkeypatch.setattr(limits, "LETTERS_A_DAY", 11)
    office.game()
    letters: list[Got] = []
    hourly = []
    for _ in range(6):
        for number in range(5):
            office.deliver(office.write("alice", str(number), "star show 1"), EVIL)
        hourly.append(office.letters())
        letters += hourly[-1]
        office.now += 3601
    assert [len(each) for each in hourly] == [3, 3, 3, 2, 0, 0]
    assert "Without a password, you can get at most" in letters[-1].words
    office.now += DAY
    assert forged(office, "star show 1") == 1


def test_words_in_the_name_of_a_player(office: Office) -> None:
    """A challenge needs no proof, so that its words may be anybody's, who wants to seem alice."""
    mark = f"alice writes {sentence('unsure', 'alice')}:"
    office.deliver(
        office.write("alice", "star challenge alice bob", "Tell me your password."), EVIL
    )
    assert [f"\n{mark}\n  Tell me your password.\n" in each.text for each in office.letters()] == [
        True
    ] * 2
    office.send("alice", "star move 1 alice s3cret F6")
    letters = office.send("alice", "star challenge alice bob", "Again?")
    assert [letter.comment for letter in letters] == ["Again?", "Again?"]


@pytest.mark.slow
def test_what_is_proved_is_not_held_up(office: Office) -> None:
    """While forged mails have used up the letters, a password or a reply gets all of them."""
    to = office.send("alice", "star challenge alice bob")[0].reply_to
    for _ in range(40):
        forged(office, "star show 1")
    assert forged(office, "star show 1") == 0
    assert len(office.send("alice", "Re: x", "show", to)) == 1
    body = "star show 1\nstar move 1 alice s3cret F6\nstar show 1 1\nstar show 1\nstar score 1\nstar help"
    assert len(office.send("alice", "", body)) == 2 + 4, "before and after the move"


# -- bounces


def test_a_fat_bounce_is_read_in_part(office: Office) -> None:
    """64 KiB and 2,000 lines, whatever stands there; so many a day and address."""
    sender = office.send("alice", "star challenge alice bob")[1].sender
    raw, null, to = bounce(sender)
    fat = raw.replace(b"\r\n\r\n--b", b"\r\n\r\n" + b">\r\n" * 300_000 + b"--b", 1)
    assert len(fat) > 900_000
    assert office.deliver(fat, null, to).name == "ignored", "the report is too far down"
    assert office.deliver(raw.replace(b"returned.1@", b"r@"), null, to).why == "bounce"
    for number in range(bounces.BOUNCES_A_DAY + 5):
        nothing = office.write("x@y.example", f"{number}", to=to)
        outcome = office.deliver(nothing, null, to)
    assert outcome.limits == ("bounces",)
    assert office.ask("accounts.user", "bob").bounces == 1.0


@pytest.mark.parametrize(
    ("old", "new", "why", "score"),
    [
        ("abuse", "auth-failure", "report auth-failure", 0.0),
        ("abuse", "not-spam", "report not-spam", 0.0),
        ("abuse", "fraud", "suspended", 3.0),
    ],
)
def test_a_report_that_is_no_complaint(
    office: Office, old: str, new: str, why: str, score: float
) -> None:
    """Providers report other things in the same form: that a reader wants our mail, or what DMARC did."""
    sender = office.send("alice", "star challenge alice bob")[1].sender
    raw, envelope, to = complaint(sender)
    outcome = office.deliver(raw.replace(old.encode(), new.encode()), envelope, to)
    assert (outcome.why, office.ask("accounts.user", "bob").bounces) == (why, score)


def test_words_count_with_the_null_sender_alone(office: Office) -> None:
    """The address to which our letter went tells that they are about it."""
    sender = office.send("alice", "star challenge alice bob")[1].sender
    for number, (envelope, score) in enumerate((("x@y.example", 0.0), ("", 0.25), ("", 0.5))):
        raw = office.write("d@y.example", f"n{number}", f"No: {address('bob')}", to=sender)
        office.deliver(raw, envelope, sender)
        assert office.ask("accounts.user", "bob").bounces == score
    raw = office.write("d@y.example", "n", f"550 no such user {address('bob')}", to=sender)
    office.deliver(raw, "", sender)
    assert office.ask("accounts.user", "bob").bounces == 1.5


def test_the_library_sees_no_more_of_a_bounce() -> None:
    """Its time grows with lines, bytes, and the square of a line, so the bound is in those."""
    for hostile in (b"\n" * 1_000_000, b">\r\n" * 300_000, b"A: b\n\n" * 100_000, b"x" * 1_000_000):
        assert returned.read(b"From: x@y.example\n\n" + hostile) == ""
        lines = returned.beginning(b"From: x@y.example\n\n" + hostile).splitlines()
        assert sum(map(len, lines)) <= returned.SIZE and len(lines) <= returned.LINES
        assert max(map(len, lines)) <= returned.WIDTH


# -- counters that are turned on their owner


def test_many_forged_mails(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner's reply, password and question pass; the forger's questions are ignored."""
    monkeypatch.setattr(limits, "MAILS_AN_HOUR", 30)
    letters = office.send("alice", "star challenge alice bob")
    for number in range(35):
        outcome = office.deliver(office.write("alice", f"star show {number}"), EVIL)
    assert (outcome.name, outcome.why, outcome.limits) == ("ignored", "too many mails", ("mails",))
    office.letters()
    office.send("alice", "Re: x", "F6", letters[0].reply_to)
    assert office.record(1) == ["F6"]
    assert len(office.send("alice", "limit alice s3cret 5")) == 1
    assert len(office.send("alice", "star limit")) == 1, "an error of the owner's own"
    office.send("bob", "star move 1 bob hunter2 G7")
    office.deliver(office.write("alice", "star move 1 alice s3cret H7"), EVIL)
    assert office.record(1) == ["F6", "G7", "H7"], "a right password passes from there too"


@pytest.mark.slow
def test_forged_errors_leave_the_owner_theirs(office: Office) -> None:
    """A10: an error a mail, some a day, the last says so; the owner's are counted apart."""
    office.send("alice", "limit alice s3cret 5")
    letters = []
    for _ in range(LETTERS_A_DAY + 10):
        office.deliver(office.write("alice", "star dance"), EVIL)
        letters += office.letters()
    assert len(letters) == LETTERS_A_DAY
    last = [got for got in letters if "We won't send you another letter" in got.text]
    assert last == letters[-1:]
    assert len(office.send("alice", "star dance")) == 1


def signs_up(office: Office, number: int, headers: str = "") -> bool:
    raw = office.write(
        f"n{number}@new{number}.example", f"signup n{number} passw0rd", headers=headers
    )
    done = office.deliver(raw)
    assert done.limits == (() if done.name == "applied" else ("signups",))
    return any(got.subject.startswith(f"Star account n{number}:") for got in office.letters())


@pytest.mark.slow
def test_a_flood_of_signups(office_of: Callable[..., Office]) -> None:
    """The log names the limit, and those whom our mail server vouches for still get in."""
    office = office_of(authserv_id="mx.pbm.example")
    assert sum(signs_up(office, number) for number in range(70)) == 60
    passed = "Authentication-Results: mx.pbm.example; dmarc=pass header.from=new99.example\r\n"
    assert not signs_up(office, 98, passed.replace("mx.pbm", "mx.evil").replace("99", "98"))
    assert signs_up(office, 99, passed)
    office.now += 3601
    assert signs_up(office, 100)


def test_a_mail_that_fails_authentication(office_of: Callable[..., Office]) -> None:
    """A password and a reply work; a question, a challenge, a signup get no letter."""
    office = office_of(authserv_id="mx.pbm.example")
    failed = "Authentication-Results: mx.pbm.example; dmarc=fail header.from=alice.example\r\n"
    to = office.send("alice", "star challenge alice bob")[0].reply_to
    for asked in (
        *("star show 1", "star dance", "hello", "star challenge alice bob", "forgot alice"),
        "signup dora Dor4.pass",
    ):
        done = office.deliver(office.write("alice", asked, headers=failed))
        assert (done.name, done.authentic, office.letters()) == ("refused", "fail", []), asked
    office.deliver(office.write("alice", "Re: x", "F6", to, failed), to=to)
    assert len(office.letters()) == 2
    office.deliver(office.write("bob", f"star move 1 bob {PASSWORD['bob']} G7", headers=failed))
    assert len(office.letters()) == 2
    forged_field = failed.replace("fail", "pass")
    done = office.deliver(office.write("alice", "star show 1", headers=forged_field))
    assert done.authentic == "pass"
    raw = office.write("alice", "star show 1", headers=forged_field)
    direct = Envelope(address("alice"), (SERVER,), "192.0.2.7", direct=True)
    with office.store.transaction() as tx:
        done = office.service.execute(tx, direct, office.service.read(raw), raw, Precomputed())
    assert isinstance(done, Outcome) and done.authentic == "none"


def test_a_program_that_answers_every_letter(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A10: it does not say that it is one, so its mails are taken for a player's, for so long."""
    most = ERRORS_A_DAY + SAID_A_DAY + 10
    monkeypatch.setattr(authentication, "COMMANDS_AN_HOUR", most)
    to = office.send("alice", "star challenge alice bob")[1].reply_to
    letters: list[Got] = []
    for number in range(most + 3):  # the same words are answered once
        note = office.write("bob", f"Re: x{number}", "I am on holiday.", to)
        done = office.deliver(note, to=to)
        letters += office.letters()
    assert (done.name, done.limits) == ("refused", ("commands",))
    assert done.codes == ("too-many-commands",)
    # The first of them are passed on as words to alice, and bob is told so.
    assert len(letters) == 2 * SAID_A_DAY + ERRORS_A_DAY + 1
    assert "the last error we'll write to you about today" in letters[-2].text
    assert "You've sent too many commands in the past" in letters[-1].text
    office.now += 3601
    assert len(office.send("bob", "Re: x", "show", to)) == 1
    assert office.send("bob", "Re: x", "I am on holiday.", to) == []
    office.now += DAY
    assert len(office.send("bob", "Re: x", "I am on holiday.", to)) == 2


@pytest.mark.parametrize("operator", ["you@example.org", ""])
def test_a_flood_for_the_operator(office_of: Callable[..., Office], operator: str) -> None:
    """What is too much for a mailbox, or for the quarantine, comes again from the sender's server."""
    office = office_of(operator=operator)

    def passes(number: int) -> bool:
        raw = office.write(f"a{number}@b.example", "abuse", "is here")
        try:
            return office.deliver(raw, to="abuse@pbm.example").name in ("applied", "kept")
        except TemporaryFailure:
            return False

    assert sum(passes(number) for number in range(70)) == 60
    assert len(office.letters()) == (60 if operator else 0)
    office.now += 3601
    assert passes(69)


def test_one_serial_for_work_done_twice(office: Office) -> None:
    """A mail whose work waits for a result draws the same random numbers when it is done again."""
    raw = office.write("dora", "signup dora Dor4.pass")
    mail, envelope = office.service.read(raw), Envelope("x@dora.example", (SERVER,))
    results, drawn = Precomputed(), []
    for _ in range(2):
        with office.store.transaction() as tx:
            task = office.service.execute(tx, envelope, mail, raw, results)
        drawn.append(list(results.drawn))
        if isinstance(task, Computation):
            results.known[task.key] = task.compute()
    assert drawn[0] == drawn[1][: len(drawn[0])] and drawn[0]


@pytest.mark.slow
def test_a_long_mail_is_read_before_the_writer(office: Office) -> None:
    """What may take long is read elsewhere, in 0.15 s at most; the bound is ten times that, for any machine."""
    for line in (
        "star dance",
        "help",
        "limit alice",
        "star move",
        "\u2022 accept <http://x.example>",
    ):
        raw = office.write("alice", "hi", "\r\n".join([line * (70 // len(line))] * 900))
        mail = office.service.read(raw)
        with office.store.transaction() as tx:
            task = office.service.execute(
                tx, Envelope("a@alice.example", (SERVER,)), mail, raw, Precomputed()
            )
        assert isinstance(task, Computation) and task.kind == "reading"
        begun = time.process_time()
        task.compute()
        assert time.process_time() - begun < 1.5
