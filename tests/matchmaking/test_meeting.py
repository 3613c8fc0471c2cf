"""Finding an opponent: offers under way, two who come at once, the data of a person."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from harness.common import sentence
from harness.letters import PASSWORD, SERVER
from harness.office import DAY, Office, address, at_once
from harness.quick import opened

from pbmstar import games
from pbmstar.errors import Refusal
from pbmstar.match import terms
from pbmstar.match.happenings import OfferTaken
from pbmstar.matchmaking.offers import AT_ONCE, INVITATIONS, Offer
from pbmstar.matchmaking.rows import Offers
from pbmstar.render.board.opening import kind
from pbmstar.render.letters import Renderer
from pbmstar.render.recipe import Recipe
from pbmstar.service.verbs import offers as verbs
from pbmstar.service.verbs.beginning import start
from pbmstar.service.work.context import Outcome
from pbmstar.store import User

FRIEND = "tom@new.example"
PEOPLE = ("alice", "bob", "carol", "dave")
WORDS = ("star", "hex")
SECRET = {**PASSWORD, "dave": "f0urth1"}


@pytest.fixture
def four(database: str, tmp_path: Path) -> Iterator[Office]:
    office = Office(database, tmp_path / "spool", PEOPLE[:3], limits="off")
    office.add("dave", password=SECRET["dave"])
    yield office
    office.close()


def said(office: Office, who: str, line: str) -> Outcome:
    """A command with the writer's password at its end, or in its middle where PW stands."""
    line = line.replace("PW", f"{who} {SECRET[who]}")
    outcome = office.deliver(office.write(who, line))
    office.letters()
    return outcome


def boards(office: Office) -> list[tuple[str, ...]]:
    """The players of all boards that run."""
    found = {row.board: row.seats for who in PEOPLE for row in office.ask("boards.of", who)}
    return [seats for _, seats in sorted(found.items())]


# -- the invariants, by any path


class Walk:
    """Four players who offer, take, are paired, block, refuse and limit as chance has it."""

    def __init__(self, office: Office, seed: int) -> None:
        self.office, self.rng = office, random.Random(seed)

    def step(self) -> None:
        """One of them does something; a game that begins respects the wishes of the other one."""
        who, other = self.rng.sample(PEOPLE, 2)
        word, number = self.rng.choice(WORDS), self.rng.randint(1, 12)
        size = "-size=4"
        line = self.rng.choice(
            [
                f"{word} seek {size} -count={self.rng.choice('0112')} PW",
                f"{word} seek {size} -new -rating=1400-1600 PW",
                *[f"match PW {word} {size}"] * 2,
                *[f"take {number} PW"] * 4,
                f"{word} challenge {size} {who} {other}",
                f"unseek {number} PW",
                f"block PW {other}",
                f"unblock PW {other}",
                f"reject PW {word}",
                "accept PW",
                f"limit PW {self.rng.randint(0, 4)}",
                "limit PW off",
                "away PW 3",
                "back PW",
            ]
        )
        before = self.wishes()
        known = len(boards(self.office))
        outcome = said(self.office, who, line)
        after = boards(self.office)
        if len(after) > known:
            assert outcome.name == "applied"
            self.is_allowed(before, who, after[-1])
        self.office.now += self.rng.choice((60.0, 3600.0, DAY))

    def wishes(self) -> dict[str, tuple[User, frozenset[str], int]]:
        return {
            who: (
                self.office.ask("accounts.user", who),
                self.office.ask("accounts.blocked_by", who),
                len(self.office.ask("boards.of", who, "active")),
            )
            for who in PEOPLE
        }

    def is_allowed(
        self, before: dict[str, tuple[User, frozenset[str], int]], who: str, seats: tuple[str, ...]
    ) -> None:
        """Whose doing the game is, is not asked; the other one is."""
        (other,) = (each for each in seats if each != who)
        user, blocks, running = before[other]
        newest = max(row.board for row in self.office.ask("boards.of", who))
        row = self.office.row(newest)
        assert row is not None and who not in blocks
        assert row.game not in user.refuses.split()
        assert user.most is None or running < user.most

    def listed_is_what_can_be_taken(self) -> None:
        """For each reader: a list shows what ``take`` would not refuse, and all of that."""
        office = self.office
        with office.store.transaction() as tx:
            for who in PEOPLE:
                work = office.work(tx)
                user = tx.accounts.user(who)
                lobby = verbs.enter(work, user)
                fitting = lobby.fitting(office.now)
                for offer in lobby.open:
                    assert (offer in fitting) == self._can_take(office, offer, user, work)

    def _can_take(self, office: Office, offer: Offer, user: User, work: object) -> bool:
        class Undone(Exception):
            pass

        try:
            with work.tx.savepoint():  # type: ignore[attr-defined]
                if verbs.enter(work, user).objection(offer, office.now):  # type: ignore[arg-type]
                    return False
                verbs.accept(work, offer, user)  # type: ignore[arg-type]
                raise Undone
        except Undone:
            return True
        except Refusal:
            return False

    def begun_is_at_most_wanted(self) -> None:
        begun = Counter[int]()
        for number in range(1, len(boards(self.office)) + 30):
            for event in self.office.ask("boards.events", number):
                if isinstance(event.happening, OfferTaken):
                    begun[event.happening.number] += 1
        for number, count in begun.items():
            offer = self.office.ask_of(Offers, "get", number)
            # The event of a game names the offer that waited; a new offer that met it has begun one, too.
            assert offer.begun - count in (0, 1)
            assert not offer.wanted or count <= offer.wanted


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(each, marks=pytest.mark.slow) for each in range(2, 7))]
)
def test_nobody_gets_a_game_that_wishes_blocks_or_limits_forbid(four: Office, seed: int) -> None:
    """By challenge, offer or pair; and a list shows what can be taken, no offer begins too many games."""
    walk = Walk(four, seed)
    for number in range(40):
        walk.step()
        if number % 10 == 9:
            walk.listed_is_what_can_be_taken()
    walk.begun_is_at_most_wanted()
    assert four.check() == []


