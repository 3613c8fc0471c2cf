"""What mails with a forged From bring to the player whom they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from harness.letters import PASSWORD, SERVER, Got
from harness.office import DAY, Office, address

from pbmstar.command import GAME_VERBS, SERVER_VERBS
from pbmstar.grammar.verb import Verb, Who
from pbmstar.render.pages import topics
from pbmstar.service.proof import limits
from pbmstar.service.proof.limits import ASKED_A_MAIL

_RATION, _LINES = 3, 5


# Of these tables a mail that proves nothing may change rows: what came, what went out, how often.
_RECEIVED = {"contents", "counts", "handled", "outbox", "places", "tokens"}
_COUNTED = ("counts", "handled", "places")  # without these nothing has come yet
# A board of alice's: whose running game, whose finished one, and the game of another two.
_RUNNING, _OVER, _OTHERS = 1, 2, 3
_AFTER_THE_END = {"rematch", "review", "album", "from"}


@pytest.fixture(scope="module")
def built(another: Callable[..., Office]) -> Iterator[Office]:
    """A service in which all that verbs are about is there: games, an offer, a ladder, a season, bots."""
    with closing(another()) as office:
        office.add("carol")
        office.add("dora", password="d1amond")
        office.begun()
        office.game("star challenge -size=3 alice bob")
        office.play(_OVER, "A3", "C2", "A4", "D3", "resign")
        office.send("bob", f"star challenge -size=3 bob carol {PASSWORD['bob']}")
        office.send("bob", f"star seek bob {PASSWORD['bob']}")
        for admin in ("ladder open star -size=3", "league open star -size=3"):
            office.run("admin", *admin.split())
        for userid, word in (PASSWORD | {"dora": "d1amond"}).items():
            for contest in ("ladder", "league"):
                office.send(userid, f"{contest} join star {userid} {word}")
        office.run("admin", "league", "begin", "star")
        for userid, word in (PASSWORD | {"dora": "d1amond"}).items():
            office.send(userid, f"cup {userid} {word} star")
        office.remind(7)
        office.send("alice", f"cup alice {PASSWORD['alice']} hex")
        office.letters()
        yield office


@pytest.fixture
def town(built: Office) -> Office:
    """The same, to which no forged mail has come yet: nothing that one does may stay."""
    for table in _COUNTED:
        built.sql(f"DELETE FROM {table}")
    return built


def example(verb: Verb, password: str) -> str:
    """The example of a verb, about what is there in town, with that password where one belongs."""
    word = "" if verb in SERVER_VERBS else "minisolitaire " if 2 not in verb.seats else "star "
    board = str(_OVER if verb.name in _AFTER_THE_END else _RUNNING)
    line = verb.example.replace("17", board).replace("18", board).replace("12", "1")
    if verb.name in ("watch", "unwatch"):
        line = line.replace(" 1 carol", f" {_OTHERS} alice")
    return f"{word}{line}".replace("carol s3cret", "alice s3cret").replace("s3cret", password)


@pytest.mark.parametrize("verb", [*GAME_VERBS, *SERVER_VERBS], ids=lambda verb: verb.name)
@pytest.mark.slow
def test_no_verb_brings_more_than_the_ration(
    town: Office, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line of the table, with a wrong password where one belongs; here the ration is small.

    Of games that begin others are told too; they have limits of their own.
    """
    monkeypatch.setattr(limits, "LETTERS_A_DAY", _RATION)
    line = example(verb, "wr0ng").replace("alice@new.example", address("alice"))
    letters = 0
    for number in range(_RATION + 2):
        raw = town.write("alice", f"no. {number}", "\r\n".join([line] * _LINES))
        town.deliver(raw, sender="evil@evil.example", peer="192.0.2.66")
        letters += sum(
            letter.to == address("alice") and not letter.subject.startswith("New ")
            for letter in town.letters()
        )
    assert letters <= _RATION


_PROVED = [each for each in (*GAME_VERBS, *SERVER_VERBS) if each.who in (Who.PLAYER, Who.ACCOUNT)]
_ASKED = [each for each in (*GAME_VERBS, *SERVER_VERBS) if each.who is Who.ADDRESS]


