"""One mail, one effect: the same mail again, other ways, several recipients, forged headers, tokens."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable

import pytest
from harness.letters import SERVER
from harness.office import Office, address

from pbmstar.service.work.context import Outcome

MOVE = "star move 1 alice s3cret F6"
OPERATOR = "op@site.example"
TWO = "alice@alice.example, bob@bob.example"


def test_the_same_mail_many_times_and_ways(office: Office) -> None:
    """D1: one effect, one answer, whatever its way has done to it."""
    office.game()
    raw = office.write("alice", MOVE, "hi")
    again = b"Received: from a by b; Mon, 1 Jan 2024 00:00:00 +0000\r\nX-Spam: no\r\n" + raw
    assert [office.deliver(raw).name for _ in range(50)] == ["applied"] + ["duplicate"] * 49
    assert office.deliver(again, "else@mta.example").name == "duplicate"
    assert office.deliver(raw.replace(b"\r\n", b"\n")).name == "duplicate"
    assert len(office.letters()) == 2
    other = raw.replace(b"From: alice", b"From: bob").replace(b"alice s3cret F6", b"bob hunter2 G7")
    assert office.deliver(other).name == "applied", "the same Message-ID, but another mail"
    assert office.record(1) == ["F6", "G7"]


def test_without_a_message_id_a_mail_is_known_for_a_day(office: Office) -> None:
    """H6: no From, Date, Subject or Message-ID is needed where a password is given."""
    office.game()
    raw = f"\r\n{MOVE}\r\n".encode()
    assert [office.deliver(raw).name for _ in range(2)] == ["applied", "duplicate"]
    assert len(office.letters()) == 2
    office.now += 86401
    assert office.deliver(raw).name == "refused"


@pytest.mark.parametrize(
    "author", ["", f"From: {TWO}\r\n", "From: a@x.example\r\nFrom: a@b.org\r\n"]
)
def test_a_mail_without_one_author(office: Office, author: str) -> None:
    """H5: nobody is known by it; a password still counts."""
    office.game()
    before = office.state()
    for subject in ("star challenge alice bob", "signup dora Dor4.pass", MOVE):
        assert (office.letters(), office.state()) == ([], before)
        raw = office.write("alice", subject).split(b"\r\n", 1)[1]
        outcome = office.deliver(author.encode() + raw).name
        assert outcome == ("applied" if subject == MOVE else "refused")


@pytest.mark.slow
def test_our_own_letters_coming_back(office: Office) -> None:
    """H13 H19: a letter that a forwarder sends back, or a vacation note quotes, does nothing."""
    for letter in office.send("alice", "star challenge alice bob"):
        quoted = f"I am away.\r\n\r\nF6\r\n{letter.reply_to}\r\n> " + letter.text.replace(
            "\n", "\r\n> "
        )
        away = office.write(
            "alice", "Out of office", quoted, letter.reply_to, "X-Autoreply: yes\r\n"
        )
        for to in (letter.reply_to, letter.sender, SERVER):
            for raw in (letter.raw, away):
                assert office.deliver(raw, to=to).name == "ignored"
    assert office.letters() == []
    assert office.record(1) == []


# -- addresses of ours


OURS = (SERVER, SERVER.upper(), "Star+x@pbm.example", "postmaster@pbm.example", "abuse@PBM.example")
OTHERS = (
    *("star@pbm.example.", '"star"@pbm.example', "stars@pbm.example", "star@example", "star", ""),
    *("@pbm.example", "star@pbm.example@evil.example", "alice@pbm.example", "root@pbm.example"),
)


def test_which_addresses_are_ours(office: Office) -> None:
    """T29: the server's own address in any case, with a detail or without, and the operator's."""
    assert [each for each in (*OURS, *OTHERS) if office.service.knows(each)] == [*OURS]


def test_several_addresses_of_ours(office: Office) -> None:
    """T20: one mail to two of them, at once or one by one, has one effect; a token is another matter."""
    board = office.send("alice", "star challenge alice bob")[0]
    raw = office.write("alice", "star challenge alice bob")
    assert office.deliver_to(raw, SERVER, "star+games@pbm.example").name == "applied"
    for to in ("star+games@pbm.example", "star+a@pbm.example", SERVER, "Star+Games@pbm.example"):
        assert office.deliver(raw, to=to).name == "duplicate"
    assert len(office.letters()) == 2
    raw = office.write("alice", "Re: Star Board 1 alice", "F6")
    assert office.deliver(raw, to=SERVER).name == "refused"
    assert office.deliver_to(raw, "star+x@pbm.example", board.reply_to).name == "applied"
    assert office.record(1) == ["F6"]


@pytest.mark.parametrize(
    "order", [(SERVER, "postmaster@pbm.example"), ("abuse@pbm.example", SERVER)]
)
def test_a_mail_to_the_server_and_the_operator(
    office_of: Callable[..., Office], order: tuple[str, str]
) -> None:
    """Both get it: it is carried out, and passed on; once, in one transaction or in two."""
    office = office_of(operator=OPERATOR)
    office.game()

    def recipients() -> list[str]:
        return sorted(letter.to for letter in office.letters())

    raw = office.write("alice", MOVE)
    outcome = office.deliver_to(raw, *order)
    assert (outcome.name, outcome.keep, len(outcome.letters)) == ("applied", False, 3)
    assert recipients() == [address("alice"), address("bob"), OPERATOR]
    assert {office.deliver_to(raw, to).name for to in order} == {"duplicate"}
    raw = office.write("bob", "star move 1 bob hunter2 G7")
    assert {office.deliver_to(raw, to).name for to in order} == {"applied"}
    assert recipients() == [address("alice"), address("bob"), OPERATOR]
    machine = office.write("bob", "star resign 1 bob hunter2", headers="Precedence: auto_reply\r\n")
    assert office.deliver_to(machine, *order).name == "ignored"
    assert recipients() == [OPERATOR]
    assert office.record(1) == ["F6", "G7"]


def test_a_mail_to_an_operator_without_an_address(office: Office) -> None:
    """It is carried out, and to be put away, each time until that has been done."""
    office.game()
    raw, to = office.write("alice", MOVE), (SERVER, "postmaster@pbm.example")
    assert office.deliver_to(raw, *to)[:3] == ("applied", "", True)
    assert office.deliver_to(raw, *to) == Outcome("duplicate", keep=True)
    assert office.deliver_to(raw, to[1]).keep


# -- tokens of replies


def test_forged_reply_addresses(office: Office) -> None:
    """A4: what a token says of itself is signed too: with any letter changed it is nobody's."""
    to = office.send("alice", "star challenge alice bob")[0].reply_to
    office.game()
    before = office.state()
    local, _, domain = to.partition("@")
    forged = {
        to.replace(*pair)
        for pair in (("r1t", "r2t"), ("r1t0k", "r1t1k"), ("k1z", "k2z"), ("r1t", "r9t"))
    }
    for place in range(local.index("z") + 1, len(local)):
        other = "b" if local[place] == "a" else "a"
        forged.add(f"{local[:place]}{other}{local[place + 1 :]}@{domain}")
    for each in forged:
        assert office.send("alice", "Re: x", "F6", each) == []
    assert office.state() == before