# -- two at once


@pytest.mark.parametrize(
    ("line", "outcomes"), [("take {}", ["applied", "refused"]), ("match", ["applied", "applied"])]
)
def test_two_who_come_at_once_get_one_game(
    four: Office, database: str, line: str, outcomes: list[str]
) -> None:
    """Who take one offer, or look for an opponent; each mail comes to a daemon of its own."""

    def delivered(raw: bytes) -> str:
        with closing(opened(database)) as store:
            return four.deliver_to(raw, SERVER, store=store).name

    for number in range(1, 6):
        if "take" in line:
            said(four, "alice", "star seek -size=3 PW")
        mails = [
            four.write(who, f"{line.format(number)} {who} {PASSWORD[who]}")
            for who in ("bob", "carol")
        ]
        assert sorted(at_once(*(partial(delivered, raw) for raw in mails))) == outcomes
        assert len(boards(four)) == number and four.ask_of(Offers, "open") == []
    assert four.check() == []


# -- limits, and the course of an offer


def test_a_player_has_four_open_offers_whatever_the_limits(four: Office) -> None:
    for _ in range(AT_ONCE):
        assert said(four, "alice", "star seek PW").name == "applied"
    assert said(four, "alice", "star seek PW").codes == ("too-many-offers",)
    said(four, "alice", "unseek 2 PW")
    assert said(four, "alice", "hex seek PW").name == "applied"


def test_a_player_invites_three_people_a_week(office: Office) -> None:
    """Whether a letter goes there or not: the count says nothing about an address."""
    friends = [address("bob"), "one@x.example", "two@x.example", "three@x.example"]
    sent = [office.send("alice", f"invite alice {PASSWORD['alice']} {each}") for each in friends]
    went = [[letter.to for letter in letters if letter.to != address("alice")] for letters in sent]
    assert went == [[], ["one@x.example"], ["two@x.example"], []]
    assert "3 people a week" in sent[INVITATIONS][0].text
    office.now += 8 * DAY
    letters = office.send("alice", f"invite alice {PASSWORD['alice']} one+again@x.example")
    assert [letter.to for letter in letters] == [address("alice")], "nobody gets a second one"
    letters = office.send(
        "alice", f"invite alice {PASSWORD['alice']} three@x.example", "Come!\n\nBest"
    )
    assert [letter.to for letter in letters] == [address("alice"), "three@x.example"]
    assert "We won't send what you wrote below the blank line." in letters[0].words
    assert ["Best" in letter.text for letter in letters] == [False, False]


