"""An invitation: the words that go with it, the first move that answers it, and what forged mail can do."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, unquote

import pytest
from harness.common import sentence
from harness.letters import PASSWORD, Got
from harness.office import DAY, Office, address

from pbmstar.errors import Refusal
from pbmstar.service.verbs.invitations import LONGEST, greeting_of

FRIEND = "tom@new.example"
INVITE = f"invite alice {PASSWORD['alice']} {FRIEND}"
EVIL = "evil@evil.example"


def invited(office: Office, words: str = "") -> Got:
    """The letter to alice's friend."""
    letters = office.send("alice", f"{INVITE} {words}".strip())
    (letter,) = (each for each in letters if each.to == FRIEND)
    return letter


def tap(office: Office, letter: Got, cell: str) -> list[Got]:
    """What comes of the mail that a tap on a cell opens."""
    links = map(html.unescape, re.findall(r'href="mailto:([^"]*)"', letter.html))
    link = next(each for each in links if each.endswith(f"subject={cell}"))
    to, _, query = link.partition("?")
    fields = parse_qs(query)
    return office.send(FRIEND, fields["subject"][0], fields.get("body", [""])[0], unquote(to))


def has_begun(office: Office, *moves: str, friend: str = "tom") -> None:
    """There is one game: the friend's, with these moves, against alice."""
    row = office.row(1)
    assert row is not None and row.seats == (friend, "alice") and office.row(2) is None
    assert office.record(1) == list(moves)
    assert office.check() == []


# -- the words


@pytest.mark.parametrize(
    ("line", "below", "said"),
    [
        ("Come and play!", "", "Come and play!"),
        ("", "Come and play!", "Come and play!"),
        ("Come and", "play, at 10am,\nas in 2019.\n\nI wrote this to nobody.", "Come and play, at 10am, as in 2019."),
        ("Komm, spiel mit, Schwester \u2014 gru\u00df dich! \U0001f600", "", "Komm, spiel mit, Schwester \u2014 gru\u00df dich! \U0001f600"),
        ("a" * LONGEST, "", "a" * LONGEST),
        ("<b>Come</b> \u202eand\u200b play \x07", "", "<b>Come</b> and play"),
        ("", "\nI wrote this to nobody.", ""),
    ],
)  # fmt: skip
def test_words_on_the_line_and_directly_below_it_go_with_an_invitation(
    line: str, below: str, said: str
) -> None:
    assert greeting_of(line, below.split("\n")) == said


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("a" * (LONGEST + 1), "long-words"),
        ("See https://evil.example", "link-in-words"),
        ("See evil.example/x", "link-in-words"),
        ("See evil\uff0eexample", "link-in-words"),
        ("See evil\u3002com", "link-in-words"),
        ("See ev\u200bil.exa\u200bmple", "link-in-words"),
        ("See www evil", "link-in-words"),
        ("See 192.0.2.66", "link-in-words"),
        ("Write to me@evil.example", "link-in-words"),
        ("Write to me\uff20evil", "link-in-words"),
        ("Call +44 (900) 123-456", "link-in-words"),
        ("alice s3cret", "secret-in-words"),
    ],
)
def test_words_with_a_link_an_address_a_number_or_a_password_go_to_nobody(
    office: Office, words: str, code: str
) -> None:
    with pytest.raises(Refusal) as raised:
        greeting_of(words, ())
    assert raised.value.code == code
    before = office.rows("outbox", "contents", "counts", "handled", "places")
    (letter,) = office.send("alice", f"{INVITE} {words}")
    assert letter.to == address("alice") and "didn't send anything." in letter.words
    assert FRIEND not in letter.text and "s3cret" not in letter.text and "evil" not in letter.text
    assert office.rows("outbox", "contents", "counts", "handled", "places") == before


@pytest.mark.few(3)
@pytest.mark.parametrize("where", ["my turn", "waits", "over", "account", "digest", "password"])
def test_a_friend_is_invited_in_any_reply(office: Office, where: str) -> None:
    """None of the words goes to the opponent, and each is in the letter to the friend, as a quote."""
    board = office.begun("star challenge -leave=no alice bob")
    if where == "waits":
        office.play(board, "D4")
    if where == "over":
        office.play(board, "resign")
    if where == "digest":
        office.send("alice", f"letters alice {PASSWORD['alice']} daily 7:00")
        office.play(board, "D4", "E5")
    asked = {"account": "help", "digest": ""}.get(where, f"star show {board}")
    letters = office.digests() if where == "digest" else office.send("alice", asked)
    to = next(each for each in letters if each.to == address("alice")).reply_to
    lines = f"invite {FRIEND} Come and play,\nsays <Ann>!\n\nYours, A."
    if where == "password":
        office.deliver(office.write("alice", "", f"{INVITE} Come and play,\nsays <Ann>!"))
    else:
        office.deliver(office.write("alice", "Re: Star", lines, to), to=to)
    letters = office.letters()
    assert {each.to for each in letters} == {FRIEND, address("alice")}
    (letter,) = (each for each in letters if each.to == FRIEND)
    assert "\n  Come and play, says <Ann>!\n" in letter.text and "Yours" not in letter.text
    assert re.search(
        r"font-style:italic.>\s*<p[^>]*>Come and play, says &lt;Ann&gt;!</p>", letter.html
    )