def test_a_mail_program_that_leaves_the_plus_of_a_link_encoded(office: Office) -> None:
    """A tap on a cell is the Subject of a mail to star%2BTOKEN."""
    to = office.send("alice", "star challenge alice bob")[0].reply_to
    assert office.service.knows(to.replace("+", "%2B"))
    office.send("alice", "F6", "", to.replace("+", "%2B"))
    office.send("bob", "star move 1 bob hunter2 G7", "Well!", "star%2b@pbm.example")
    assert office.record(1) == ["F6", "G7"]


def test_a_photo_is_not_passed_on_and_its_writer_is_told(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    body = (
        "--x\r\n\r\nA photo of the coast!\r\n--x\r\nContent-Type: image/jpeg; name=coast.jpeg\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{'/9j/' * 5000}\r\n--x--"
    )
    raw = office.write("alice", "star move 1 alice s3cret C3", body)
    office.deliver(raw.replace(b"text/plain; charset=utf-8", b"multipart/mixed; boundary=x"))
    letters = {letter.to: letter.text for letter in office.letters()}
    assert all("A photo of the coast!" in text for text in letters.values())
    assert "We didn't pass on your attachment." in letters["alice@alice.example"]
    assert "attached" not in letters["bob@bob.example"]


def test_what_a_photo_and_a_file_stand_between_is_done_and_passed_on(office: Office) -> None:
    """Apple's way of sending a picture; its writer is told that it went no further."""
    for kind in ("image/jpeg; name=a.jpg", "application/pdf; name=a.pdf"):
        board = office.game("star challenge -size=4 alice bob")
        body = (
            f"--x\r\n\r\nHi Bob,\r\n--x\r\nContent-Type: {kind}\r\n\r\nAAAA\r\n"
            f"--x\r\n\r\nstar move {board} alice s3cret C3\r\nSee the coast!\r\n--x--"
        )
        raw = office.write("alice", "", body)
        office.deliver(raw.replace(b"text/plain; charset=utf-8", b"multipart/mixed; boundary=x"))
        letters = {letter.to: letter.text for letter in office.letters()}
        assert office.record(board) == ["C3"]
        assert all("See the coast!" in text for text in letters.values())
        assert "We didn't pass on your attachment." in letters["alice@alice.example"]


@pytest.mark.parametrize(
    ("text", "moves"),
    [("star move 1 alice s3cret  A12", []), ("star move 1 alice s3cret C3\nsee yo", ["C3"])],
)
def test_a_mail_that_arrives_cut_does_nothing_at_its_end(
    office: Office, text: str, moves: list[str]
) -> None:
    """A12 would be A1. Whatever was done above, the writer is told what was left out, and what to do."""
    office.game("hex challenge -size=14 alice bob")
    office.letters()
    text = text.replace("star", "hex")
    body = b64encode(text.encode()).decode().rstrip("=")[:-1]
    raw = office.write("alice", "", body, headers="Content-Transfer-Encoding: base64\r\n")
    office.deliver(raw)
    assert office.record(1) == moves
    told = [letter.text for letter in office.letters() if letter.to == "alice@alice.example"]
    assert "The end of your message got lost on the way, so we skipped its last line." in " ".join(
        told[-1].split()
    )


def test_words_between_commands_go_to_the_opponent_of_the_line_above_them(office: Office) -> None:
    """Words about one opponent never reach another; below a line that can't be read, they reach nobody."""
    office.add("carol")
    with_bob, with_carol = (
        office.game(f"star challenge -size=4 alice {other}") for other in ("bob", "carol")
    )
    heard: dict[str, str] = {}
    lines = (
        f"star move {with_bob} alice s3cret D4",
        "Bob, carol is a weak player!",
        f"star move {with_carol} alice s3cret D4",
        "Carol, good luck.",
        "zone alice s3cret Berlin",
        "It's a nice evening here.",
        f"star move {with_bob} alice s3cret Q99",
        "Nobody hears of this.",
    )
    for letter in office.send("alice", "", "\r\n".join(lines)):
        heard[letter.to] = heard.get(letter.to, "") + letter.words
    to_bob, to_carol = heard[address("bob")], heard[address("carol")]
    assert "carol is a weak player!" in to_bob and "good luck" not in to_bob
    assert "good luck." in to_carol and "weak" not in to_carol
    assert "nice evening" in to_carol and "nice evening" not in to_bob
    assert not any("Nobody hears" in text for text in (to_bob, to_carol))
    assert "We didn't pass on 1 line below it." in heard[address("alice")]


def test_a_greeting_below_a_command_is_passed_on(office: Office) -> None:
    """In a reply to a letter about the account, as in any other."""
    (settings,) = office.send("alice", "settings alice s3cret")
    letters = office.send(
        "alice", "Re: it", "Hello!\nstar challenge bob\nHi Bob!", settings.reply_to
    )
    told = {letter.to: letter.words for letter in letters}
    assert "Hi Bob!" in told[address("bob")] and "Hello!" not in told[address("bob")]


def test_words_below_a_second_command_are_not_for_the_opponent_of_the_first(office: Office) -> None:
    """The second one isn't carried out, which its writer is told; right below a move by its board, it is."""
    office.add("carol")
    board = office.game("star challenge -size=4 alice bob")
    moved = office.play(board, "D4", "C3")
    about_board = next(each for each in moved if each.to == address("alice"))
    below = "Well played, Bob!\nstar challenge -size=4 carol\nCarol, Bob is a weak player."
    heard = {
        letter.to: letter.words
        for letter in office.send("alice", "Re: it", f"D3\n{below}", about_board.reply_to)
    }
    assert "Well played, Bob!" in heard[address("bob")] and "weak" not in heard[address("bob")]
    assert address("carol") not in heard and office.record(board) == ["D4", "C3", "D3"]
    told = "We read: star challenge -size=4 carol We didn't carry out this command"
    assert told in heard[address("alice")]
    assert "We didn't pass on 1 line below it." in heard[address("alice")]
    office.play(board, "B3")
    (settings,) = office.send("alice", "settings alice s3cret")
    said = f"star move {board} C4\n{below}"
    letters = office.send("alice", "Re: it", said, settings.reply_to)
    (to_bob,) = (each.words for each in letters if each.to == address("bob"))
    assert "Well played, Bob!" in to_bob and "weak" not in to_bob
    assert not any(each.to == address("carol") for each in letters)
    office.play(board, "B4")
    said = f"star move {board} B2\n{below.partition(chr(10))[2]}"
    letters = office.send("alice", "Re: it", said, settings.reply_to)
    (to_carol,) = (each.words for each in letters if each.to == address("carol"))
    assert "Bob is a weak player." in to_carol
    assert not any("weak" in each.words for each in letters if each.to == address("bob"))


def test_a_line_with_the_password_of_its_writer_reaches_nobody(office: Office) -> None:
    """Whatever else stands in it, as the new one beside it."""
    board = office.game("star challenge -size=4 alice bob")
    office.letters()
    lines = f"star move {board} alice s3cret D4\nHello!\npassword alice s3cret n3wer\nBye!"
    letters = office.send("alice", "", lines)
    (to_bob,) = (letter.words for letter in letters if letter.to == address("bob"))
    assert "Hello!" in to_bob and "Bye!" in to_bob
    assert not any(word in to_bob for word in ("s3cret", "n3wer", "password"))
    (own,) = (letter.words for letter in letters if letter.to == address("alice"))
    assert "We left out 1 line of your message" in own and "n3wer" not in own


def test_away_next_week_is_no_userid_with_a_password(office: Office) -> None:
    """In a reply it's a command with words that aren't its own, and no guess at somebody's password."""
    board = office.game("star challenge -size=4 alice bob")
    moved = office.play(board, "D4", "C3")
    about_board = next(each for each in moved if each.to == address("alice"))
    (settings,) = office.send("alice", "settings alice s3cret")
    for letter, when in ((about_board, "week"), (settings, "month")):
        (told,) = office.send("alice", "Re: it", f"Away next {when}", letter.reply_to)
        assert "I can't read those dates." in told.words and "password" not in told.words


@pytest.mark.parametrize("command", ["star move 2 D3", "move 2 D3", "jugada 2 D3", "aufgeben 2"])
@pytest.mark.parametrize("about_account", [False, True])
def test_words_below_a_command_about_another_board_stay_with_it(
    office: Office, command: str, about_account: bool
) -> None:
    """In any language, with the word of the game or without."""
    office.add("carol")
    first = office.game("star challenge -size=4 alice bob")
    second = office.game("star challenge -size=4 alice carol")
    moved = office.play(first, "D4", "C3")
    to = next(each.reply_to for each in moved if each.to == address("alice"))
    if about_account:
        to = office.send("alice", "settings alice s3cret")[0].reply_to
    move = f"move {first} B3" if about_account else "B3"
    said = f"{move}\nHi Bob\n{command.replace('2', str(second))}\nHi Carol, Bob is weak"
    letters = office.send("alice", "Re: it", said, to)
    (to_bob,) = (each.words for each in letters if each.to == address("bob"))
    assert "Hi Bob" in to_bob and "Carol" not in to_bob
    told = " ".join(each.words for each in letters if each.to == address("alice"))
    assert "We didn't carry out this command" in told and not office.record(second)


def test_no_password_of_another_account_at_the_same_address_is_passed_on(office: Office) -> None:
    """Nor of the account that a command names without its password."""
    office.add("alicia", address("alice"), "geheim9x")
    said = "star challenge -size=4 alice bob\nHi Bob\nalice s3cret\nuser alice pass s3cret"
    letters = office.send("alice", "", said)
    board = int(letters[0].mail["X-Pbmstar-Board"])
    moved = office.play(board, "D4", "C3")
    own = next(each.reply_to for each in moved if each.to == address("alice"))
    letters += office.send("alice", "Re: it", "D3\nHi Bob\nalicia geheim9x\nalicia/geheim9x", own)
    to_bob = " ".join(each.text for each in letters if each.to == address("bob"))
    assert to_bob.count("Hi Bob") == 2
    assert "s3cret" not in to_bob and "geheim9x" not in to_bob
