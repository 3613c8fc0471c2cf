"""Letters that tell of a bot's answer."""

from __future__ import annotations

import email
from dataclasses import replace

from render.kinds import RENDERER, mail, part, played, recipe, words

from pbmstar.match.bots import BotPlayed
from pbmstar.match.happenings import Began, Swapped


def test_the_heading_tells_of_a_swap_and_no_sentence_contradicts_it() -> None:
    """Also in the letter of a new game with a bot's answer in it, and in the text part."""
    match = played("C3 swap", "hex", {"size": 5}, ("alice", "bot4"))
    told = "bot4 took over your stone and now plays X. You play O, and it's your move"
    for first in ((), (Began("alice"),)):
        happenings = (*first, Swapped("bot4"), BotPlayed("bot4", 2))
        letter = mail(match=match, happenings=happenings)
        assert " ".join(words(letter)).startswith(told)
        for said in (" ".join(words(letter)), " ".join(part(letter).split())):
            assert told in said
            assert "You play X" not in said
            assert "You played" not in said and "alice played" not in said


def test_the_letter_that_awaits_a_review_carries_no_picture() -> None:
    awaited = {"found": None, "players": {"X": "alice", "O": "bob"}, "result": "", "moves": []}
    one = replace(recipe("review", played("C3 D4"), facts=awaited), pictures=True)
    parts = email.message_from_bytes(RENDERER.write(one)).walk()
    assert [each.get_content_subtype() for each in parts] == ["alternative", "plain", "html"]