def test_the_words_go_once_and_are_kept_nowhere(office: Office) -> None:
    invitation = invited(office, "Come, Tom")
    (again,) = office.send(FRIEND, "Re: x", "How do I start?", invitation.reply_to)
    assert "Come, Tom" not in again.text + again.html
    letters = tap(office, invitation, "F6")
    assert not any("Come, Tom" in each.text for each in letters)
    assert not any("Come, Tom" in str(rows) for rows in office.rows("contents").values())


# -- the answers


def test_a_tap_on_a_cell_opens_an_account_and_brings_the_friend_s_move_to_the_inviter(
    office: Office,
) -> None:
    letters = tap(office, invited(office), "F6")
    boards = {each.to: each for each in letters if each.subject == "New Star Board 1 alice"}
    assert boards.keys() == {FRIEND, address("alice")}
    assert "You've accepted alice's invitation." in boards[FRIEND].words
    assert "tom has accepted your invitation." in boards[address("alice")].words
    has_begun(office, "F6")
    (letter,) = office.send("alice", "Re: Star", "D4", boards[address("alice")].reply_to)[:1]
    assert office.record(1) == ["F6", "D4"], letter.text


@pytest.mark.parametrize("answered", ["invitation", "settings"])
def test_a_move_in_reply_to_another_letter_is_offered_on_its_board(
    office: Office, answered: str
) -> None:
    invitation = invited(office)
    began = {each.to: each for each in tap(office, invitation, "F6")}
    office.send("alice", "Re: Star", "D4", began[address("alice")].reply_to)
    (settings,) = office.send(FRIEND, "Re: Star", "settings", began[FRIEND].reply_to)
    to = {"invitation": invitation, "settings": settings}[answered].reply_to
    (letter,) = office.send(FRIEND, "Re: Star", "F7", to)
    said = "The letter you answered isn't about your game on board 1. To play F7, reply yes."
    assert said in letter.words
    office.send(FRIEND, "Re: Star", "yes", letter.reply_to)
    has_begun(office, "F6", "D4", "F7")


def test_a_cell_alone_is_kept_until_the_friend_has_a_name(office: Office) -> None:
    invitation = invited(office)
    before = office.rows("outbox", "contents", "counts", "handled", "guests")
    (letter,) = office.send(FRIEND, "Re: Star", "F6\nwho", invitation.reply_to)
    assert (
        letter.subject == "Star: your first move"
        and "skipped the rest of your message" in letter.words
    )
    assert office.rows("outbox", "contents", "counts", "handled", "guests") == before
    (other,) = office.send(FRIEND, "Re: Star", "No, E5!", letter.reply_to)
    (other,) = office.send(FRIEND, "Re: Star", "E5", other.reply_to)
    (wrong,) = office.send(FRIEND, "Re: Star", "signup alice", other.reply_to)
    assert sentence("name used", "alice") in wrong.words and "\n  signup alice2\n" in wrong.text
    (wrong,) = office.send(FRIEND, "Re: Star", "Z9\nsignup tom", wrong.reply_to)
    assert "There's no cell Z9" in wrong.words and office.row(1) is None
    office.send(FRIEND, "Re: Star", "signup tom2", wrong.reply_to)
    has_begun(office, "E5", friend="tom2")


def test_a_friend_begins_without_a_cell_and_moves_first(office: Office) -> None:
    invitation = invited(office)
    assert "?subject=signup%20tom" in invitation.html
    letters = office.send(FRIEND, "signup tom", "", invitation.reply_to)
    assert {each.subject for each in letters} >= {"New Star Board 1 tom"}
    has_begun(office)


def test_a_name_that_another_player_has_taken_since_is_asked_for_again(office: Office) -> None:
    invitation = invited(office)
    office.add("tom", "tom@other.example", "tr1angle")
    (letter,) = tap(office, invitation, "F6")
    assert sentence("name used", "tom") in letter.words and "signup%20tom2" in letter.html
    office.send(FRIEND, "signup tom2", "", letter.reply_to)
    has_begun(office, "F6", friend="tom2")


