"""Every verb works in a reply, to whatever letter, without userid and password."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from harness.common import sentence
from harness.letters import PASSWORD
from harness.office import Office, address

from pbmstar.command import GAME_VERBS, SERVER_VERBS
from pbmstar.grammar.verb import Verb
from pbmstar.match.happenings import Muted
from pbmstar.service.work.context import Outcome
from pbmstar.store import OtherAddress, User

_MINE, _THEIRS, _OVER, _OTHERS, _PUZZLE = 1, 2, 3, 4, 5
_AFTER_THE_END = ("rematch", "review", "album")
# Codes of refusals that only a line can have that was not understood, or whose writer was not known.
_NOT_UNDERSTOOD = {
    "bad-board", "bad-userid", "empty-reply", "foreign-token", "late", "missing-board", "missing-move",
    "missing-password", "missing-userid", "missing-userid2", "no-command", "no-game-word", "not-here", "not-you", "not-your-address", "slip", "too-much", "unknown-game",
    "unknown-token", "unknown-verb",
}  # fmt: skip
_VERBS = [*GAME_VERBS, *SERVER_VERBS]


class Town:
    """An office, and the Reply-To of letters to alice: about her account, and about boards."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.account = str(office.send("alice", "help commands")[-1].mail["Reply-To"])
        self.boards = {
            board: str(office.send("alice", f"star show {board}")[-1].mail["Reply-To"])
            for board in (_MINE, _THEIRS)
        }


@pytest.fixture(scope="module")
def town(another: Callable[..., Office]) -> Iterator[Town]:
    """A service in which all that verbs are about is there; alice has no password."""
    with closing(another(people=["bob"])) as office:
        office.add("carol", password="d1amond")
        _without_password(office, "alice")
        office.send("alice", "star challenge -size=4 alice bob")
        office.send("alice", "star challenge -size=4 bob alice")
        office.send("alice", "star challenge -size=3 bob alice")
        office.send("bob", f"star resign {_OVER} bob {PASSWORD['bob']}")
        office.send("bob", "star challenge -size=3 bob carol")
        office.send("alice", "minisolitaire challenge alice")
        office.send("bob", f"star seek bob {PASSWORD['bob']}")
        for admin in ("ladder open star -size=3", "league open star -size=3"):
            office.run("admin", *admin.split())
        office.letters()
        yield Town(office)


def _without_password(office: Office, userid: str) -> None:
    """Open an account as a reply to a letter does."""
    with office.store.transaction() as tx:
        tx.accounts.add(User(userid, address(userid), "", "active", office.now))


def _short(verb: Verb) -> str:
    """The example of a verb without userid and password, and without a board's number."""
    if verb.name == "signup":
        return verb.example
    line = verb.example.replace("12 alice", "1 alice")
    for own in (" alice s3cret", " carol s3cret"):
        line = line.replace(own, "")
    if verb.name in ("challenge", "versus"):
        line = line.replace("alice bob", "bob")
    if verb.name == "say":
        line += " good luck"
    return line


def _full(verb: Verb) -> str:
    """The same for a letter that is not about the board: with the game's word and the board's number."""
    board = _OTHERS if verb.name in ("watch", "unwatch") else _MINE
    board = _OVER if verb.name in _AFTER_THE_END else _PUZZLE if verb.seats == (1,) else board
    word = "" if verb in SERVER_VERBS else "minisolitaire " if 2 not in verb.seats else "star "
    return word + _short(verb).replace("17", str(board)).replace("18", str(board))


def _assert_understood(verb: Verb, outcome: Outcome, line: str) -> None:
    assert not _NOT_UNDERSTOOD & set(outcome.codes), (line, outcome)
    (name,) = outcome.commands
    assert verb.name in name, (line, outcome)


@pytest.mark.few(25)
@pytest.mark.parametrize("verb", _VERBS, ids=lambda verb: f"{verb.name} {verb.seats}")
def test_each_verb_works_in_a_reply_to_a_letter_about_the_account(town: Town, verb: Verb) -> None:
    """As the first line, as a Subject, and below a greeting."""
    line = _full(verb)
    for subject, body in (("Re: Star", line), (line, ""), ("Re: Star", f"Hello,\r\n\r\n{line}")):
        outcome = town.office.tried("alice", subject, body, town.account)
        _assert_understood(verb, outcome, line)


