"""Whole mails: several commands, comments, what is never executed, the same mail twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.office import PASSWORD, SERVER, Got, Office, address

from pbmstar.service import Outcome


def comment(letter: Got) -> str:
    """What the other player wrote; empty if nothing."""
    return letter.text.partition(" writes:\n\n")[2].rstrip("\n")


def subjects(letters: list[Got], userid: str) -> list[str]:
    return [letter.subject for letter in letters if letter.to == address(userid)]


# -- commands in the Subject, or in the text


def test_a_subject_that_is_a_command_is_the_only_one(office: Office) -> None:
    office.game()
    letters = office.send(
        "alice", "star move 1 alice s3cret F6", "star resign 1 alice s3cret\nGood luck!"
    )
    assert office.record(1) == ["F6"]
    assert comment(letters[1]) == "Good luck!"


@pytest.mark.parametrize("subject", ["multiple", "MULTIPLE", "", "hello", "Board 17", "my move"])
def test_commands_in_the_text(office: Office, subject: str) -> None:
    letters = office.send(
        "alice",
        subject,
        "Hello server,\n"
        "star challenge -size=4 alice bob\n"
        "Dear bob, let us play.\n"
        "\n"
        "star move 1 alice s3cret C2\n"
        "star show 1\n"
        "Yours, alice",
    )
    assert subjects(letters, "bob") == ["New Star Board 1 alice **", "Star Board 1 bob **"]
    assert subjects(letters, "alice") == [
        "New Star Board 1 alice **",
        "Star Board 1 bob **",
        "Star Board 1 bob",
    ]
    said = "Dear bob, let us play.\n\nYours, alice"
    assert [comment(letter) for letter in letters] == [said, said, said, said, ""]


def test_the_same_command_in_subject_and_text_counts_once(office: Office) -> None:
    office.game()
    letters = office.send("alice", "star move 1 alice s3cret F6", "star move 1 alice s3cret F6\n")
    assert len(letters) == 2
    assert comment(letters[0]) == ""
    assert office.record(1) == ["F6"]


@pytest.mark.parametrize("prefix", ["Re: ", "RE:", "Fwd: ", "AW: ", "Re[2]: ", "SV: ", "回复："])
def test_a_reply_subject_is_never_executed(office: Office, prefix: str) -> None:
    """H23: a command behind Re: in the Subject does nothing; if there is nothing else, a hint comes."""
    office.game()
    before = office.state()
    letters = office.send("alice", prefix + "star move 1 alice s3cret F6")
    assert office.state() == before
    (letter,) = letters
    assert letter.subject == "Star Error"
    assert letter.text.startswith("No command was found in your mail.")
    letters = office.send(
        "alice", prefix + "star resign 1 alice s3cret", "star move 1 alice s3cret F6"
    )
    assert office.record(1) == ["F6"]


@pytest.mark.parametrize(
    "subject",
    [
        "Star Board 1 alice",
        "New Star Board 1 alice **",
        "Nag: Star Board 1 alice",
        "Star Board 1 Error",
    ],
)
def test_our_own_subjects_are_no_commands(office: Office, subject: str) -> None:
    office.game()
    office.send("alice", subject, "star move 1 alice s3cret F6")
    assert office.record(1) == ["F6"]


def test_tags_before_a_subject(office: Office) -> None:
    """H24: [EXTERNAL] and ***SPAM*** before the command are put aside."""
    office.game()
    office.send("alice", "[EXTERNAL] star move 1 alice s3cret F6")
    office.send("bob", "***SPAM*** star move 1 bob hunter2 G7")
    assert office.record(1) == ["F6", "G7"]


def test_an_encoded_subject(office: Office) -> None:
    office.game("*star challenge -rings=4 alice bob")
    office.send("alice", "=?utf-8?q?=EF=BC=8Astar_move_1_alice_s3cret_=E2=88=9731?=")
    assert office.record(1) == ["*31"]


@pytest.mark.parametrize(
    "body",
    [
        "> star move 1 alice s3cret F6",
        ">> star move 1 alice s3cret F6",
        "| star move 1 alice s3cret F6",
        "-- \nstar move 1 alice s3cret F6",
        "1. star move 1 alice s3cret F6",
        "I would star move 1 alice s3cret F6",
        "On Monday bob wrote:\nstar move 1 alice s3cret F6",
    ],
)
def test_what_is_quoted_or_signed_is_not_executed(office: Office, body: str) -> None:
    """C8: bullets are forgiven, numbers and quotes are not."""
    office.game()
    before = office.state()
    office.send("alice", "", body)
    assert office.state() == before


@pytest.mark.parametrize(
    "line",
    [
        "• star move 1 alice s3cret F6",
        "· star move 1 alice s3cret F6",
        "▪ star move 1 alice s3cret F6",
        "  star move 1 alice s3cret F6",
        "star\u00a0move\u00a01\u00a0alice\u00a0s3cret\u00a0F6",
        "star\u2009move\t1  alice s3cret  F6",
        "STAR MOVE 1 ALICE s3cret F6",
        "Star Move 1 Alice s3cret f6",
        "star move 1 alice s3cret F6 <http://F6>",
        "star move 1 alice s3cret F6.",
        "star move 1 alice s3cret “F6”",
        "star move 1 alice s3cret _F6_",
        "*star move 1 alice s3cret F6*",
        "**star move 1 alice s3cret F6**",
        "_star move 1 alice s3cret F6_",
        "star move \u200b1 alice s3cret F\u200b6",
        "`star move 1 alice s3cret F6`",
    ],
)
def test_what_mail_programs_do_to_a_line(office: Office, line: str) -> None:
    """C7 C8 C9 C13: bold, bullets, blanks of all kinds and capitals change nothing."""
    office.game()
    office.send("alice", "", line)
    assert office.record(1) == ["F6"]


@pytest.mark.parametrize("dashes", ["--", "-", "–", "—", "––", "−−", "- -", "——", "pass"])
def test_spellings_of_a_pass(office: Office, dashes: str) -> None:
    """C1 C2: dashes of every kind at the end of the line are a pass."""
    office.game()
    office.send("alice", "", f"star move 1 alice s3cret {dashes}")
    assert office.record(1) == ["pass"]


@pytest.mark.parametrize(
    "cell",
    ["*30", "＊30", "∗30", "⁎30", "*\u200b30", "*30*", "**30**", "_*30_", "*30.", "“*30”", "\\*30"],
)
def test_spellings_of_a_cell(office: Office, cell: str) -> None:
    """C5 C6: whatever is made of the asterisk, it is the same cell."""
    office.game("*star challenge alice bob")
    office.send("alice", "", f"*star move 1 alice s3cret {cell}")
    assert office.record(1) == ["*30"]


def test_an_autolinked_word(office: Office) -> None:
    """C15: the link that a mail program adds behind a word is dropped."""
    office.add("alice.pw"[:5] + "2", "other@alice.example", "alice.pw")
    office.game()
    before = office.state()
    office.send("alice", "", "star show 1 <http://show.1>")
    assert office.state() == before
    office.add("dora", "dora@dora.example", "dora.pw4")
    office.send("dora@dora.example", "star challenge dora alice")
    office.send("dora@dora.example", "", "star move 2 dora dora.pw4 <http://dora.pw4> F6")
    assert office.record(2) == ["F6"]


def test_two_moves_for_one_turn(office: Office) -> None:
    """C24: the first is played, the second is told that it is not its turn."""
    office.game()
    letters = office.send("alice", "", "star move 1 alice s3cret F6\nstar move 1 alice s3cret G7\n")
    assert office.record(1) == ["F6"]
    assert subjects(letters, "alice") == ["Star Board 1 bob", "Star Board 1 Error"]
    assert "It is not your turn." in letters[-1].text
    assert subjects(letters, "bob") == ["Star Board 1 bob"]


def test_an_error_shows_the_board_as_it_stands_after_the_mail(office: Office) -> None:
    office.game()
    letters = office.send("alice", "", "star move 1 alice s3cret Z9\nstar move 1 alice s3cret F6\n")
    assert office.record(1) == ["F6"]
    error = letters[-1]
    assert error.subject == "Star Board 1 Error"
    assert "There is no cell Z9" in error.text
    assert "\nIt is bob's turn.\n" in error.text
    assert "\n  1 F6\n" in error.text


def test_an_error_about_a_board_that_the_same_mail_removes(office: Office) -> None:
    office.game()
    letters = office.send("alice", "", "star move 1 alice s3cret Z9\nstar decline 1 alice s3cret\n")
    assert office.row(1) is None
    assert "There is no cell Z9" in letters[-1].text
    assert "It is alice's turn." not in letters[-1].text
    assert letters[-1].mail["Reply-To"] is None


def test_both_players_in_one_mail(office: Office) -> None:
    """Whoever knows both passwords may play for both; each command is as good as its password."""
    office.game()
    office.send(
        "alice",
        "multiple",
        "star move 1 alice s3cret F6\nstar move 1 bob hunter2 swap\nstar move 1 alice s3cret G7\n",
    )
    assert office.record(1) == ["F6", "swap", "G7"]


def test_more_than_twenty_commands(office: Office) -> None:
    """C25: the first twenty are carried out, and the rest is said not to be looked at."""
    letters = office.send("alice", "multiple", "star games\n" * 23)
    assert subjects(letters, "alice") == ["List of Star Games"] * 20 + ["Star Error"]
    said = " ".join(letters[-1].text.split())
    assert "One mail may hold 20 commands; 3 more were not looked at." in said


def test_six_lines_that_cannot_be_read(office: Office) -> None:
    """C25: after five of them the rest of the mail is not looked at, and that is said."""
    letters = office.send("alice", "multiple", "star dance\n" * 6 + "star games\n" * 2)
    assert subjects(letters, "alice") == ["Star Error"]
    said = " ".join(letters[-1].text.split())
    assert said.count("'star dance' is no command.") == 5
    assert "5 lines could not be read: the 3 after them were not looked at." in said


def test_a_refused_command_does_not_stop_the_next(office: Office) -> None:
    office.game()
    letters = office.send(
        "alice", "", "star move 1 alice s3cret Z9\nstar dance\nstar move 1 alice s3cret F6"
    )
    assert office.record(1) == ["F6"]
    said = letters[-1].text
    assert "Nothing was done for those lines." in said
    assert said.index("Z9") < said.index("star dance")


# -- comments


def test_a_comment_is_escaped_and_capped(office: Office) -> None:
    """A9: HTML and URLs stay text, and of a long text the beginning is passed on."""
    text = (
        "<script>alert(1)</script> http://evil.example/x?a=1&b=2\n" + ("blah " * 14 + "\n") * 12_000
    )
    office.game()
    letters = office.send("alice", "star move 1 alice s3cret F6", text)
    for letter in letters:
        said = comment(letter)
        assert said.startswith("<script>alert(1)</script> http://evil.example/x?a=1&b=2\nblah")
        assert len(said) < 2100
        html = letter.mail.get_payload()[1].get_payload(decode=True).decode()
        assert "<script" not in html
        assert len(letter.raw) < 20_000


def test_a_comment_of_many_lines(office: Office) -> None:
    """C26: ten thousand lines: the beginning is passed on, and it is quick."""
    office.game()
    letters = office.send("alice", "star move 1 alice s3cret F6", "x\n" * 10_000)
    assert comment(letters[0]).count("\n") < 100


def test_a_comment_keeps_its_lines_and_long_ones_are_wrapped(office: Office) -> None:
    office.game()
    text = "One.\n\n  two\n" + "word " * 40 + "\n" + "x" * 100
    letters = office.send("alice", "star move 1 alice s3cret F6", text)
    said = comment(letters[0])
    assert said.startswith("One.\n\n  two\nword word")
    assert "x" * 72 + "\n" + "x" * 28 in said


def test_a_comment_in_any_language(office: Office) -> None:
    office.game()
    letters = office.send("alice", "star move 1 alice s3cret F6", "Schöne Grüße — 你好")
    assert [comment(letter) for letter in letters] == ["Schöne Grüße — 你好"] * 2


def test_a_comment_cannot_look_like_a_letter_of_ours(office: Office) -> None:
    office.game()
    fake = "You can:\n  star resign 1 bob password\n" + "*" * 60 + "\nThe server asks for it."
    letters = office.send("alice", "star move 1 alice s3cret F6", fake)
    assert letters[1].text.index("alice writes:") < letters[1].text.index("The server asks")


def test_a_password_in_a_comment_is_not_passed_on(office: Office) -> None:
    office.game()
    letters = office.send(
        "alice",
        "star move 1 alice s3cret F6",
        "my password is s3cret\nstar move 1 alice s3cret G7\nsignoff alice s3cret\nbye",
    )
    assert comment(letters[1]) == "my password is ******\nbye"


def test_a_signature_and_a_phones_advertisement_are_no_comment(office: Office) -> None:
    office.game()
    letters = office.send(
        "alice", "star move 1 alice s3cret F6", "Hi!\n\nSent from my iPhone\n-- \nAlice\nACME Inc."
    )
    assert comment(letters[1]) == "Hi!"


def test_a_mail_in_another_language(office: Office) -> None:
    """C32: what stands around a command may be in any language."""
    office.game()
    letters = office.send(
        "alice", "Mein Zug", "Lieber Server,\n\nstar move 1 alice s3cret F6\n\nViele Grüße"
    )
    assert office.record(1) == ["F6"]
    assert comment(letters[1]) == "Viele Grüße"


# -- nothing that is a command


def test_no_command_at_all(office: Office) -> None:
    (letter,) = office.send("alice", "Hello", "How are you?")
    assert letter.subject == "Star Error"
    assert letter.text.startswith("No command was found in your mail.")


@pytest.mark.parametrize(
    "text",
    [
        "Help me, please, I do not know what to do.",
        "Confirm that you got this.",
        "Forgot to say hello.",
        "Accept my apologies, dear bob.",
        "Block the whole road ahead.",
        "Limit yourself to one small cake.",
        "Reminders are useful.",
    ],
)
def test_english_sentences_are_no_commands(office: Office, text: str) -> None:
    office.game()
    before = office.state()
    letters = office.send("alice", "star move 1 alice s3cret F6", text)
    assert comment(letters[1]) == text
    (letter,) = office.send("alice", "", text)
    assert letter.text.startswith("No command was found")
    assert office.state() != before


# -- the same mail again


def test_the_same_mail_fifty_times(office: Office) -> None:
    """D1: one effect, one answer."""
    office.game()
    raw = office.write("alice", "star move 1 alice s3cret F6")
    outcomes = [office.deliver(raw).name for _ in range(50)]
    assert outcomes == ["applied"] + ["duplicate"] * 49
    assert len(office.letters()) == 2
    assert office.record(1) == ["F6"]


def test_a_refused_mail_again(office: Office) -> None:
    """D1: a refusal is answered once as well."""
    office.game()
    raw = office.write("alice", "star move 1 alice s3cret Z9")
    assert [office.deliver(raw).name for _ in range(3)] == ["refused", "duplicate", "duplicate"]
    assert len(office.letters()) == 1


def test_the_same_mail_over_another_way(office: Office) -> None:
    """The way that a mail took, and how it was encoded on it, makes no second mail of it."""
    office.game()
    raw = office.write("alice", "star move 1 alice s3cret F6", "hi")
    assert office.deliver(raw).name == "applied"
    again = b"Received: from a by b; Mon, 1 Jan 2024 00:00:00 +0000\r\nX-Spam: no\r\n" + raw
    assert office.deliver(again, "else@mta.example").name == "duplicate"
    assert office.deliver(raw.replace(b"\r\n", b"\n")).name == "duplicate"


def test_the_same_message_id_with_other_content_is_another_mail(office: Office) -> None:
    office.game()
    raw = office.write("alice", "star move 1 alice s3cret F6")
    assert office.deliver(raw).name == "applied"
    other = raw.replace(b"From: alice", b"From: bob").replace(b"alice s3cret F6", b"bob hunter2 G7")
    assert office.deliver(other).name == "applied"
    assert office.record(1) == ["F6", "G7"]


def test_without_a_message_id_a_mail_is_known_for_a_day(office: Office) -> None:
    """H6: no From, Date, Subject or Message-ID is needed where a password is given."""
    office.game()
    raw = b"\r\nstar move 1 alice s3cret F6\r\n"
    assert office.deliver(raw).name == "applied"
    assert office.deliver(raw).name == "duplicate"
    assert len(office.letters()) == 2
    office.now += 86401
    assert office.deliver(raw).name == "refused"
    assert "F6 has been played already" in office.letters()[0].text


def test_mails_in_the_wrong_order(office: Office) -> None:
    """D4: a mail about an earlier turn that comes late does nothing."""
    office.game()
    late = office.write("alice", "star move 1 alice s3cret H7#3")
    office.play(1, "F6", "G7", "F7", "G8")
    assert office.deliver(late).name == "refused"
    (letter,) = office.letters()
    assert "Move 3 has already been played." in letter.text or "this is move 5" in letter.text
    assert office.record(1) == ["F6", "G7", "F7", "G8"]


@pytest.mark.parametrize(
    "date", ["Thu, 01 Jan 1970 00:00:00 +0000", "Thu, 31 Dec 2099 23:59:60 +0000", "yesterday", ""]
)
def test_the_date_of_a_mail_means_nothing(office: Office, date: str) -> None:
    """D6: order and deadlines go by the server's clock."""
    office.game()
    office.deliver(
        office.write("alice", "star move 1 alice s3cret F6", headers=f"Date: {date}\r\n")
    )
    row = office.row(1)
    assert row is not None
    assert row.since == office.now
    assert office.ask("record", 1)[0].at == office.now


