"""The envelope of a message that comes without one: the environment and the header tell it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..inbound.gate import ADDRESS
from ..service.incoming.mail import Service
from ..service.work.context import Envelope

_HEADERS = ("Delivered-To", "X-Original-To", "To", "Cc")


def envelope_of(
    service: Service,
    raw: bytes,
    address: str,
    sender: str | None = None,
    recipients: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
) -> Envelope:
    """Return the envelope: what is given, else what the environment says, else the header.

    Without any recipient of ours it is for the server's ``address``.
    """
    head = re.split(rb"\r?\n\r?\n", raw[:65536], maxsplit=1)[0].decode("ascii", "replace")
    told = environment or {}
    return Envelope(
        sender_of(told.get("SENDER") if sender is None else sender, head),
        recipients or _recipients(service, head, told) or (address,),
    )


def sender_of(told: str | None, head: str) -> str:
    """Return the envelope sender: as told, else from Return-Path, else from From."""
    if told is None:
        field = re.search(rf"^(?:Return-Path|From):(.{{0,{ADDRESS}}})$", head, re.M | re.I)
        words = re.split(r"[<>\s]+", field[1].strip(" >\r")) if field else [""]
        told = words[-1]
    return told.strip("<>")


def _recipients(service: Service, head: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return our addresses in the environment and the header."""
    texts = [environment.get("ORIGINAL_RECIPIENT", ""), environment.get("RECIPIENT", "")]
    for name in _HEADERS:
        texts += re.findall(rf"^{name}:(.*(?:\n[ \t].*)*)", head, re.M | re.I)
    addresses = re.findall(r"[^\s<>,;\"@]{1,64}@[^\s<>,;\"@]{1,255}", " ".join(texts))
    return tuple(dict.fromkeys(each for each in addresses if service.knows(each)))