@pytest.mark.few(3)
@pytest.mark.parametrize("verb", _PROVED, ids=lambda verb: f"{verb.name} {verb.seats}")
def test_without_password_token_or_mailbox_nothing_is_done(town: Office, verb: Verb) -> None:
    """With a wrong one, with none, and to addresses that nobody made; all that the line lacks is the proof."""
    before = town.rows(*_RECEIVED)
    wrong = example(verb, "wr0ng")
    none = " ".join(word for word in wrong.split() if word != "wr0ng")
    reply = verb.name + verb.example.partition("s3cret")[2]
    got: list[Got] = []
    codes: list[tuple[str, ...]] = []
    for subject, text, to in (
        (wrong, "", SERVER),
        (none, "", SERVER),
        ("Re: Star", reply, "star+r1t0k1abcdefghijklmnopqrstuvwx@pbm.example"),
        ("Re: Star", reply, "star+calice-abcdefgh@pbm.example"),
    ):
        raw = town.write("alice", subject, text, to)
        outcome = town.deliver(raw, sender="evil@evil.example", to=to, peer="192.0.2.66")
        codes.append(outcome.codes)
        got += town.letters()
    assert {letter.to for letter in got} <= {address("alice")}
    assert town.rows(*_RECEIVED) == before
    assert codes[0] == ("not-you",), "the example is about what is there"


@pytest.mark.few(10)
@pytest.mark.parametrize("verb", _ASKED, ids=lambda verb: f"{verb.name} {verb.seats}")
def test_what_may_be_asked_without_proof_changes_nothing(town: Office, verb: Verb) -> None:
    """And only the one who is named is answered."""
    before = town.rows(*_RECEIVED)
    raw = town.write("alice", example(verb, "wr0ng"), "Words of evil.")
    outcome = town.deliver(raw, sender="evil@evil.example", peer="192.0.2.66")
    letters = town.letters()
    assert {letter.to for letter in letters} <= {address("alice")}
    assert not any("Words of evil." in letter.text for letter in letters)
    after = town.rows(*_RECEIVED)
    # A tip is shown once, and the one who is named has the letter that shows it.
    noted = {"drafts", "reviews", "tips"}
    assert {name for name in after if after[name] != before[name]} <= noted
    assert outcome.name in ("applied", "refused")


@pytest.mark.slow
def test_challenges_to_one_player_count_when_they_are_made(office: Office) -> None:
    """Ten a day, declined or not; those that forged mails make are counted apart."""
    board = office.game()
    office.send("alice", f"star decline {board} alice {PASSWORD['alice']}")

    def made(sender: str) -> int:
        count = 0
        for _ in range(15):
            office.deliver(office.write("alice", "star challenge alice bob"), sender=sender)
            for letter in office.letters():
                if letter.to == address("alice") and letter.subject.startswith("New Star"):
                    count += 1
                    office.send("alice", "", "decline", letter.reply_to)
        return count

    assert made("evil@evil.example") == 9, "the first was not proved either"
    assert made(address("alice")) == 10
    office.now += DAY
    assert made(address("alice")) == 10


def test_one_mail_orders_twenty_letters(office: Office) -> None:
    """Of lines with a password each of which asks for more."""
    for _ in range(3):
        office.begun()
    lines = [f"star show {n}#{move}" for n in (1, 2, 3) for move in (1, 2)]
    lines += [f"star show {n}" for n in (1, 2, 3)] + [f"star score {n}" for n in (1, 2, 3)]
    lines += [f"star record {n}" for n in (1, 2, 3)] + ["who", "help", "star games", "games"]
    lines += [f"help {topic}" for topic in topics(None)[:5]]
    first = f"limit alice {PASSWORD['alice']} 9"
    outcome = office.deliver(office.write("alice", "", "\r\n".join([first, *lines[:19]])))
    assert len(outcome.letters) == 20 and not outcome.codes
    digest = office.write(
        "alice", "", "\r\n".join([first, *["star show 1#1 1#2 2#1 2#2 3 3#1 3#2"], *lines[8:25]])
    )
    outcome = office.deliver(digest)
    assert len(outcome.letters) == ASKED_A_MAIL + 2, "with that about the limit, and the error"
    assert set(outcome.codes) == {"too-many-letters"}