# -- who wrote it, and to whom answers go


@pytest.mark.parametrize(
    "headers",
    [
        "Reply-To: victim@victim.example\r\n",
        "Sender: victim@victim.example\r\n",
        "Return-Path: <victim@victim.example>\r\n",
        "Resent-From: victim@victim.example\r\n",
        "Disposition-Notification-To: victim@victim.example\r\n",
        "Errors-To: victim@victim.example\r\n",
    ],
)
def test_other_addresses_in_the_header_are_never_mailed(office: Office, headers: str) -> None:
    """H10 H11: not Reply-To, not Sender, not Return-Path: only the address on file."""
    office.game()
    for subject in (
        "star move 1 alice s3cret Z9",
        "star show 1",
        "help",
        "star move 1 alice s3cret F6",
    ):
        office.deliver(office.write("alice", subject, headers=headers), "victim@victim.example")
    assert {letter.to for letter in office.letters()} == {address("alice"), address("bob")}


def test_a_move_with_a_password_from_any_address(office: Office) -> None:
    """A password speaks for itself; the board goes to the addresses on file."""
    office.game()
    letters = office.send("someone@cafe.example", "star move 1 alice s3cret F6")
    assert sorted(letter.to for letter in letters) == [address("alice"), address("bob")]
    letters = office.send("someone@cafe.example", "star move 1 bob hunter2 F6")  # taken
    assert [letter.to for letter in letters] == [address("bob")]


