"""Happenings as JSON and as events: all of them come back as they were."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbmstar.features import modules
from pbmstar.match import Event, Request
from pbmstar.match import happenings as h
from pbmstar.match.stored import event_of, happening_of, kinds, pack, unpack

_WORD = st.from_regex(r"[a-z]{1,8}", fullmatch=True)
_MOVE = st.from_regex(r"[A-K][1-9]", fullmatch=True)
_POINTS = st.none() | st.tuples(st.integers(-9, 20), st.integers(-9, 20))
_REQUEST = st.one_of(
    st.builds(Request, st.just("score"), _WORD, st.just("11 -8"), st.just(0.0)),
    st.builds(Request, st.just("draw"), _WORD, st.just("draw"), st.just(0.0)),
    st.builds(Request, st.just("cancel"), _WORD, st.just(""), st.just(0.0)),
    st.builds(Request, st.just("undo"), _WORD, st.sampled_from(["F6", "F6; G7"]), st.just(0.0)),
)
_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "str": _WORD, "int": st.integers(0, 10**9), "float": st.integers(0, 10**6).map(float),
    "bool": st.booleans(), "float | None": st.none() | st.integers(0, 99).map(float),
    "int | None": st.none() | st.integers(0, 10**6), "Request": _REQUEST,
    "Request | None": st.none() | _REQUEST,
    "tuple[int, int] | None": _POINTS,
    "tuple[int, int]": st.tuples(st.integers(1, 99), st.integers(1, 99)), "tuple[str, ...]": st.lists(_MOVE, min_size=1).map(tuple),
    "tuple[tuple[str, int], ...]": st.lists(st.tuples(_WORD, st.integers(0, 9))).map(tuple),
}  # fmt: skip


def some(kind: type[Any]) -> st.SearchStrategy[Any]:
    """A happening of a kind, its fields by their types."""
    return st.builds(kind, *(_VALUES[str(field.type)] for field in fields(kind)))


@given(st.lists(st.sampled_from(sorted(set(kinds().values()), key=str)).flatmap(some)))
def test_a_happening_in_a_letter_comes_back_as_it_was(happened: list[h.Happening]) -> None:
    assert unpack(json.loads(json.dumps(pack(happened)))) == tuple(happened)


def test_every_kind_has_its_word() -> None:
    families = (h.Play, h.Operated, h.OfBots, h.Asking, h.Timing, h.Planning)
    every = [kind for family in families for kind in family.__args__]
    every += [kind for _, module in modules("happenings") for kind in module.HAPPENINGS]
    assert sorted(map(str, every)) == sorted(map(str, kinds().values()))


_EVENTS = [h.Proposed, h.Refused, h.TakenBack, h.Retracted, h.Unreached, h.Reset, h.Extended]


@given(st.sampled_from(_EVENTS).flatmap(some))
def test_an_event_says_what_has_happened(happening: h.Happening) -> None:
    if isinstance(happening, h.Extended) and happening.length is None:
        return  # no new one is without it
    if isinstance(happening, h.Refused):
        happening = replace(happening, request=None)  # the event of the request stands before it
    kept = event_of(happening)
    assert kept is not None
    kind, userid, data = kept
    assert happening_of(Event(0, 0.0, userid, kind, data)) == happening


@given(st.sampled_from(sorted(set(kinds().values()) - set(_EVENTS), key=str)).flatmap(some))
def test_what_the_record_says_is_no_event(happening: h.Happening) -> None:
    assert event_of(happening) is None
