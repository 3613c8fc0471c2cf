"""The folder of a site: its files, and a journal that names the version of each page in it.

The journal stands in the folder itself. So a copy of the site has its own journal, and a lost folder is
written again. Lines are appended to the journal. A line that a kill cut off is ignored, so its page is
written once more. The journal says nothing that the pages do not say.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

JOURNAL, _LOCK, _NEW = ".pages", ".lock", ".new"
OWN = frozenset((JOURNAL, _LOCK, _NEW))
_SPARE = 10_000  # outdated lines that the journal may always have
_DONE, _DUE, _MADE, _MARK = "-", "+", "=", "*"


class SiteFolder:
    """A folder of pages. One process writes at a time, see ``held``.

    boards  the version of the page of each board, by board number
    marks   a mark of the content of each other page that does not follow from boards alone, by name
    due     the names of the other pages that must be written
    made    the mark of the templates and settings that all pages were made with
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.boards: dict[int, str] = {}
        self.marks: dict[str, str] = {}
        self.due: set[str] = set()
        self.made = ""
        self._lines = 0
        self._is_less = False  # a file was deleted: the journal must not name it any more
        self._read: tuple[int, int] | None = None  # the journal's file and length, as we know it
        self._folders: set[Path] = set()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder's lock, and read its journal. Raises OSError."""
        self._make(self.root)
        with open(os.open(self.root / _LOCK, os.O_RDWR | os.O_CREAT, 0o600), "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._load()
            try:
                yield
            finally:
                if self._is_less:
                    self._compact()

    def peek(self) -> None:
        """Read the journal without the lock. Raises OSError."""
        with suppress(FileNotFoundError):
            self._load()

    # -- files

    def write(self, name: str, content: bytes) -> bool:
        """Write a file if its content has changed; a reader sees the whole new file or the whole old one.

        Return False if it has not changed. Raises OSError.
        """
        path = self.root / name
        with suppress(FileNotFoundError):
            if path.stat().st_size == len(content) and path.read_bytes() == content:
                return False
        self._make(path.parent)
        part = self.root / _NEW
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), "wb") as file:
            # The web server must read it, even if our umask forbids that.
            os.fchmod(file.fileno(), 0o644)
            file.write(content)
        part.replace(path)
        return True

    def remove(self, name: str) -> bool:
        """Delete a file; return False if there is none. Raises OSError."""
        try:
            (self.root / name).unlink()
        except FileNotFoundError:
            return False
        self._is_less = True
        return True

    def files(self) -> Iterator[str]:
        """Yield the names of all files, except the journal and other files of the folder itself."""
        for path in sorted(self.root.rglob("*")):
            name = path.relative_to(self.root).as_posix()
            if path.is_file() and name not in OWN:
                yield name

    def _make(self, path: Path) -> None:
        if path not in self._folders:
            if not path.is_dir():
                path.mkdir(parents=True)
                path.chmod(0o755)
            self._folders.add(path)

    # -- the journal

    def begin(self, made: str) -> None:
        """Forget all pages: all must be written anew. Raises OSError."""
        self.boards, self.marks, self.due, self.made = {}, {}, set(), made
        self._compact()

    def note_marks(self, marks: dict[str, str]) -> None:
        """Note the marks of other pages; a page whose mark has changed is due. Raises OSError."""
        names = {
            name
            for name in marks.keys() | self.marks.keys()
            if self.marks.get(name) != marks.get(name)
        }
        if names:
            changed = [f"{_MARK}{name}\t{marks.get(name, '')}" for name in sorted(names)]
            self._append([*changed, *(f"{_DUE}{name}" for name in sorted(names - self.due))])

    def note(self, boards: dict[int, str], due: set[str], done: set[str]) -> None:
        """Note the boards whose pages have been written, and the other pages that are due or done.

        boards  the version of each board, empty if its page was deleted
        Raises OSError.
        """
        lines = [f"{number}\t{line}" for number, line in boards.items()]
        lines += [f"{_DUE}{name}" for name in sorted(due - self.due)]
        lines += [f"{_DONE}{name}" for name in sorted(done)]
        self._append(lines)

    def _append(self, lines: list[str]) -> None:
        for line in lines:
            self._take(line)
        if self._lines > 2 * (len(self.boards) + len(self.marks)) + _SPARE or self._read is None:
            self._compact()
            return
        with open(self.root / JOURNAL, "a", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in lines))
        self._read = self._stand()

    def _load(self) -> None:
        stand = self._stand()
        if stand == self._read:
            return
        text = (self.root / JOURNAL).read_text("utf-8") if stand else ""
        self.boards, self.marks, self.due, self.made, self._lines = {}, {}, set(), "", 0
        *lines, rest = text.split("\n")
        for line in lines:
            self._take(line)
        # A line that was cut off must not become part of the next one.
        self._read = None if rest else stand

    def _take(self, line: str) -> None:
        self._lines += 1
        if line.startswith(_DUE):
            self.due.add(line[1:])
        elif line.startswith(_DONE):
            self.due.discard(line[1:])
        elif line.startswith(_MADE):
            self.made = line[1:]
        elif line.startswith(_MARK):
            name, _, mark = line[1:].partition("\t")
            if mark:
                self.marks[name] = mark
            else:
                self.marks.pop(name, None)
        else:
            number, _, version = line.partition("\t")
            if version:
                self.boards[int(number)] = version
            else:
                self.boards.pop(int(number), None)

    def _compact(self) -> None:
        lines = [f"{_MADE}{self.made}"]
        lines += [f"{number}\t{line}" for number, line in self.boards.items()]
        lines += [f"{_MARK}{name}\t{mark}" for name, mark in self.marks.items()]
        lines += [f"{_DUE}{name}" for name in sorted(self.due)]
        part = self.root / _NEW
        part.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        part.replace(self.root / JOURNAL)
        self._lines, self._read, self._is_less = len(lines), self._stand(), False

    def _stand(self) -> tuple[int, int] | None:
        try:
            found = (self.root / JOURNAL).stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_size
