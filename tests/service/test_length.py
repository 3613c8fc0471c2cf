"""The length of what follows the words of a message never changes what is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from harness.letters import PASSWORD
from harness.office import Office

from pbmstar.parts import FEATURES

_PLAIN = f"alice {PASSWORD['alice']}"
_TALK, _OTHER = "The weather is fine here.", ("", "+", "star")
_HEADS = [
    "C3",
    "Q99",
    "accept",
    "challenge accepted",
    "show 1",
    "settings",
    "hello",
    "signup tom",
    "bet x",
    "2: C3",
    "Is it possible to play Go here?",
    f"move 1 {_PLAIN} C3",
    f"star move 1 {_PLAIN} C3",
    f"move 99 {_PLAIN} C3",
    f"say 3 {_PLAIN} thanks",
    f"challenge {_PLAIN} bob",
]


@pytest.fixture(scope="module")
def town(another: Callable[..., Office]) -> Iterator[dict[str, tuple[Office, str, str]]]:
    """For each way in: the office, the writer and the address."""
    with closing(another(pictures="off")) as office:
        office.send("alice", "star challenge -size=4 alice bob")
        office.send("alice", "star challenge -size=4 bob alice")
        over = office.game("star challenge -size=3 alice bob")
        office.play(over, "C3", "B3", "D3", "D2", "C4", "C2", "resign")
        puzzle = office.send("alice", "minisolitaire challenge alice")[-1]

        def letter(words: str, who: str = "alice") -> str:
            got = office.send(who, words)
            assert got, words
            return got[-1].reply_to

        ways = {
            "plain": ("alice", "pbmstar@pbm.example"),
            "plain, of nobody": ("x@y.example", "pbmstar@pbm.example"),
            "mine": ("alice", letter("star show 1")),
            "theirs": ("alice", letter("star show 2")),
            "over": ("alice", letter(f"star show {over}")),
            "puzzle": ("alice", puzzle.reply_to),
            "account": ("alice", letter("help commands")),
            "guest": ("x@y.example", office.send("x@y.example", "hello")[0].reply_to),
        }
        if "postcard" in FEATURES:
            card = f"star postcard {over} {_PLAIN} aunt@aunt.example"
            (aunt,) = (each for each in office.send("alice", card) if "aunt" in each.to)
            ways["postcard"] = ("aunt@aunt.example", aunt.reply_to)
        if "course" in FEATURES:
            ways["lesson"] = ("alice", letter("course"))
        office.send("alice", f"letters {_PLAIN} daily")
        (digest,) = (each for each in office.digests() if each.subject.startswith("Star: "))
        ways["digest"] = ("alice", digest.reply_to)
        yield {name: (office, *way) for name, way in ways.items()}


_WAYS = ["plain", "plain, of nobody", "mine", "theirs", "over", "puzzle", "account", "guest"]
_WAYS += ["digest", *["postcard"] * ("postcard" in FEATURES), *["lesson"] * ("course" in FEATURES)]


@pytest.mark.slow
@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize(
    "talk", [_TALK, *(pytest.param(each, marks=pytest.mark.slow) for each in _OTHER)]
)
def test_the_length_of_the_talk_behind_a_line_changes_nothing(
    town: dict[str, tuple[Office, str, str]], way: str, talk: str
) -> None:
    """Longer messages are read elsewhere, perhaps in more than one way."""
    office, writer, to = town[way]
    for head in _HEADS:
        # Behind a greeting, or if it is itself like a command, the talk is what is read; and it's all that is
        # left of words with a password.
        is_withheld = way in ("over", "digest") and head.endswith(
            (f"{_PLAIN} bob", f"{_PLAIN} thanks")
        )
        is_read = talk == _TALK and head != "hello" and not is_withheld
        counts = (0, 37, 39, 398) if is_read else (37, 39, 398)
        done = []
        for count in counts:
            body = "\r\n".join([head, "", *[talk] * count])
            done.append(office.tried(writer, "Re: Star", body, to)._replace(message=""))
        assert all(each == done[0] for each in done), (way, head, talk, *done)
