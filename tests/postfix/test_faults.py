"""Postfix and pbmstar when players' mail comes back, and when either of the two is killed."""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from house import DOMAIN, PATIENCE, SERVER, House, until

pytestmark = pytest.mark.slow


def test_bounces(house: House) -> None:
    """M43, H14: mails that Postfix returns suspend an address; its player gets in again by confirming."""
    frank, grete = house.add("frank", "grete")
    for count in range(3):  # so that there are boards whose first letter to grete still arrived
        house.send(frank, "star challenge -size=4 frank grete")
        letters = house.next(2)
    board = letters[0].mail["X-Pbmstar-Board"]
    returns_to = letters[1].taken.sender
    assert returns_to.startswith("star+bgrete-")
    house.refused.add(grete)
    for count in range(1, 4):
        house.send(frank, f"star move {board} frank s3cret {['A4', 'B4', 'C4'][count - 1]}")
        if count > 1:  # it is not frank's turn: only he would be told
            house.next()
            house.send(frank, "star challenge -size=4 frank grete")
        (letter,) = house.next()
        assert letter.to == frank

        def scored(least: int = count) -> bool:
            (user,) = (u for u in house.pbmstar.json("admin", "user", "list") if u["userid"] == "grete")
            return bool(user["bounces"] >= least or user["state"] == "suspended")

        until(scored, "bounce")
    told = house.next(4)
    assert {letter.to for letter in told} == {frank}
    assert "Mails to grete come back, so none are sent for now." in told[0].text
    assert house.rest() == []
    assert house.pbmstar.json("admin", "user", "show", "grete")["state"] == "suspended"

    house.refused.clear()
    house.send(frank, f"star show {board}")
    assert [letter.to for letter in house.next()] == [frank]
    house.send(grete, f"star move {board} grete s3cret B2")
    asked = next(letter for letter in house.next(2) if letter.to == grete)
    house.send(grete, f"Re: {asked.mail['Subject']}", "yes", str(asked.mail["Reply-To"]))
    assert [letter.to for letter in house.next()] == [grete]
    assert house.pbmstar.json("admin", "user", "show", "grete")["state"] == "active"
    house.rest()
