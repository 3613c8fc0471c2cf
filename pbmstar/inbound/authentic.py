"""What our own mail server found out about the From address (RFC 8601); what others say is not read.

The server at our border has to remove fields that come from outside under its own name, as RFC 8601
section 5 demands; README has a line for that. For a server that does not, what contradicts counts
against the mail.
"""

from __future__ import annotations

import re

from .fields import Fields

FIELDS = 10  # of our own that are looked at, and so many results in each
PROPERTIES = 300  # characters of a result that are looked at
# A quoted text is a sender's own: what stands in it is no result and no domain, if it is no address.
_ASIDE = re.compile(r'"((?:[^"\\]|\\.)*+)"?|\((?:[^()\\]|\\.)*+\)')
_RESULT = re.compile(r"\s*(dmarc|dkim|spf)(?:/\d+)?\s*=\s*([a-z]+)(.*)", re.I | re.S)
_DOMAIN = re.compile(
    r"(?:header\.d|header\.i|header\.from|smtp\.mailfrom)\s*=\s*\"?(?:[^\s@\";]*@)?([a-z0-9.-]+)",
    re.I,
)


def result(fields: Fields, author: str | None, authserv_id: str) -> str:
    """``pass`` if our server vouches for the author's domain, ``fail`` if it says no, else ``none``.

    DMARC decides where the domain has a policy; else DKIM or SPF of the same domain, or one above or
    below.
    """
    if not author or not authserv_id:
        return "none"
    seen: dict[str, set[str]] = {}
    for value in fields.get("authentication-results", ())[:FIELDS]:
        name, _, rest = _ASIDE.sub(_plain, value).partition(";")
        if name.lower().split()[:1] != [authserv_id.lower()]:
            continue
        for text in rest.split(";")[:FIELDS]:
            if match := _RESULT.fullmatch(text):
                verdict = match[2].lower()
                if verdict == "pass" and not _is_aligned(match[3][:PROPERTIES], author):
                    verdict = "neutral"
                seen.setdefault(match[1].lower(), set()).add(verdict)
    dmarc = seen.get("dmarc", set())
    if "fail" in dmarc or dmarc == {"pass"}:
        return "fail" if "fail" in dmarc else "pass"
    both = seen.get("dkim", set()) | seen.get("spf", set())
    return "pass" if "pass" in both else "fail" if "fail" in both else "none"


def _plain(aside: re.Match[str]) -> str:
    """What is left of a quoted text or a comment: a quoted address."""
    text = aside[1] or ""
    return " " if re.search(r"[\s;=]", text) else text or " "


def _is_aligned(properties: str, author: str) -> bool:
    """Whether what passed is the author's domain, or one above or below it."""
    domain = author.rpartition("@")[2]
    return any(
        other == domain or other.endswith(f".{domain}") or domain.endswith(f".{other}")
        for other in (each.lower().rstrip(".") for each in _DOMAIN.findall(properties))
        if "." in other
    )