@pytest.mark.slow
@pytest.mark.parametrize("board", [_MINE, _THEIRS], ids=["on turn", "out of turn"])
@pytest.mark.parametrize("verb", _VERBS, ids=lambda verb: f"{verb.name} {verb.seats}")
def test_each_verb_works_in_a_reply_to_a_board_letter(town: Town, verb: Verb, board: int) -> None:
    """In full, and without the number and the game's word if it is about that letter's board."""
    lines = [_full(verb)]
    if verb in GAME_VERBS and 2 in verb.seats and verb.name not in ("watch", "unwatch"):
        lines.append(_short(verb).replace(" 17#5 18", "").replace(" 17", ""))
    for line in lines:
        for subject, body in (("Re: Star", line), (line, "")):
            outcome = town.office.tried("alice", subject, body, town.boards[board])
            _assert_understood(verb, outcome, line)


# -- what is asked back


def _changes(office: Office) -> list[str]:
    """What alice's account is: its password, addresses and state."""
    user = office.ask("accounts.user", "alice")
    return [user.password, *office.ask("accounts.addresses", user), user.state]


@pytest.fixture
def alone(another: Callable[..., Office]) -> Iterator[Office]:
    """An office in which alice has no password, and bob has one."""
    with closing(another(people=["bob"])) as office:
        _without_password(office, "alice")
        yield office


@pytest.mark.parametrize(
    "line",
    [
        "change password n3wword",
        "change address alice@new.example",
        "add address alice@phone.example",
        "remove address alice@phone.example",
        "signoff",
    ],
)
def test_what_changes_who_owns_an_account_is_asked_back(alone: Office, line: str) -> None:
    """A letter may have been forwarded: the question goes to the owner, and only the owner can answer it."""
    if line.startswith("remove"):
        alone.ask("accounts.add_address", OtherAddress("alice@phone.example", "alice", "none", 0.0))
    to = alone.send("alice", "help")[-1].mail["Reply-To"]
    before = _changes(alone)
    (asked,) = alone.send("alice", "Re: Star", line, to)
    assert asked.to == address("alice") and _changes(alone) == before
    assert "reply yes to this letter" in " ".join(asked.text.split())
    assert "n3wword" not in asked.text
    alone.send("thief@evil.example", "Re: Star", "yes", asked.mail["Reply-To"])
    assert _changes(alone) == before, "that is not the owner's address"
    answers = alone.send("alice", "Re: Star", "yes", asked.mail["Reply-To"])
    if line.startswith(("change address", "add")):  # and now that address is asked
        assert _changes(alone) == before
        (there,) = [letter for letter in answers if letter.to == line.split()[2]]
        alone.send(there.to, "Re: Star", "yes", there.mail["Reply-To"])
    assert _changes(alone) != before
    assert not alone.send("alice", "Re: Star", "yes", asked.mail["Reply-To"])[1:], "used once"


def test_a_password_that_was_asked_for_in_a_reply_works(alone: Office) -> None:
    to = alone.send("alice", "help")[-1].mail["Reply-To"]
    (asked,) = alone.send("alice", "Re: Star", "change password n3wword", to)
    alone.send("alice", "Re: Star", "yes", asked.mail["Reply-To"])
    (letter,) = alone.send("alice", "limit alice n3wword 5")
    assert "Error" not in letter.subject


def test_a_new_password_voids_what_was_asked_before(alone: Office) -> None:
    to = alone.send("alice", "help")[-1].mail["Reply-To"]
    (first,) = alone.send("alice", "Re: Star", "signoff", to)
    (second,) = alone.send("alice", "Re: Star", "change password n3wword", to)
    alone.send("alice", "Re: Star", "yes", second.mail["Reply-To"])
    alone.send("alice", "Re: Star", "yes", first.mail["Reply-To"])
    assert _changes(alone)[-1] == "active"


# -- moves, talk, and boards of others


_TALK = (
    "Is it my turn?", "challenge accepted", "History repeats itself", "Who knows?",
    "Take that!", "Games are fun", "limit yourself", "block this if you dare",
    "Reject that offer of peace", "Who would have thought?", "Bot or not, you play well",
)  # fmt: skip


@pytest.mark.few(3)
@pytest.mark.parametrize("line", _TALK)
def test_talk_out_of_turn_is_talk(alone: Office, line: str) -> None:
    """It goes to the opponent, or its writer is told that it did not; it never does anything else."""
    alone.game("star challenge -size=4 bob alice")
    to = alone.send("alice", "star show 1")[-1].mail["Reply-To"]
    got = alone.send("alice", "Re: Star Board 1", line, to)
    assert {letter.to for letter in got} == {address("alice"), address("bob")}
    assert any(line in letter.text for letter in got if letter.to == address("bob"))


@pytest.mark.parametrize("said", ["I would like to play, please", "Hallo, ich möchte spielen"])
def test_a_player_who_writes_no_command_gets_words_to_reply(alone: Office, said: str) -> None:
    """The answer goes to the account's own address, so a reply to it needs no password."""
    (letter,) = alone.send("alice", said)
    asked = "Against a person, or against a bot?"
    assert letter.words.startswith(
        f"So you'd like to play. {asked} Reply with one of these lines: match"
    )
    (wish,) = alone.send("alice", "Re: Star: help", "match", to=letter.reply_to)
    assert wish.subject == "Star: you wait for an opponent"