def test_an_offer_that_there_never_was_is_not_called_closed(four: Office) -> None:
    """One that was, but isn't kept any more, still is."""

    def told(number: int) -> str:
        (letter,) = four.send("bob", f"take {number} bob {PASSWORD['bob']}")
        return letter.words

    assert "There's no offer 1." in told(1)
    said(four, "alice", "star seek PW")
    said(four, "alice", "hex seek PW")
    said(four, "alice", "unseek 1 PW")
    assert f"{sentence('open no longer', 1)} Offers you can take: 2." in told(1)
    four.sql("DELETE FROM offers WHERE number = 1")
    assert sentence("open no longer", 1) in told(1)
    assert "There's no offer 3. Offers you can take: 2." in told(3)


def test_an_offer_ends_on_its_day_and_its_player_is_told(four: Office) -> None:
    said(four, "alice", "star seek -days=2 PW")
    assert four.remind(1.9)[1] == []
    (letter,) = four.remind(0.2)[1]
    assert letter.subject == "Star: your offer 1 has ended" and "match" in letter.text
    assert four.remind(5)[1] == []
    assert said(four, "bob", "take 1 PW").codes == ("offer-not-taken",)


def test_a_standing_offer_ends_when_nothing_is_heard_of_its_player(four: Office) -> None:
    said(four, "alice", "star seek -count=0 PW")
    four.remind(50)
    said(four, "alice", "zone PW Berlin")
    assert four.remind(50)[1] == []
    (letter,) = four.remind(11)[1]
    assert letter.subject == "Star: your offer 1 has ended"


def test_an_export_has_the_offers_and_an_erasure_keeps_the_hash_of_an_invitation(
    four: Office,
) -> None:
    for who in ("alice", "dave"):
        said(four, who, "star seek PW")
    said(four, "alice", "invite PW friend@x.example")
    kept = four.facts("admin", "user", "export", "alice")
    assert len(kept["offers"]) == 1 and kept["invitations"][0]["mailed"] == 1
    done = four.run("admin", "user", "erase", "alice")
    assert done.exit_code == 0, done.output
    said(four, "dave", "signoff PW")
    assert four.ask_of(Offers, "open") == []
    letters = four.send("bob", f"invite bob {PASSWORD['bob']} friend@x.example")
    assert [letter.to for letter in letters] == [address("bob")]


def test_the_operator_sees_the_offers_and_what_cannot_be(four: Office) -> None:
    said(four, "alice", "star seek PW")
    said(four, "alice", "hex seek PW")
    said(four, "bob", "take 2 PW")
    assert 'pbmstar_offers{state="taken"} 1' in four.run("admin", "metrics").output
    offer = four.ask_of(Offers, "get", 1)
    four.ask_of(Offers, "set", replace(offer, begun=1))
    assert four.check() == ["offer 1: it is open, but has begun 1 of 1 games"]


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("waiting", "line", "pairs"),
    [
        ("match PW", "match PW star -size=8", "star -size=8"),
        ("match PW star -size=8", "match PW", "star -size=8"),
        ("match PW hex", "match PW hex -size=7 -time=3d", "hex -size=7 -time=3d"),
        ("match PW hex -time=3d", "match PW hex -size=7", "hex -size=7 -time=3d"),
        ("match PW *star -double", "match PW *star -rings=4", "*star -rings=4 -double"),
        ("match PW star -size=10", "match PW star -size=8", ""),
        ("match PW star -time=3d", "match PW star -time=5d", ""),
        ("match PW", "match PW hex", ""),
        ("star seek PW", "match PW star -size=8", ""),
        ("star seek -size=8 PW", "match PW star -time=3d", ""),
    ],
)
def test_two_who_wait_are_paired_by_what_both_allow(
    office: Office, waiting: str, line: str, pairs: str
) -> None:
    """In either order; what the one has not named, the other may choose."""
    assert said(office, "alice", waiting).name == "applied"
    letters = office.send("bob", line.replace("PW", f"bob {PASSWORD['bob']}"))
    assert bool(boards(office)) == bool(pairs)
    if not pairs:
        assert letters[0].subject == "Star: you wait for an opponent"
        return
    row = office.row(1)
    assert row is not None
    word, *options = pairs.split()
    agreed = [each for each in options if each.startswith("-time")]
    kind = games.load(row.game, row.options)
    assert kind.word == word
    assert kind.described().split() == [each for each in options if each not in agreed]
    assert (terms.load(row.terms).time == "3d") == bool(agreed)


