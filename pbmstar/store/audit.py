"""What was done by hand, and facts about the store itself."""

from __future__ import annotations

from sqlalchemy import insert, select

from . import tables as t
from .statements import Connection, every, p, upsert

_ADD_AUDIT = insert(t.audit).values(**every(t.audit, "id"))
_AUDIT = select(t.audit).order_by(t.audit.c.id)
_FACT = select(t.facts.c.value).where(t.facts.c.name == p("name"))
_new_fact = upsert(t.facts).values(**every(t.facts))
_SET_FACT = _new_fact.on_conflict_do_update(
    index_elements=["name"], set_={"value": _new_fact.excluded["value"]}
)


class Audit(Connection):
    """The part of a transaction that knows what was done by hand, and facts about the store."""

    def add_audit(self, at: float, actor: str, act: str) -> None:
        """Note who did what by hand."""
        self._do(_ADD_AUDIT, at=at, actor=actor, act=act)

    def audit(self) -> list[tuple[int, float, str, str]]:
        """All that was noted."""
        return list(self._run(_AUDIT))

    def fact(self, name: str) -> str:
        """The fact of that name; empty if it was never set."""
        fact: str | None = self._cached.get(("fact", name))
        if fact is None:
            row = self._row(_FACT, name=name)
            fact = self._cached["fact", name] = str(row[0]) if row else ""
        return fact

    def set_fact(self, name: str, value: str) -> None:
        """Keep a fact."""
        self._forget("fact", name)
        self._do(_SET_FACT, name=name, value=value)
