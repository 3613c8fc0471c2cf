"""Happenings as JSON and as events: all of them come back as they were."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.errors import say
from pbmstar.match import bots
from pbmstar.match import happenings as h
from pbmstar.match.stored import from_event, kinds, pack, to_event, unpack
from pbmstar.parts import modules

_WORD = st.from_regex(r"[a-z]{1,8}", fullmatch=True)
_MOVE = st.from_regex(r"[A-K][1-9]", fullmatch=True)
_POINTS = st.none() | st.tuples(st.integers(-9, 20), st.integers(-9, 20))
_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "str": _WORD, "int": st.integers(0, 10**9), "float": st.integers(0, 10**6).map(float),
    "Epoch": st.integers(0, 10**6).map(float), "Epoch | None": st.none() | st.integers(0, 99).map(float),
    "bool": st.booleans(), "float | None": st.none() | st.integers(0, 99).map(float),
    "int | None": st.none() | st.integers(0, 10**6),
    "tuple[int, int] | None": _POINTS,
    "tuple[int, int]": st.tuples(st.integers(1, 99), st.integers(1, 99)), "tuple[str, ...]": st.lists(_MOVE, min_size=1).map(tuple),
    "tuple[tuple[str, int], ...]": st.lists(st.tuples(_WORD, st.integers(0, 9))).map(tuple),
    "tuple[int, ...]": st.lists(st.integers(0, 9)).map(tuple),
    "tuple[float, ...]": st.lists(st.floats(0, 99)).map(tuple),
    # Stores have plain texts, too, from before there was nothing but sentences.
    "tuple[Sentence, ...]": st.lists(_WORD | st.builds(say, _WORD)).map(tuple),
    "Sentence": _WORD | st.builds(say, st.just("Not {now}."), now=_WORD),
}  # fmt: skip


def some(kind: type[Any]) -> st.SearchStrategy[Any]:
    """A happening of a kind, its fields by their types."""
    return st.builds(kind, *(_VALUES[str(field.type)] for field in fields(kind)))


@given(st.lists(st.sampled_from(sorted(set(kinds().values()), key=str)).flatmap(some)))
def test_a_happening_in_a_letter_comes_back_as_it_was(happened: list[h.Happening]) -> None:
    assert unpack(json.loads(json.dumps(pack(happened)))) == tuple(happened)


def is_own(each: object) -> bool:
    return isinstance(each, type) and issubclass(each, h.Itself) and each is not h.Itself


def test_every_kind_has_its_word() -> None:
    families = (h.Play, h.Operated, h.Asking, h.Timing, h.Planning, h.Untold)
    every = [kind for family in families for kind in family.__args__]
    every += [each for home in (bots, h) for each in vars(home).values() if is_own(each)]
    every += [kind for _, module in modules("commands") for kind in module.COMMANDS.happenings]
    assert sorted(map(str, every)) == sorted(map(str, kinds().values()))


_EVENTS = [kind for kind in set(kinds().values()) if kind.is_event]


@given(st.sampled_from(sorted(_EVENTS, key=str)).flatmap(some))
def test_an_event_comes_back_as_it_was(happening: h.Happening) -> None:
    word, userid, data = to_event(happening)
    assert from_event(word, userid, data) == happening
    assert not userid or userid == happening.userid  # type: ignore[union-attr]


@given(st.sampled_from(sorted(_EVENTS, key=str)).flatmap(some), _WORD, _WORD)
def test_an_event_names_nobody_but_in_its_column(
    happening: h.Happening, userid: str, name: str
) -> None:
    """So that a player who gets another name has it there too."""
    if "userid" in happening.__match_args__:
        word, _, data = to_event(happening)
        assert from_event(word, name, data) == replace(happening, userid=name)


@pytest.mark.parametrize(
    ("word", "data"),
    [
        ("boo", "[]"), ("boo", ""), ("moved", '["F6"]'), ("reset", '["3"]'), ("reset", "[]"),
        ("reset", "[3,4]"), ("reset", "soon"), ("reset", "[true]"), ("undone", '["F6"]'),
        ("undone", "[[6]]"), ("banks", "[3,[5,null]]"), ("mute", "[1]"), ("mute", "[[]"),
        ("proposed", "a b c"), ("banks", ""), ("rematch", "x"), ("unreached", "[NaN]x"),
        ("rematch", "[" * 100_000),
    ],
)  # fmt: skip
def test_a_row_that_is_no_event_is_refused(word: str, data: str) -> None:
    with pytest.raises(ValueError, match=word):
        from_event(word, "alice", data)