@pytest.mark.parametrize(
    "author",
    [
        "",
        "From: alice@alice.example, bob@bob.example\r\n",
        "From: a@x.example\r\nFrom: alice@alice.example\r\n",
    ],
)
def test_a_mail_without_one_author(office: Office, author: str) -> None:
    """H5: no From, two Froms or two addresses in it: nobody is known by it, a password still counts."""
    office.game()
    raw = office.write("alice", "star challenge alice bob").split(b"\r\n", 1)[1]
    before = office.state()
    assert office.deliver(author.encode() + raw).name == "refused"
    assert office.state() == before
    assert office.letters() == []
    raw = office.write("alice", "star move 1 alice s3cret F6").split(b"\r\n", 1)[1]
    assert office.deliver(author.encode() + raw).name == "applied"


def test_the_null_sender_with_a_valid_password(office: Office) -> None:
    """T28: a bounce is never executed, whatever it says."""
    office.game()
    before = office.state()
    outcome = office.deliver(office.write("alice", "star move 1 alice s3cret F6"), sender="")
    assert outcome == Outcome("ignored", "null sender")
    assert office.letters() == []
    assert office.state() == before


@pytest.mark.parametrize(
    "headers",
    [
        "Auto-Submitted: auto-replied\r\n",
        "Auto-Submitted: auto-generated; x=y\r\n",
        "X-Pbmstar-Loop: pbm.example\r\n",
        "X-Autoreply: yes\r\n",
        "Precedence: auto_reply\r\n",
        "Received: from a by b\r\n" * 60,
    ],
)
def test_mail_that_nobody_wrote(office: Office, headers: str) -> None:
    """H12 H18 H19: neither executed nor answered; and what it would have been may still come."""
    office.game()
    raw = office.write("alice", "star move 1 alice s3cret F6", headers=headers)
    assert office.deliver(raw).name == "ignored"
    assert office.letters() == []
    assert office.record(1) == []
    assert office.deliver(raw.replace(headers.encode(), b"")).name == "applied"