@pytest.mark.parametrize(
    ("said", "reply", "subject"),
    [
        ("unsubscribe", "help letters", "Help: letters"),
        ("unsubscribe, thanks", "help letters", "Help: letters"),
        ("bitte abmelden", "signoff", "Star account alice: please confirm"),
        ("I have lost my password", "forgot", "Star account alice: new password"),
    ],
)
def test_a_wish_in_words_gets_the_reply_that_does_it(
    alone: Office, said: str, reply: str, subject: str
) -> None:
    (letter,) = alone.send("alice", said)
    assert letter.subject == "Star: help" and re.search(f"[Rr]eply: {reply}", letter.words)
    (answer,) = alone.send("alice", "Re: Star: help", reply, to=letter.reply_to)
    assert answer.subject == subject


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "stop",
            "To resign this game, reply: resign If you want fewer letters, reply: help letters.",
        ),
        ("Please delete my account", "To close your account, reply: signoff"),
        ("abmelden", "If you want fewer letters, reply: help letters."),
        (
            "What are the rules?",
            'For the rules, reply: help\nTo write to alice, start your message with the word "say".',
        ),
        ("Wie geht das?", "For the rules, reply: help"),
        ("unsubscribe, thanks", "If you want fewer letters, reply: help letters."),
        ("By the rules I play C3", f"{sentence('has words', 'C3')} To play it, reply yes."),
        (
            "How are you?",
            f"{sentence('one cell', 'D6')} Nothing has changed. Is it a message for alice?",
        ),
    ],
)
def test_a_reply_in_words_is_told_what_it_may_want(office: Office, line: str, told: str) -> None:
    """On the writer's turn, when words may be a move that is written wrongly, and nothing is passed on."""
    office.game("star challenge -size=4 alice bob")
    letter = next(each for each in office.play(1, "D4") if each.to == address("bob"))
    (answer,) = office.send("bob", "Re: Star Board 1", line, letter.reply_to)
    assert answer.to == address("bob")
    assert " ".join(told.split()) in " ".join(answer.text.split())


def test_talk_out_of_turn_is_told_what_it_may_want(office: Office) -> None:
    """It has gone to the opponent all the same."""
    office.game("star challenge -size=4 alice bob")
    letter = next(each for each in office.play(1, "D4") if each.to == address("alice"))
    told = office.send("alice", "Re: Star Board 1", "Please delete my account", letter.reply_to)
    (receipt,) = (each for each in told if each.to == address("alice"))
    assert "To close your account, reply: signoff" in " ".join(receipt.text.split())


@pytest.mark.parametrize("line", ["rules", "Regeln", "reglas"])
def test_the_rules_are_help(office: Office, line: str) -> None:
    office.game("hex challenge -size=3 alice bob")
    letter = next(each for each in office.play(1, "B2") if each.to == address("bob"))
    (answer,) = office.send("bob", "Re: Hex Board 1", line, letter.reply_to)
    assert answer.subject == "Help: Hex"


def test_a_boards_number_says_its_game(alone: Office) -> None:
    """Also in a mail that proves nothing; and in a reply to the letter of another board."""
    alone.game("hex challenge -size=3 alice bob")
    alone.game("star challenge -size=4 alice bob")
    alone.send("bob", f"hex resign 1 bob {PASSWORD['bob']}")
    assert "Hex Board 1" in alone.send("alice", "record 1")[0].subject
    to = alone.send("alice", "star show 2")[-1].mail["Reply-To"]
    for line in ("record 1", "score 1", "show 1"):
        (letter,) = alone.send("alice", "Re: Star Board 2", line, to)
        assert letter.subject.startswith("Hex Board 1") and "Error" not in letter.subject, line
    alone.send("alice", "Re: Star Board 2", "mute 1", to)
    (muted,) = alone.ask("boards.events", 1)
    assert muted.happening == Muted("alice", True) and alone.ask("boards.events", 2) == []
    account = alone.send("alice", "help")[-1].mail["Reply-To"]
    (letter,) = alone.send("alice", "Re: Star", "notes", account)
    assert "Which board?" in letter.text


