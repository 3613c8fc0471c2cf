"""What a letter offers is taken: every word, command line and tap, in every game, as it goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from urllib.parse import unquote

import pytest
from harness.letters import PASSWORD, SERVER, Got
from harness.office import Office, address

from pbmstar.service.work.context import Envelope, Outcome, Precomputed

_LINK = re.compile(r'mailto:([^"?]+)\?subject=([^"]+)"')
_TAPS = 5  # of a letter
_OPEN = ("+", "-")  # at the end of a tap to which something is to be added by hand


class _Looked(Exception):
    """What a mail would do is known; nothing of it is kept."""


def _offers(letter: Got, who: str) -> Iterator[tuple[str, str, str]]:
    """Subject, text and recipient of each mail that a letter says its reader can send."""
    for line in re.findall(
        r"(?m)^  (\S.*)$", letter.text.partition("You can:\n")[2].partition("\nSend")[0]
    ):
        yield line.replace(" password", f" {PASSWORD[who]}"), "", SERVER
    words = re.search(r"(?m)^Reply with [^:]*:((?:.+\n)+)", letter.text)
    for word in re.split(r"\s{2,}", words[1].strip()) if words else ():
        yield f"Re: {letter.subject}", f"{word}\n\nHello!", letter.reply_to
    taps = [tuple(map(unquote, tap)) for tap in _LINK.findall(letter.html)]
    taps = [tap for tap in taps if not tap[1].endswith(_OPEN)]
    for to, subject in taps[:: max(1, len(taps) // _TAPS)]:
        yield subject, "Hello!", to


def _outcome(office: Office, who: str, subject: str, text: str, to: str) -> Outcome:
    """What a mail would do, now."""
    raw = office.write(who, subject, text.replace("\n", "\r\n"), to)
    mail, results = office.service.read(raw), Precomputed()
    while True:
        with suppress(_Looked), office.store.transaction() as tx:
            outcome = office.service.execute(
                tx, Envelope(address(who), (to,), "", "1-1"), mail, raw, results
            )
            raise _Looked
        if isinstance(outcome, Outcome):
            return outcome
        results.known[outcome.key] = outcome.compute()


def play_and_take(office: Office, challenge: str, moves: int) -> None:
    """Take what letters offer at the start, after each of some moves, and when one player has resigned."""
    letters = office.send("alice", challenge)
    for turn in range(moves + 2):
        newest = {letter.to: letter for letter in letters}
        is_like_the_last = 3 < turn < moves - 1  # a long game offers little new in its midst
        for home, letter in newest.items():
            who = home.partition("@")[0]
            for offer in [] if is_like_the_last else _offers(letter, who):
                outcome = _outcome(office, who, *offer)
                assert outcome.name == "applied", (letter.subject, offer, outcome)
        some = next(iter(newest.values()))
        who = some.mail["X-Pbmstar-To-Move"]
        if not who:
            break
        shown = re.search(r"(?m)^Reply with .*, like (.+), or:", newest[address(who)].text)
        assert shown
        move = shown[1] if turn < moves else "resign"
        letters = office.send(who, f"Re: {some.subject}", move, newest[address(who)].reply_to)
        if not letters:
            office.think()
            letters = office.letters()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("challenge", "moves"),
    [
        ("star challenge -size=3 -undo=free alice bob", 5), ("queens challenge alice", 2), ("minisolitaire challenge alice", 2),
        # What these offer, the ones above offer too, or nearly.
        pytest.param("star challenge -size=3 alice bob", 3, marks=pytest.mark.slow),
        pytest.param("*star challenge -rings=3 -double alice bob", 16, marks=pytest.mark.slow),
        pytest.param("y challenge -size=3 -undo=no alice bob", 9, marks=pytest.mark.slow),
        pytest.param("pentaline challenge alice bob", 2, marks=pytest.mark.slow),
        pytest.param("pentahex challenge alice bob", 2, marks=pytest.mark.slow),
        pytest.param("stary challenge -rings=3 alice bob", 4, marks=pytest.mark.slow),
        pytest.param("hex challenge -size=3 alice bob", 9, marks=pytest.mark.slow),
        pytest.param("polyy challenge -rings=3 alice bob", 3, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_what_a_letter_offers_is_taken(
    office_of: Callable[..., Office], challenge: str, moves: int
) -> None:
    play_and_take(office_of(limits="off"), challenge, moves)