@pytest.mark.parametrize("value", ["no", "no; x=y", "NO (by hand)"])
def test_auto_submitted_no_is_a_persons(office: Office, value: str) -> None:
    """H12: Auto-Submitted: no, in all its forms, is mail by hand."""
    office.game()
    raw = office.write(
        "alice", "star move 1 alice s3cret F6", headers=f"Auto-Submitted: {value}\r\n"
    )
    assert office.deliver(raw).name == "applied"


def test_our_own_letters_coming_back(office: Office) -> None:
    """H19: a board mail that a forwarder sends back is ignored."""
    for letter in office.send("alice", "star challenge alice bob"):
        assert office.deliver(letter.raw, to=letter.reply_to).name == "ignored"
        assert office.deliver(letter.raw).name == "ignored"
    assert office.letters() == []


QUIET = [
    "Precedence: bulk\r\n",
    "Precedence: list\r\n",
    "List-Id: <players.example>\r\n",
    "X-Auto-Response-Suppress: All\r\n",
]


@pytest.mark.parametrize("headers", QUIET)
def test_quiet_mail_is_executed_and_not_answered(office: Office, headers: str) -> None:
    """H17: a valid move in bulk mail is played, both get the board, and errors are not told."""
    office.game()
    office.deliver(office.write("alice", "star move 1 alice s3cret F6", headers=headers))
    assert sorted(each.to for each in office.letters()) == [address("alice"), address("bob")]
    for subject in (
        "star move 1 alice s3cret G7",
        "star move 1 alice wr0ngone G7",
        "star dance",
        "hello",
        "help",
        "star show 1",
        "star score 1",
        "star games",
    ):
        office.deliver(office.write("alice", subject, headers=headers))
        assert office.letters() == [], subject