def test_a_challenge_in_a_reply_to_a_board_letter_is_to_its_game(alone: Office) -> None:
    """In a reply to any other letter the answer offers lines with the words of games."""
    alone.game("hex challenge -size=3 alice bob")
    to = alone.send("alice", "hex show 1")[-1].mail["Reply-To"]
    letters = alone.send("alice", "Re: Hex Board 1", "challenge bob", to)
    assert {letter.subject for letter in letters} == {"New Hex Board 2"} or len(letters) == 2
    assert alone.row(2).game == "hex"  # type: ignore[union-attr]
    account = alone.send("alice", "help")[-1].mail["Reply-To"]
    (letter,) = alone.send("alice", "Re: Star", "challenge bob", account)
    assert "Which game?" in letter.text and "  hex challenge bob" in letter.text
    assert "queens challenge bob" not in letter.text
    alone.send("alice", "Re: Star", "hex challenge bob", account)
    assert alone.row(3).seats == ("alice", "bob")  # type: ignore[union-attr]


def test_an_old_letter_does_not_give_a_game_up_by_its_number(alone: Office) -> None:
    """The board has changed since: the number of the letter's own board changes nothing in that."""
    alone.game("star challenge -size=3 alice bob")
    old = alone.send("alice", "star show 1")[-1].mail["Reply-To"]
    alone.send("alice", "Re: Star Board 1", "A3", old)
    for line in ("resign 1", "star resign 1"):
        (letter,) = alone.send("alice", "Re: Star Board 1", line, old)
        assert "older letter" in " ".join(letter.text.split()), line


def test_words_of_a_reply_are_shown_as_they_were_typed(alone: Office) -> None:
    alone.game("star challenge -size=3 alice bob")
    to = alone.send("alice", "star show 1")[-1].mail["Reply-To"]
    (letter,) = alone.send("alice", "Re: Star", "c-3-4", to)
    assert "c-3-4" in letter.text and "******" not in letter.text


@pytest.mark.parametrize("line", ["resign all", "limit alice 5"])
def test_who_has_no_password_is_told_to_reply(alone: Office, line: str) -> None:
    (letter,) = alone.send("alice", line)
    text = " ".join(letter.text.split())
    assert f"if you reply to one of our letters with {line[:5]}" in text
    assert letter.mail["Reply-To"], "this letter is one of them"


def test_a_number_of_days_is_no_board_even_if_there_is_such_a_board(office: Office) -> None:
    office.game()
    (own,) = office.send("alice", "zone alice s3cret UTC")
    (letter,) = office.send("alice", "extend 1", to=own.reply_to)
    text = " ".join(letter.text.split())
    assert "Which board? Write it like this, with the board's number: extend board# days" in text
    (letter,) = office.send("alice", "extend 1 2", to=own.reply_to)
    assert "Board 1" in letter.subject


@pytest.mark.parametrize("line", ["show 9999", "zeigen 9999", "score 9999"])
def test_a_board_that_is_not_there_is_told_so_in_reply_to_another(
    office: Office, line: str
) -> None:
    office.game("star challenge -size=4 alice bob")
    (letter,) = office.send("alice", "star show 1")
    (answer,) = office.send("alice", "Re: x", line, to=letter.reply_to)
    assert "There's no board 9999." in answer.words


def test_a_list_of_games_ends_with_and(office: Office) -> None:
    (letter,) = office.send("alice", "reject alice s3cret chess")
    assert re.search(r"The games are [^.]* and \*?\w+\.", letter.words)


def test_one_reply_that_is_offered_is_one_line(office: Office) -> None:
    """Words to a bot on the player's turn can only be a question."""
    office.run("admin", "bot", "add", "bot1")
    office.send("alice", "star challenge -size=4 alice bot1")
    (letter,) = office.send("alice", "star show 1")
    (answer,) = office.send("alice", "Re: x", "lovely thoughts", to=letter.reply_to)
    assert "You can reply: help" in answer.words, answer.words


def test_settings_in_french_have_a_space_before_each_colon(office: Office) -> None:
    office.send("alice", "language alice s3cret fr")
    (letter,) = office.send("alice", "settings alice s3cret")
    settings = re.findall(r"^- [^:]*:", letter.text, re.M)
    assert len(settings) > 5 and all(re.search(r"\s:$", each) for each in settings), settings


def test_a_whole_command_without_the_word_of_its_game_is_one(office: Office) -> None:
    """In a reply to a board, whoever's turn it is: the password is its own, and nobody reads it."""
    board = office.game("star challenge -size=4 alice bob")
    own = next(each for each in office.play(board, "D4") if each.to == address("alice"))
    letters = office.send("alice", "Re: x", f"say {board} alice s3cret Hello!", own.reply_to)
    assert {letter.to for letter in letters} == {address("alice"), address("bob")}
    assert all(
        "alice writes: Hello!" in each.words and "s3cret" not in each.text for each in letters
    )
    (told,) = office.send("alice", "Re: x", f"move {board} alice s3cret C3", own.reply_to)
    assert "It's not your turn." in told.words