def test_who_waits_is_told_who_else_waits(office: Office) -> None:
    said(office, "alice", "hex seek -size=5 PW")
    (letter,) = office.send("bob", f"match bob {PASSWORD['bob']}")
    assert "Hex 5" in letter.text and "alice" in letter.text
    assert "subject=take%201" in letter.html
    office.send("bob", f"Re: {letter.subject}", "take 1", to=letter.reply_to)
    assert boards(office)


@pytest.mark.parametrize(
    ("line", "listed"),
    [
        ("match PW", "Star 6 (or another size), until"),
        ("match PW star -size=6", "Star 6, until"),
        ("match PW star -maxi -time=3d", "Star 6, maxi (or another size), -time=3d, until"),
        ("match PW *star", "*Star 10 (or another size), until"),
        ("match PW y -bent", "Y, bent, until"),
        ("star seek PW", "Star 6, until"),
    ],
)
def test_who_waits_is_told_what_is_left_open(four: Office, line: str, listed: str) -> None:
    """A wish without a size is open to any; who takes it gets the game that others see listed."""
    waiting = four.send("alice", line.replace("PW", f"alice {PASSWORD['alice']}"))
    listing = four.send("alice", "seeks")
    alone = four.remind(days=2)[1] if "match" in line else []
    assert [len(waiting), len(listing), len(alone)] == [1, 1, int("match" in line)]
    for letter in (*waiting, *listing, *alone):
        assert f"1 {listed}" in letter.words
    (there,) = four.send("bob", "seeks")
    shown = listed.replace(" (or another size)", "").removesuffix(", until")
    assert f"1 {shown}, by alice" in there.words
    four.send("bob", "Re: x", "take 1", there.reply_to)
    row = four.row(1)
    assert row is not None
    assert kind(games.load(row.game, row.options)) == shown.removesuffix(", -time=3d")


@pytest.mark.parametrize(
    ("waiting", "line"),
    [("hex seek -size=5 PW", "match PW hex"), ("match PW hex", "hex seek -size=5 PW")],
)
def test_a_game_that_is_refused_midway_is_not_counted(
    office: Office, monkeypatch: pytest.MonkeyPatch, waiting: str, line: str
) -> None:
    """Whatever refuses it, of all that follows from a beginning: no board is left, and the offer is open."""

    def refused(*args: Any, **agreed: Any) -> int:
        start(*args, **agreed)
        raise Refusal("There is no such game today.", "no-game")

    said(office, "alice", waiting)
    with monkeypatch.context() as patch:
        patch.setattr(verbs, "start", refused)
        letters = office.send("bob", line.replace("PW", f"bob {PASSWORD['bob']}"))
    assert [letter.to for letter in letters] == [address("bob")]
    assert boards(office) == []
    both = office.ask_of(Offers, "open")
    assert [(offer.userid, offer.begun) for offer in both] == [("alice", 0), ("bob", 0)]
    assert said(office, "bob", "take 1 PW").name == "applied"
    assert office.check() == []


@pytest.mark.parametrize("line", ["match any", "match me with anybody please!", "match anyone"])
@pytest.mark.parametrize("letter", ["help", "star show 1"])
def test_any_opponent_will_do(office: Office, line: str, letter: str) -> None:
    office.game("star challenge -size=3 alice bob")
    to = office.send("alice", letter)[-1].mail["Reply-To"]
    (waiting,) = office.send("alice", "Re: Star", line, to)
    assert "Error" not in waiting.subject


