"""The store says which pages are due; they are written one by one, and noted.

A kill at any moment loses nothing: a page that is not noted is due again. When the page of a board is
noted, the pages that name the board are noted as due.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from ...config import Config
from ...errors import DAMAGE
from ...games.spelling import plural
from ...match.match import positions
from ...render import Renderer
from ...service.work.feature import features
from ...store import Store
from .catalogue import Catalogue, is_listed_anew, lists_of
from .folder import SiteFolder
from .gamepage import FinalScore, FinalScores, game_pages
from .overviews import Overviews
from .page_templates import PageTemplates, is_translated, placed
from .rankings import Standings
from .rows import PublicBoards

TOGETHER = 100  # pages between two notes
OF_A_GAME = (".html", ".json", ".svg", ".small.svg")

Progress = Callable[[int, int], None]  # pages written, and pages to write in all


class Output(NamedTuple):
    """The counts of a run: games whose pages it has written, other files written, and files deleted."""

    games: int = 0
    others: int = 0
    removed: int = 0

    def __str__(self) -> str:
        if not any(self):
            return "Nothing has changed."
        gone = f", {plural(self.removed, 'file')} taken away" if self.removed else ""
        return (
            f"{plural(self.games, 'game')} and {plural(self.others, 'other file')} written{gone}."
        )


class Publisher:
    """The writer of the site of a store, into a folder."""

    def __init__(self, config: Config, store: Store, folder: SiteFolder) -> None:
        self._store, self.folder = store, folder
        self._paper, self._renderer = PageTemplates(config), Renderer.of(config)
        self._features = features(config.without)
        self._games = self._others = self._removed = 0
        self._written = set[str]()  # the files that pages share
        self._scores: dict[int, FinalScore] = {}
        self.damaged = set[int]()  # the boards that were left out

    def run(self, rebuild: bool = False, progress: Progress = lambda done, due: None) -> Output:
        """Write all pages that are due. With ``rebuild`` write all pages, and delete all other files.

        Raises OSError, TemporaryFailure.
        """
        self._games = self._others = self._removed = 0
        folder = self.folder
        with folder.held():
            is_new = rebuild or folder.made != self._paper.made
            if is_new:
                before = set(folder.boards)
                folder.begin(self._paper.made)
            lists = self._lists()
            changed = lists.catalogue.changed(folder.boards)
            if is_new:
                changed += sorted(before - set(lists.catalogue.lines))
                folder.note({}, lists.names(), set())
            shared = self._shared(lists.catalogue)
            for name in shared.keys() - (set() if is_new else self._written):
                self._others += folder.write(name, shared[name])
            self._written = set(shared)
            for at in range(0, len(changed), TOGETHER):
                self._boards(lists.catalogue, changed[at : at + TOGETHER], rebuild)
                progress(min(at + TOGETHER, len(changed)), len(changed))
            folder.note_marks(lists.standings.marks())
            self._write_lists(lists)
            if rebuild:
                for name in set(folder.files()) - self.expected(lists):
                    self._removed += folder.remove(name)
        return Output(self._games, self._others, self._removed)

    def due(self) -> int:
        """Return the number of pages that are due now. Raises OSError, TemporaryFailure."""
        self.folder.peek()
        if self.folder.made != self._paper.made:
            return len(self._lists().catalogue.lines)
        return len(self._lists().catalogue.changed(self.folder.boards)) + len(self.folder.due)

    def differences(self) -> list[str]:
        """Return the files that are not as they would be written now: the name of each, and its fault.

        Nothing is written. Raises OSError, TemporaryFailure.
        """
        lists, found = self._lists(), []
        pages: dict[str, bytes | None] = dict(self._shared(lists.catalogue))
        for name in lists.names():
            pages |= lists.pages(name)
        expected = set(pages)
        for name, content in pages.items():
            found += self._difference(name, content)
        for number in lists.catalogue.lines:
            for name, content in self._drawn(lists.catalogue, number, b"").items():
                expected.add(name)
                found += self._difference(name, content)
        found += [f"{name}: foreign" for name in self.folder.files() if name not in expected]
        return sorted(set(found))

    def expected(self, lists: Overviews) -> set[str]:
        """Return the names of all files that belong to the site."""
        translators, numbers = self._paper.translators, lists.catalogue.lines
        own = {*lists.names(), *(f"g/{number}.html" for number in numbers)}
        names = {
            placed(name, translator)
            for name in filter(is_translated, own)
            for translator in translators
        }
        names |= {*own, *self._shared(lists.catalogue)}
        return names | {f"g/{number}{end}" for number in numbers for end in OF_A_GAME}

    def _shared(self, catalogue: Catalogue) -> dict[str, bytes]:
        """Return the files that all pages share."""
        scripts = {f"s/{e.key}.js": e.script.encode("ascii") for e in catalogue.surfaces()}
        return {**self._paper.static, **scripts}

    def _difference(self, name: str, content: bytes | None) -> list[str]:
        try:
            there = (self.folder.root / name).read_bytes()
        except FileNotFoundError:
            return [] if content is None else [f"{name}: missing"]
        return [] if there == content else [f"{name}: differs"]

    def _lists(self) -> Overviews:
        with self._store.transaction(writes=False) as tx:
            shown = tx.of(PublicBoards)
            catalogue = Catalogue(shown.lines(), shown.kinds())
            standings = Standings(tx, self._features)
        catalogue.damaged = self.damaged
        scores = FinalScores(self._store, catalogue, self._scores)
        return Overviews(self._paper, catalogue, standings, self._renderer, self._store, scores)

    def _boards(self, catalogue: Catalogue, numbers: Sequence[int], rebuild: bool) -> None:
        """Write the pages of some boards, or delete them if nobody may see the board, and note that."""
        folder, versions, due = self.folder, {}, set[str]()
        for number in numbers:
            old, new = folder.boards.get(number, ""), catalogue.version(number)
            versions[number] = new
            if is_listed_anew(old, new):
                due |= lists_of(old) | lists_of(new)
            if not new:
                names = [f"g/{number}{end}" for end in OF_A_GAME]
                names += [placed(names[0], each) for each in self._paper.translators[1:]]
                self._removed += sum(map(folder.remove, names))
                continue
            known = b""
            with suppress(FileNotFoundError):
                known = b"" if rebuild else (folder.root / f"g/{number}.html").read_bytes()
            pages = self._drawn(catalogue, number, known)
            written = [folder.write(name, content) for name, content in pages.items()]
            self._games += any(written)
        folder.note(versions, due, set())

    def _drawn(self, catalogue: Catalogue, number: int, known: bytes) -> dict[str, bytes]:
        """Return the pages of a board; none if it was removed meanwhile, or is damaged."""
        try:
            with self._store.transaction(writes=False) as tx:
                row = tx.boards.get(number)
                record = tx.boards.record(number) if row else ()
            if row is None or not record:
                return {}
            begun = row.match(())
            each = [begun.position, *positions(begun, record)]
            match = replace(begun, position=each[-1], record=tuple(record))
            self._scores[number] = FinalScore.of(catalogue.lines[number], match)
            return game_pages(self._paper, match, each, catalogue.game(number), known)
        except DAMAGE:  # ``admin check`` names it
            self.damaged.add(number)
            return {}

    def _write_lists(self, lists: Overviews) -> None:
        """Write the other pages that are due, or delete them if nothing is left to list, and note that."""
        names = sorted(self.folder.due)
        for at in range(0, len(names), TOGETHER):
            some = names[at : at + TOGETHER]
            for path, content in (each for name in some for each in lists.pages(name).items()):
                if content is None:
                    self._removed += self.folder.remove(path)
                else:
                    self._others += self.folder.write(path, content)
            self.folder.note({}, set(), set(some))
