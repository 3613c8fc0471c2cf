"""What takes long, quickly: passwords, a disk that confirms, templates that each office compiles anew."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import jinja2
import sqlalchemy as sa

from pbmstar import identity
from pbmstar.grammar.literals import Secret
from pbmstar.identity import Passwords
from pbmstar.render import letters
from pbmstar.store import Store

CHECKOUT = Path(__file__).parents[2]


class QuickPasswords(Passwords):
    """Remembers wrong passwords as well, which is for tests only: argon2 is slow on purpose."""

    def __init__(self) -> None:
        super().__init__(b"test")
        self._wrong: set[tuple[str | None, str]] = set()
        self.looked = 0  # how often a password was compared at all

    def check(self, hashed: str | None, password: Secret) -> bool:
        self.looked += 1
        asked = (hashed, password.value)
        if asked in self._wrong:
            return False
        if super().check(hashed, password):
            return True
        self._wrong.add(asked)
        return False


# One hash and one memory of passwords for all offices.
PASSWORDS = QuickPasswords()


@cache
def hashed_password(password: str) -> str:
    return identity.hash_password(Secret(password))


def _hurry(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA synchronous=OFF")


def opened(database: str) -> Store:
    store = Store(database)
    if store.is_sqlite:  # these tests cut no power: the disk need not be waited for
        sa.event.listen(store.engine, "connect", _hurry)
        with closing(store.engine.raw_connection()) as connection:  # it is open already
            _hurry(connection.driver_connection, None)
    return store


def compiling_once() -> Callable[..., CodeType]:
    """Return a method of Jinja's environments that compiles a page of the site once for all that read it alike.

    The compiler asks an environment how it reads, and for its filters: with both goes what is remembered.
    A letter comes as a tree: ``reading_once`` is for letters.
    """
    compile_it, known = jinja2.Environment.compile, dict[tuple[Any, ...], CodeType]()

    def compiled(
        environment: jinja2.Environment,
        source: str | jinja2.nodes.Template,
        name: str | None = None,
        filename: str | None = None,
    ) -> CodeType:
        if not isinstance(source, str):
            return compile_it(environment, source, name, filename)
        filters = frozenset(environment.filters.items())
        key = (source, name, filename, environment.lexer, environment.autoescape, filters)
        if key not in known:
            known[key] = compile_it(environment, source, name, filename)
        return known[key]

    return compiled


def reading_once() -> Callable[..., letters.Environments]:
    """Return what makes the templates of folders, once for all renderers if they are those of the program.

    A site's own ones may change from one renderer to the next.
    """
    make = letters.Environments

    @cache
    def ours(*folders: Path, is_html: bool) -> letters.Environments:
        return make(list(folders), is_html)

    def made(folders: list[Path], is_html: bool = False) -> letters.Environments:
        is_ours = all(map(_is_ours, folders))
        return ours(*folders, is_html=is_html) if is_ours else make(folders, is_html)

    return made


def _is_ours(folder: Path) -> bool:
    return CHECKOUT in folder.parents
