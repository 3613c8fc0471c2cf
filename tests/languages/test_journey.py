"""A stranger plays from the first mail to a second game in one language, and reads no other."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from harness.letters import PASSWORD, Got
from harness.office import Office

NORA = "nora@nora.example"
# Words of English that no other of the three languages has.
_ENGLISH = re.compile(
    r"(?i)\b(?:the|your|you|is|are|was|with|and|of|to|this|that|have|from|for|reply|by|not|move|game)\b"
)
# What stays as it is typed: lines of commands, commands at the end of a line, addresses, terms.
_TYPED = re.compile(r"(?m)^  .*$|: from \d+$|help \w+|https?\S+|\S+@\S+|-\w+=\S+|\btime\b")


class Words(NamedTuple):
    """What a player writes, in the order of the journey."""

    hello: str
    undo: str
    draw: str
    resign: str
    review: str
    rematch: str
    match: str
    away: str


JOURNEYS = {
    "de": Words(
        "Hallo, ich möchte spielen", "zurücknehmen", "remis", "aufgeben", "Analyse", "Revanche",
        "Gegner gesucht", "Urlaub 3",
    ),
    "fr": Words(
        "Bonjour, je voudrais jouer", "reprendre", "nulle", "abandonner", "analyse", "revanche",
        "chercher un adversaire", "congé 3",
    ),
    "es": Words(
        "Hola, quiero jugar", "deshacer", "tablas", "abandonar", "análisis", "revancha",
        "buscar rival", "vacaciones 3",
    ),
}  # fmt: skip


class Traveller:
    """Nora, who keeps the newest letter to her, and the lines of all in which English is left."""

    def __init__(self, office: Office) -> None:
        self.office, self.left = office, list[str]()
        self.newest: Got | None = None

    def gets(self, letters: list[Got]) -> list[Got]:
        """Read what is hers."""
        own = [each for each in letters if each.to == NORA]
        for letter in own:
            lines = _TYPED.sub("", letter.text).splitlines()
            self.left += [f"{letter.subject}: {line}" for line in lines if _ENGLISH.search(line)]
        self.newest = own[-1] if own else self.newest
        return own

    def writes(self, line: str) -> Got:
        """Reply to the newest letter, and return the last answer."""
        assert self.newest is not None
        own = self.gets(self.office.send(NORA, "Re: x", line, self.newest.reply_to))
        assert own, line
        return own[-1]


def _plays(office: Office, nora: Traveller, board: int, act: str) -> None:
    nora.gets(office.send("alice", f"star {act.format(board)}"))


@pytest.mark.few(2)
@pytest.mark.parametrize("code", sorted(JOURNEYS))
def test_a_journey_in_one_language(office: Office, code: str) -> None:
    office.examiner.examine = lambda letter: None  # type: ignore[method-assign]  # it reads English Subjects
    words, nora, alice = JOURNEYS[code], Traveller(office), f"alice {PASSWORD['alice']}"
    office.run("admin", "bot", "add", "bot1")
    nora.gets(office.send(NORA, words.hello))
    assert "C3" in nora.writes("C3").text
    assert nora.newest is not None
    office.send(NORA, "Re: x", f"signup nora\nlanguage {code}", nora.newest.reply_to)
    office.think()
    nora.gets(office.letters())
    nora.gets(office.send("alice", "star challenge -size=4 nora alice"))
    assert nora.newest is not None
    board = int(nora.newest.mail["X-Pbmstar-Board"])
    nora.writes("C3")
    _plays(office, nora, board, f"move {{}} {alice} B3")
    nora.writes("D4")
    nora.writes(words.undo)
    _plays(office, nora, board, f"accept {{}} {alice}")
    assert office.record(board) == ["C3", "B3"]
    nora.writes("D4")
    nora.writes(words.draw)
    _plays(office, nora, board, f"decline {{}} {alice}")
    for own, other in (("C4", "B4"), ("E5", "B2")):
        _plays(office, nora, board, f"move {{}} {alice} {other}")
        nora.writes(own)
    _plays(office, nora, board, f"move {{}} {alice} D3")
    nora.writes(words.resign)
    assert office.record(board)[-1] == "resign"
    over = nora.newest
    nora.gets(office.send(NORA, "Re: x", words.review, over.reply_to))
    office.review()
    (review,) = nora.gets(office.letters())
    assert review.subject == f"Star Board {board} Review"
    for line, subject in (
        (words.rematch, "New Star Board"),
        (words.match, "Star: "),
        (words.away, "Star account nora: leave"),
    ):
        nora.newest = over
        assert nora.writes(line).subject.startswith(subject)
    assert not nora.left
    assert office.ask("accounts.user", "nora").language == code


def test_the_opponent_gets_the_same_bytes_as_ever(another: Callable[..., Office]) -> None:
    """Whatever language a player has, the opponent's letters are those of two players who read English."""
    texts = []
    for code in ("en", "de"):
        office = another()
        office.examiner.examine = lambda letter: None  # type: ignore[method-assign]
        office.send("bob", f"language bob {PASSWORD['bob']} {code}")
        board = office.game("star challenge -size=4 alice bob")
        said = office.play(board, "C3", "D4")
        said += office.send("bob", f"star draw {board} bob {PASSWORD['bob']}")
        texts.append([each.text for each in said if each.to.startswith("alice")])
    assert texts[0] == texts[1] and len(texts[0]) == 2