# -- addresses of ours


def test_which_addresses_are_ours(office: Office) -> None:
    """T29: the server's own address in any case, with a detail or without, and the operator's."""
    knows = office.service.knows
    for ours in (
        SERVER,
        SERVER.upper(),
        "Star+x@pbm.example",
        "postmaster@pbm.example",
        "abuse@PBM.example",
    ):
        assert knows(ours), ours
    for other in (
        "star@pbm.example.",
        '"star"@pbm.example',
        "stars@pbm.example",
        "star@example",
        "star",
        "@pbm.example",
        "",
        "star@pbm.example@evil.example",
        "alice@pbm.example",
        "root@pbm.example",
    ):
        assert not knows(other), other


def test_a_detail_that_means_nothing_is_no_matter(office: Office) -> None:
    office.game()
    office.send("alice", "star move 1 alice s3cret F6", to="star+games@pbm.example")
    assert office.record(1) == ["F6"]


def test_two_recipients_of_one_mail(office: Office) -> None:
    """T20: one mail to two addresses of ours has one effect."""
    office.game()
    raw = office.write("alice", "star move 1 alice s3cret F6")
    assert office.deliver_to(raw, SERVER, "star+games@pbm.example").name == "applied"
    assert len(office.letters()) == 2


def test_one_mail_at_two_addresses_in_two_transactions(office: Office) -> None:
    """T20: a detail that means nothing makes no other mail of it; one that does is another matter."""
    board = office.send("alice", "star challenge alice bob")[0]
    raw = office.write("alice", "star challenge alice bob")
    for to in ("star+games@pbm.example", "star+a@pbm.example", SERVER, "Star+Games@pbm.example"):
        office.deliver(raw, to=to)
    assert len(office.letters()) == 2
    raw = office.write("alice", "Re: Star Board 1 alice", "F6")
    assert office.deliver(raw, to=SERVER).name == "refused"
    assert office.deliver(raw, to=board.reply_to).name == "applied"
    assert office.record(1) == ["F6"]


