"""The results of our own mail server on the From address (RFC 8601); results of others are not read.

The server at our border must remove fields from outside under its own name, as RFC 8601 section 5
demands; docs/installing.md has a line for that. For a server that does not, contradictory results count
against the mail.
"""

from __future__ import annotations

import re
from typing import Literal

from .fields import Fields

Result = Literal["pass", "fail", "none"]

FIELDS = 10  # our own fields that are read at most, and the results in each
PROPERTIES = 300  # characters of a result that are read
# A sender can choose a quoted text: nothing in it is a result or a domain, unless it is an address.
_ASIDE = re.compile(r'"((?:[^"\\]|\\.)*+)"?|\((?:[^()\\]|\\.)*+\)')
_RESULT = re.compile(r"\s*(dmarc|dkim|spf)(?:/\d+)?\s*=\s*([a-z]+)(.*)", re.I | re.S)
_PROPERTY = re.compile(r"([a-z][a-z0-9.-]*)=(\S*)", re.I)
# The properties that name the domain that passed, by method.
_NAMED = {
    "dmarc": ("header.from",),
    "dkim": ("header.d", "header.i"),
    "spf": ("smtp.mailfrom",),
}
# The tags of a signature that verifiers repeat in their results, some of them decoded and unquoted:
# so none of them may hold a character that ends a result or begins another, encoded or not.
_REPEATED = ("a", "b", "d", "i", "s")
_HARMLESS = re.compile(r"[A-Za-z0-9.@!#$%&'*+/?^_`{|}~-]*")
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]*(?:=\s*){0,2}")


def result(fields: Fields, author: str | None, authserv_id: str, topmost: bool = False) -> Result:
    """Return ``pass`` if our server vouches for the author's domain, ``fail`` if it denies it, else ``none``.

    DMARC decides if the domain has a policy; otherwise DKIM or SPF of the same domain, or one above or
    below, decides. A message whose own signature may have made up the result has no pass. ``topmost``: only
    the first field of our server counts, since a provider may leave those below it that came from outside.
    """
    if not author or not authserv_id:
        return "none"
    seen: dict[str, set[str]] = {}
    told = [
        _ASIDE.sub(_plain, value).partition(";")
        for value in fields.get("authentication-results", ())[:FIELDS]
    ]
    own = [rest for name, _, rest in told if name.lower().split()[:1] == [authserv_id.lower()]]
    for rest in own[:1] if topmost else own:
        for text in rest.split(";")[:FIELDS]:
            if match := _RESULT.fullmatch(text):
                verdict = match[2].lower()
                method = match[1].lower()
                if verdict == "pass" and not _is_aligned(method, match[3], author):
                    verdict = "neutral"
                seen.setdefault(method, set()).add(verdict)
    verdicts = seen.get("dmarc", set())
    if "fail" in verdicts:
        return "fail"
    if verdicts != {"pass"}:
        verdicts = seen.get("dkim", set()) | seen.get("spf", set())
    if "pass" in verdicts:
        made_up = not all(map(_is_harmless, fields.get("dkim-signature", ())))
        return "none" if made_up else "pass"
    return "fail" if "fail" in verdicts else "none"


def _plain(aside: re.Match[str]) -> str:
    """Return a quoted text if it may be an address; other quoted texts and comments do not count."""
    text = aside[1] or ""
    return " " if re.search(r"[\s;=]", text) else text or " "


def _is_aligned(method: str, properties: str, author: str) -> bool:
    """Return True if only the author's domain, or one above or below it, passed.

    A text with more than properties in it may come from a sender.
    """
    if len(properties) > PROPERTIES:
        return False
    words = re.sub(r"\s*=\s*", "=", properties).split()
    matches = [_PROPERTY.fullmatch(word) for word in words]
    named = [each for each in matches if each and each[1].lower() in _NAMED[method]]
    own = author.rpartition("@")[2]
    domains = [each[2].rpartition("@")[2].lower().rstrip(".") for each in named]
    return bool(domains) and all(matches) and all(_is_near(each, own) for each in domains)


def _is_near(other: str, domain: str) -> bool:
    """Return True if two domains are the same, or one is above the other."""
    if "." not in other:
        return False
    return other == domain or other.endswith(f".{domain}") or domain.endswith(f".{other}")


def _is_harmless(signature: str) -> bool:
    """Return True if nothing in a DKIM-Signature can become a result of its own."""
    tags = (tag.partition("=")[::2] for tag in signature.split(";"))
    return all(
        (_BASE64 if name == "b" else _HARMLESS).fullmatch(value.strip())
        for name, value in ((name.strip().lower(), value) for name, value in tags)
        if name in _REPEATED
    )
