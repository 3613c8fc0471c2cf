"""The mark of a letter that a reply brings back: the detail of Reply-To stands in the Message-ID too.

So a reply whose address has lost its detail names it in In-Reply-To or References. At a provider without such
addresses, ``plain``, Reply-To is the plain address, and links to tap carry the detail at the end of the
Subject: ``F6 [r17t3k1z...]``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

RETURNED = (
    "X-Pbmstar-Bounce"  # a field of a letter: the detail for which the message that returns it is
)
ROOT = "<pbmstar.board"  # the beginning of the Message-ID of a thread


def carried(headers: Mapping[str, str], plain: bool) -> dict[str, str]:
    """Return the header fields of a letter as they go out.

    The first letter about a board belongs to the thread of that name, as all later ones do.
    """
    address, detail = _parts(headers.get("Reply-To", ""))
    told = dict(headers)
    if detail and "Message-ID" in told:
        first, domain = told["Message-ID"].rstrip(">").rsplit("@", 1)
        if first.startswith(ROOT):
            root = told["Message-ID"]
            others = {name: told.pop(name, "") for name in ("In-Reply-To", "References")}
            told["In-Reply-To"] = others["In-Reply-To"] or root
            told["References"] = f"{root} {others['References']}".strip()
        told["Message-ID"] = f"{first}.{detail}@{domain}>"
    if plain and detail:
        told["Reply-To"] = address
    if plain and "List-Unsubscribe" in told:
        told["List-Unsubscribe"] = tagged_links(told["List-Unsubscribe"])
    return told


def tagged(reply_to: str) -> str:
    """Return an address with a detail as the plain one, and what stands at the end of a Subject to it."""
    address, detail = _parts(reply_to)
    return f"{address} [{detail}]" if detail else reply_to


def tagged_links(text: str) -> str:
    """Return a text in which the links that write to an address with a detail name it in the Subject."""
    return _LINK.sub(_tagged_link, text)


_LINK = re.compile(r'mailto:([^"<>@+%?]+)(?:\+|%2B)([^"<>@+%?]+)@([^"<>@?]+)\?([^"<>]*)')


def _tagged_link(link: re.Match[str]) -> str:
    local, detail, domain, rest = link.groups()
    return f"mailto:{local}@{domain}?{rest}{quote(f' [{detail}]')}"


def _parts(reply_to: str) -> tuple[str, str]:
    """Return the address without a detail, and the detail; both are empty for none."""
    local, _, domain = reply_to.partition("@")
    name, _, detail = local.partition("+")
    return f"{name}@{domain}", detail