def test_a_token_beside_a_detail_that_means_nothing(office: Office) -> None:
    board = office.send("alice", "star challenge alice bob")[0]
    told = office.deliver_to(
        office.write("alice", "Re: x", "F6"), "star+x@pbm.example", board.reply_to
    )
    assert told.name == "applied"
    assert office.record(1) == ["F6"]


OPERATOR = "op@site.example"


@pytest.mark.parametrize(
    "order", [(SERVER, "postmaster@pbm.example"), ("abuse@pbm.example", SERVER)]
)
def test_a_mail_to_the_server_and_the_operator(
    database: str, tmp_path: Path, order: tuple[str, str]
) -> None:
    """Both get it: it is carried out, and passed on; once, in one transaction or in two."""
    office = Office(database, tmp_path / "spool", operator=OPERATOR)
    office.game()
    raw = office.write("alice", "star move 1 alice s3cret F6")
    told = office.deliver_to(raw, *order)
    assert (told.name, told.why, told.keep, len(told.letters)) == ("applied", "1 of 1", False, 3)
    assert sorted(_recipients(office)) == [address("alice"), address("bob"), OPERATOR]
    for to in order:
        assert office.deliver_to(raw, to).name == "duplicate"
    raw = office.write("bob", "star move 1 bob hunter2 G7")
    for to in order:
        assert office.deliver_to(raw, to).name == "applied"
    assert sorted(_recipients(office)) == [address("alice"), address("bob"), OPERATOR]
    machine = office.write(
        "bob", "star move 1 alice s3cret A1", headers="Precedence: auto_reply\r\n"
    )
    assert office.deliver_to(machine, *order).name == "ignored"
    assert _recipients(office) == [OPERATOR]
    assert office.record(1) == ["F6", "G7"]
    office.close()


