"""The functions of verbs: each is found when its verb is used first, and all of them at the start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbmstar.command import GAME_VERBS
from pbmstar.service.incoming import commands


def test_each_verb_has_a_function() -> None:
    commands.require_functions()


def test_a_verb_without_one_is_found_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "GAME_VERBS", (replace(GAME_VERBS[0], handler="play.moev"),))
    with pytest.raises(AttributeError, match="moev"):
        commands.require_functions()