@pytest.mark.parametrize("word", ["decline", "No thanks", "nein danke", "no"])
def test_the_inviter_is_told_once_that_a_friend_declines(office: Office, word: str) -> None:
    invitation = invited(office)
    told, thanked = office.send(FRIEND, "Re: Star", word, invitation.reply_to)
    assert told.to == address("alice") and told.subject.endswith("invitation declined")
    assert "15 January" in told.words and "tom" not in told.text
    assert thanked.to == FRIEND and thanked.subject == "Star: alice has been told"
    assert [e.to for e in office.send(FRIEND, "Re: x", word, invitation.reply_to)] == [FRIEND]
    tap(office, invitation, "F6")
    has_begun(office, "F6")


@pytest.mark.parametrize("words", ["No problem, how do I play?", "no, wait, what is this?"])
def test_no_at_the_beginning_of_a_sentence_declines_nothing(office: Office, words: str) -> None:
    (letter,) = office.send(FRIEND, "Re: Star", words, invited(office).reply_to)
    assert letter.to == FRIEND and "alice is waiting for you" in letter.words


def test_never_is_told_to_nobody_and_ends_all_mail(office: Office) -> None:
    invitation = invited(office)
    assert "?subject=never" in invitation.html
    assert office.send(FRIEND, "never", "", invitation.reply_to) == []
    assert office.send(FRIEND, "Re: x", "hello?", invitation.reply_to) == []


def test_a_friend_is_told_if_the_inviter_takes_no_game_any_more(office: Office) -> None:
    invitation = invited(office)
    office.send("alice", f"signoff alice {PASSWORD['alice']}")
    letters = tap(office, invitation, "F6")
    assert {each.to for each in letters} == {FRIEND}
    assert any("alice isn't taking new games right now" in each.words for each in letters)
    assert office.row(1) is None and office.check() == []


def test_a_reply_after_some_weeks_still_leads_to_the_game(office: Office) -> None:
    invitation = invited(office)
    office.now += 20 * DAY
    tap(office, invitation, "F6")
    has_begun(office, "F6")


# -- what a forged mail can do


@pytest.mark.parametrize(
    "line", ["F6\nsignup tom", "F6", "signup tom", "decline", "How do I start?"]
)
def test_a_reply_from_another_address_answers_no_invitation(office: Office, line: str) -> None:
    """If the letter is forwarded, neither the game nor the inviter's peace goes with it, even to another guest."""
    to = invited(office).reply_to
    office.send(EVIL, "hello")
    letters = office.send(EVIL, "Re: Star", line, to)
    assert {each.to for each in letters} <= {EVIL}
    assert not any("alice" in each.words for each in letters)
    assert office.row(1) is None


@pytest.mark.parametrize("what", ["move", "mark", "mac"])
def test_a_changed_address_answers_no_invitation(office: Office, what: str) -> None:
    invitation = invited(office)
    (letter,) = office.send(FRIEND, "Re: Star", "F6", invitation.reply_to)
    detail = letter.reply_to.partition("+")[2].partition("@")[0]
    begin, mark, number, mac = re.fullmatch(r"(d)(.{16})i(\d+)-(.*)", detail).groups()  # type: ignore[union-attr]
    number = "1" if what == "move" else number
    mark = mark[::-1] if what == "mark" else mark
    mac = mac[::-1] if what == "mac" else mac
    to = letter.reply_to.replace(detail, f"{begin}{mark}i{number}-{mac}")
    letters = office.send(FRIEND, "Re: Star", "signup tom", to)
    assert [each.subject for each in letters] == ["Star account tom: please confirm"]
    assert office.row(1) is None


def test_words_go_to_a_stranger_for_a_proved_account_alone(office: Office) -> None:
    """Neither a From line nor a wrong password is proof; a place and a week have few letters in any case."""
    for line in (f"invite {FRIEND} Evil", f"invite alice wr0ngpw {FRIEND} Evil"):
        for sender in (address("alice"), EVIL):
            raw = office.write(sender, line)
            office.deliver(raw, sender=EVIL, peer="192.0.2.66")
            assert {each.to for each in office.letters()} <= {address("alice"), EVIL}
    to = office.send("alice", "help")[-1].reply_to
    assert {e.to for e in office.send(EVIL, "Re: x", f"invite {FRIEND} Evil", to)} <= {
        address("alice")
    }
    assert len(office.rows()["invitations"]) == 0
