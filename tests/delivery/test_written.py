"""Letters are written on their way to the relay; one that cannot be written holds up no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from letters import NOW, Outbox, Scripted, letter, send

from pbmstar import config
from pbmstar.delivery.configured import Written
from pbmstar.delivery.courier import deliver_once
from pbmstar.delivery.dispatch import Pass
from pbmstar.delivery.process import LetterWriters
from pbmstar.delivery.relay import SENT, Letter, RelayDown, Verdict
from pbmstar.render.letters import Renderer
from pbmstar.render.recipe import Recipe
from pbmstar.store import NewLetter

SERVER = "star@pbm.example"


def recipe(number: int, template: str = "account") -> bytes:
    """What the outbox holds of a letter."""
    heads = {"From": SERVER, "Message-ID": f"<m{number}@pbm.example>"}
    facts = {"userid": "alice", "notice": "Your password has been changed."}
    return Recipe(template, heads, NOW, f"serial{number}", facts).to_bytes()


def written(relay: Scripted, sign: Callable[[bytes], bytes] | None = None) -> Written:
    return Written(relay, Renderer(None, SERVER), sign)


def test_a_recipe_becomes_a_mail_and_a_mail_stays_as_it_is() -> None:
    seen: dict[int, bytes] = {}
    relay = Scripted(lambda each: seen.update({each.id: each.content}))
    mail = letter(2)
    verdicts = send(written(relay), letter(1)._replace(content=recipe(1)), mail)
    assert verdicts == [(1, SENT), (2, SENT)]
    assert b"\nSubject: Star account alice\n" in seen[1] and seen[2] == mail.content
    send(written(relay, lambda mail: b"DKIM-Signature: x\n" + mail), mail)
    assert seen[2] == b"DKIM-Signature: x\n" + mail.content


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"not": "a recipe"}', "KeyError"),
        (b"{", "JSONDecodeError"),
        (recipe(2, "none"), "there is no template none.txt"),
        (recipe(2, "board"), "UndefinedError: "),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_that_cannot_be_written_waits_and_the_others_go(
    content: bytes, why: str, place: int
) -> None:
    letters = [letter(n)._replace(content=recipe(n)) for n in (1, 2, 3)]
    letters[place] = letters[place]._replace(content=content)
    relay = Scripted(lambda _: None)
    verdicts = send(written(relay), *letters)
    assert [number for number, _ in verdicts] == [1, 2, 3]
    verdict = verdicts[place][1]
    assert verdict == Verdict("later", reason := verdict.why, unwritten=True)
    assert reason.startswith(f"cannot be written: {why}") and "/" not in reason
    assert len(relay.taken) == 2


def test_a_sites_broken_template_is_named_without_its_path(tmp_path: Path) -> None:
    (tmp_path / "account.txt").write_text("Subject: x\n\n{% if %}\n")
    relay = Written(Scripted(lambda _: None), Renderer(tmp_path, SERVER))
    ((_, verdict),) = send(relay, letter(1)._replace(content=recipe(1)))
    assert verdict.why.startswith("cannot be written: account.txt, line 3: ")
    assert str(tmp_path) not in verdict.why


def test_verdicts_keep_their_order_where_the_relay_reads_ahead() -> None:
    """As one with pipelining does: it draws the next letter before it says what became of one."""

    class Ahead(Scripted):
        def send(self, letters):  # type: ignore[no-untyped-def]
            drawn = list(letters)
            yield from super().send(iter(drawn))

    letters = [letter(n)._replace(content=recipe(n) if n % 2 else b"{") for n in range(1, 7)]
    verdicts = send(written(Ahead(lambda _: None)), *letters)
    assert [(n, verdict.kind) for n, verdict in verdicts] == [
        (n, "sent" if n % 2 else "later") for n in range(1, 7)
    ]


def test_a_letter_that_cuts_the_line_is_left_out_as_any_other(database: str) -> None:
    """O1: it is known by its number, since what the relay had in hand is not what was claimed."""
    outbox = Outbox(database)
    outbox.add("a@x.example", "b@x.example", "c@x.example")
    relay = written(
        Scripted(lambda each: "cut" if each.id == 1 else None), lambda mail: mail + b" "
    )
    sending = outbox.delivery(relay)
    assert [bool(sending.run_once().trouble) for _ in range(2)] == [True, True]
    assert sending.run_once() == Pass(sent=2, later=1)
    outbox.close()


@pytest.mark.slow
def test_every_way_out_writes(database: str, tmp_path: Path) -> None:
    """One pass from the command line, and the daemon's process: the same bytes."""
    outbox = Outbox(database)
    loaded = config.load({"spool": str(tmp_path), "database": database, "address": SERVER}, {})
    with outbox.store.transaction() as tx:
        for n in (1, 2):
            ident, to = f"<m{n}@pbm.example>", f"p{n}@x.example"
            tx.outbox.add(NewLetter(ident, "u", to, SERVER, recipe(n), NOW))
        (one, two) = tx.outbox.claim("me", NOW, NOW, 2)
    assert deliver_once(loaded, outbox.store, outbox.trouble) == Pass(sent=2)
    outbox.close()
    first = {path.name: path.read_bytes() for path in (tmp_path / "mail").glob("*/new/*")}
    assert len(first) == 2 and all(b"Star account alice" in mail for mail in first.values())
    for path in (tmp_path / "mail").glob("*/new/*"):
        path.unlink()
    process = LetterWriters(loaded)
    broken: Letter = letter(3)._replace(content=b"{")
    (*sent, (_, verdict)) = send(process, one, two, broken)
    process.close()
    assert sent == [(1, SENT), (2, SENT)] and verdict.kind == "later"
    again = {path.name: path.read_bytes() for path in (tmp_path / "mail").glob("*/new/*")}
    assert again == first


def test_a_relay_that_goes_away_names_its_letter() -> None:
    with pytest.raises(RelayDown) as caught:
        send(written(Scripted(lambda each: "cut" if each.id == 3 else None)),
             *(letter(n)._replace(content=b"{" if n == 2 else recipe(n)) for n in (1, 2, 3)))  # fmt: skip
    assert caught.value.letter is not None and caught.value.letter.id == 3


def test_the_age_of_a_letter_is_that_of_its_row(database: str) -> None:
    """Given up after five days in the outbox, though its content has no Date."""
    outbox = Outbox(database)
    outbox.add("a@x.example")
    sending = outbox.delivery(Scripted(lambda _: Verdict("later", "450 no")))
    for _ in range(5):
        assert sending.run_once() == Pass(later=1)
        outbox.now += 15_000
    outbox.now += 5 * 86400
    assert sending.run_once() == Pass(dead=1)
    outbox.close()
