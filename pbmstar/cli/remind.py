"""The command ``remind``, and its rehearsal."""

from __future__ import annotations

import email
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ..config import Config
from ..games.spelling import plural
from ..intake import quarantine
from ..machine.times import Epoch
from ..render.letters import Renderer
from ..render.recipe import Recipe
from ..service.reminders.heartbeat import ALIVE
from ..service.upkeep import rounds
from ..service.work.schedule import FORFEIT, NAG
from ..service.work.timekeeping import WARNING
from ..store import Store
from .options import statuses
from .shared import catch_up, context, send_and_answer, store


def run(config: Config) -> Mapping[str, int]:
    """Send all that is due; return the number of each kind. Without a database nothing is made."""
    with statuses(), store(config, make=False) as opened:
        done = rounds.remind(context(config), opened)
        quarantine.prune(config, time.time())
        catch_up(config, opened)
        send_and_answer(config, opened)
    return done


def told(done: Mapping[str, int], head: str = "Done") -> Iterator[str]:
    """Yield sentences about the work that was done; ``head``: how the first one begins."""
    counts = ((NAG, "reminder"), (WARNING, "last warning"), (FORFEIT, "forfeit"))
    yield f"{head}: {', '.join(plural(done[kind], noun) for kind, noun in counts)}."
    if done["held"]:
        yield (
            f"Held back after an outage: {plural(done['held'], 'forfeit')}. Messages that had to wait "
            "elsewhere may still come. Is the clock right? See pbmstar admin outage list."
        )
    if done["ask"]:
        asked = plural(done["ask"], "player")
        yield f"Asked whether to wait for someone we can't reach: {asked}."


def rehearse(config: Config, at: Epoch | None) -> tuple[Mapping[str, int], list[dict[str, str]]]:
    """Return what a run would do at a time, by default now: as ``run``, and each letter it would send.

    at  in seconds since 1970

    It uses a copy of the database, which is then thrown away.
    """
    with statuses():
        now = time.time() if at is None else at
        with (
            TemporaryDirectory(prefix="remind-", dir=config.spool) as folder,
            store(config, make=False) as real,
        ):
            copy = Path(folder) / "copy.db"
            real.backup(copy)
            with closing(Store(f"sqlite:///{copy}")) as opened:
                with opened.transaction() as tx:
                    tx.ledger.set_fact(ALIVE, str(now))  # as if the daemon ran until then
                    known = {letter.id for letter in tx.outbox.unsent()}
                done = rounds.remind(replace(context(config), clock=lambda: now), opened)
                return done, list(_letters(config, opened, known))


def _letters(config: Config, opened: Store, known: set[int]) -> Iterator[dict[str, str]]:
    """Yield the reader and the Subject of each letter that is new."""
    renderer = Renderer.of(config)
    with opened.transaction() as tx:
        new = [letter for letter in tx.outbox.unsent() if letter.id not in known]
        contents = {letter.id: tx.outbox.content(letter.id) or b"{}" for letter in new}
    for letter in new:
        mail = email.message_from_bytes(renderer.write(Recipe.from_bytes(contents[letter.id])))
        yield {"to": letter.userid or "the operator", "subject": str(mail["Subject"])}