def test_a_mail_to_the_server_and_an_operator_without_an_address(office: Office) -> None:
    """It is carried out, and to be put away, each time until that has been done."""
    office.game()
    raw = office.write("alice", "star move 1 alice s3cret F6")
    to = (SERVER, "postmaster@pbm.example")
    assert office.deliver_to(raw, *to)[:3] == ("applied", "1 of 1", True)
    assert office.deliver_to(raw, *to) == Outcome("duplicate", keep=True)
    assert office.deliver_to(raw, to[1]).keep
    assert office.record(1) == ["F6"]


def _recipients(office: Office) -> list[str]:
    """Of the letters that wait; a mail that is passed on is none of ours to be examined."""
    with office.store.transaction() as tx:
        found = tx.claim("test", office.now, office.now + 300, 1000)
        tx.sent([letter.id for letter in found], office.now)
    return [letter.address for letter in found]


def test_passwords_are_case_sensitive_and_the_answer_says_so(office: Office) -> None:
    """C14: an autocorrected password is a wrong one; the answer hints at it."""
    office.game()
    (letter,) = office.send("alice", "star move 1 alice S3cret F6")
    assert "some phones change the first letter" in " ".join(letter.text.split())
    assert PASSWORD["alice"] not in letter.text
    assert office.record(1) == []


def test_a_letter_that_looks_like_another(office: Office) -> None:
    """C12: a Cyrillic letter in a userid: refused, and the same is said whatever the userid is."""
    office.game()
    said = []
    for userid in ("\u0430lice", "\u0430lica"):
        (letter,) = office.send("alice", "", f"star move 1 {userid} s3cret F6")
        said.append(letter.text)
    assert said[0] == said[1]
    assert office.record(1) == []