def test_an_account_at_another_spelling_of_the_address_takes_no_offer_of_its_own(
    office: Office,
) -> None:
    office.add("ann", "alice@gmail.com", password="s3cond")
    office.add("carol", "al.ice@gmail.com")
    office.send("alice@gmail.com", "star seek ann s3cond")
    (letter,) = office.send("al.ice@gmail.com", "take 1 carol tr1angle")
    assert "is yours, or it comes from someone who shares your email address" in letter.words


def test_the_lists_of_offers_in_a_daily_letter_end_by_a_reply_or_a_tap(office: Office) -> None:
    (letter,) = office.send("alice", f"lobby alice {PASSWORD['alice']} on")
    below = letter.text.partition(f"\n{sentence('reply lines')}:\n")[2]
    assert below.split("\n")[:2] == ["  letters lobby off", "  seeks"]
    for reply in ("letters lobby off", "seeks"):
        assert f"?subject={quote(reply)}" in letter.html


# -- invitations


@pytest.mark.parametrize(
    "line", ["yes", "Hi Anna! How do I start?", "Sure, let's play", "ok", "what do I do?"]
)
def test_who_answers_an_invitation_in_words_gets_it_again(office: Office, line: str) -> None:
    letters = office.send("alice", f"invite alice {PASSWORD['alice']} {FRIEND}")
    (invitation,) = (each for each in letters if each.to == FRIEND)
    (again,) = office.send(FRIEND, "Re: Star: alice invites you", line, invitation.reply_to)
    assert again.subject == invitation.subject and "\n  signup tom\n" in again.text
    assert len(again.words.split()) < 70 and "subject=signup%20tom" in again.html
    letters = office.send(FRIEND, "signup tom", "", again.reply_to)
    assert {each.to for each in letters} == {FRIEND, "alice@alice.example"}
    row = office.row(1)
    assert row is not None and set(row.seats) == {"tom", "alice"}


def test_an_invitation_of_the_last_version_that_waits_is_written() -> None:
    facts = {"inviter": "alice", "reply_to": "star+x@pbm.example"}
    recipe = Recipe("invitation", {"To": FRIEND, "From": SERVER}, 1.8e9, "0" * 24, facts)
    assert b"Subject: Star" in Renderer(None, SERVER).write(recipe)


def test_a_match_that_names_no_game_is_refused_as_it_was_typed(office: Office) -> None:
    """In a reply about the account, and in one to a board out of turn: it is not talk to the opponent."""
    to = office.send("alice", "help")[-1].mail["Reply-To"]
    (letter,) = office.send("alice", "Re: Star", "match chess", to)
    assert "match chess" in letter.text
    office.game("star challenge -size=4 bob alice")
    to = office.send("alice", "star show 1")[-1].mail["Reply-To"]
    letters = office.send("alice", "Re: Star Board 1", "match point", to)
    assert [each.to for each in letters] == [address("alice")]


@pytest.mark.parametrize(("line", "said"), [("match", "the word match"), ("star seek", "star")])
def test_who_looks_for_an_opponent_without_a_password_is_told_to_reply(
    office: Office, line: str, said: str
) -> None:
    with office.store.transaction() as tx:
        tx.accounts.add(User("tom", FRIEND, "", "active", office.now))
    (letter,) = office.send(FRIEND, line)
    assert f"if you reply to one of our letters with {said}" in " ".join(letter.text.split())
    assert letter.mail["Reply-To"], "this letter is one of them"


@pytest.mark.parametrize("password", ["-0t0paz0", "-t0pazring", "-=x-ring-"])
def test_a_password_that_begins_with_a_dash_is_no_option(four: Office, password: str) -> None:
    """It stands last, where an option may stand too; no answer repeats it."""
    four.add("eve", password=password)
    (letter,) = four.send("eve", f"star seek -size=4 eve {password}")
    assert "You're offering this game" in letter.text
    (letter,) = four.send("eve", f"star seek eve {password}x")
    assert "password" in letter.text and password not in letter.text
