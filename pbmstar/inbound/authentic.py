"""What our own mail server found out about the From address (RFC 8601); what others say is not read.

The server at our border has to remove fields that come from outside under its own name, as RFC 8601
section 5 demands and as rspamd, opendkim and opendmarc do.
"""

from __future__ import annotations

import re

from .fields import Fields

FIELDS = 10  # of our own that are looked at, and so many results in each
PROPERTIES = 300  # characters of a result that are looked at
_COMMENT = re.compile(r"\([^()]*\)")
_RESULT = re.compile(r"\s*(dmarc|dkim|spf)(?:/\d+)?\s*=\s*([a-z]+)(.*)", re.I | re.S)
_DOMAIN = re.compile(
    r"(?:header\.d|header\.i|header\.from|smtp\.mailfrom)\s*=\s*\"?(?:[^\s@\";]*@)?([a-z0-9.-]+)",
    re.I,
)


def result(fields: Fields, author: str | None, authserv_id: str) -> str:
    """``pass`` if our server vouches for the author's domain, ``fail`` if it says no, else ``none``.

    DMARC decides where it was looked at; else DKIM or SPF of the same domain, or one above or below.
    """
    if not author or not authserv_id:
        return "none"
    seen: dict[str, set[str]] = {}
    for value in fields.get("authentication-results", ())[:FIELDS]:
        name, _, rest = _COMMENT.sub("", value).partition(";")
        if name.lower().split()[:1] != [authserv_id.lower()]:
            continue
        for text in rest.split(";")[:FIELDS]:
            if match := _RESULT.fullmatch(text):
                verdict = match[2].lower()
                if verdict == "pass" and not _is_aligned(match[3][:PROPERTIES], author):
                    verdict = "neutral"
                seen.setdefault(match[1].lower(), set()).add(verdict)
    if "dmarc" in seen:
        dmarc = seen["dmarc"]
        return "pass" if "pass" in dmarc else "fail" if "fail" in dmarc else "none"
    both = seen.get("dkim", set()) | seen.get("spf", set())
    return "pass" if "pass" in both else "fail" if "fail" in both else "none"


def _is_aligned(properties: str, author: str) -> bool:
    """Whether what passed is the author's domain, or one above or below it."""
    domain = author.rpartition("@")[2]
    return any(
        other == domain or other.endswith(f".{domain}") or domain.endswith(f".{other}")
        for other in (each.lower().rstrip(".") for each in _DOMAIN.findall(properties))
        if "." in other
    )
