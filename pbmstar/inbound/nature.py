"""The kind of a message's writer: a person, a program that passes mail on, or an automaton.

*Automatic* mail is neither executed nor answered, so that two programs never answer each other for ever.
*Quiet* mail is executed, but gets no error letter unless a password or a reply address proves its writer:
gateways put such fields on people's mail too. Mail that *looks* automatic has nothing but its Subject against
it, and who goes away writes just such Subjects: it is quiet, and of it only what reads as a command counts.
Each function returns the reason in a word or two for the log, or None.
"""

from __future__ import annotations

import re

from . import phrases
from .fields import Fields, first, value_and_params
from .mime import ParsedMail

HOPS = 50  # Received fields: beyond that a message goes in circles

_REPORTS = frozenset((
    "multipart/report", "message/delivery-status", "message/disposition-notification",
    "message/feedback-report",
))  # fmt: skip
_CALENDAR_ANSWERS = frozenset(("reply", "counter", "declinecounter", "refresh"))
RESPONDER_FIELDS = frozenset((
    "x-autoreply", "x-auto-reply", "x-autoreply-from", "x-autorespond", "x-autoresponse",
    "x-mail-autoreply", "x-mailer-autoreply",
))  # fmt: skip
_LIST_FIELDS = frozenset((
    "list-id", "list-post", "list-help", "list-unsubscribe", "list-subscribe", "list-owner",
    "list-archive",
))  # fmt: skip
_DAEMON = re.compile(
    r"mailer-?daemon|mail-?daemon|vacation|auto-?(?:reply|responder)|out-?of-?office"
)
_NO_REPLY = re.compile(
    r"(?:.*[-_.+=])?(?:no|not|do-?not|dont)[-_.]?(?:answer|reply)(?:[-_.+=].*)?"
    r"|postmaster|bounces?(?:[-+_=].*)?|owner-.*|.*-(?:owner|request|bounces?)|listserv|majordomo"
)
_OUT_OF_OFFICE = re.compile("|".join(phrases.OUT_OF_OFFICE))
_BOUNCED = re.compile("|".join(phrases.BOUNCED))
_COMMENT = re.compile(r"\([^()]*\)")


def automatic(mail: ParsedMail, author: str | None, own_domain: str) -> str | None:
    """Return the reason that the mail is a machine's; None for a person's."""
    fields = mail.fields
    for value in fields.get("auto-submitted", ()):
        if _COMMENT.sub("", value).partition(";")[0].strip().lower() != "no":
            return "auto-submitted"
    if _is_own(fields, own_domain.lower()):
        return "loop"
    if len(fields.get("received", ())) > HOPS:
        return "hops"
    if "x-failed-recipients" in fields or any(part.kind in _REPORTS for part in mail.parts):
        return "report"
    if _is_calendar(mail):
        return "calendar"
    for name in RESPONDER_FIELDS & fields.keys():
        if not {"no", "false"}.issuperset(map(str.lower, fields[name])):
            return "autoresponder"
    if _precedence(fields) in ("auto_reply", "auto-reply", "autoreply", "vacation"):
        return "autoresponder"
    if author and _DAEMON.fullmatch(author.partition("@")[0]):
        return "daemon"
    return None


def looks(subject: str) -> str | None:
    """Return the reason that the mail looks like a machine's, by the words of its Subject alone."""
    if _OUT_OF_OFFICE.match(subject.lower()):
        return "out of office"
    if _BOUNCED.match(subject.lower()):
        return "report"
    return None


def quiet(fields: Fields, author: str | None) -> str | None:
    """Return the reason that the mail gets no error letter if nothing proves its writer; None if it may."""
    if not _LIST_FIELDS.isdisjoint(fields):
        return "list"
    if _precedence(fields) in ("bulk", "junk", "list"):
        return "bulk"
    if author and _NO_REPLY.fullmatch(author.partition("@")[0]):
        return "noreply author"
    suppress = first(fields, "x-auto-response-suppress").lower()
    if "all" in suppress or "autoreply" in suppress:
        return "x-auto-response-suppress"
    if "x-loop" in fields:
        return "x-loop"
    return None


def _is_own(fields: Fields, own_domain: str) -> bool:
    """Return True if the mail is one of ours that came back."""
    if own_domain in map(str.lower, fields.get("x-pbmstar-loop", ())):
        return True
    ids = map(str.lower, fields.get("message-id", ()))
    return any(each.startswith("<pbmstar.") and each.endswith(f"@{own_domain}>") for each in ids)


def _is_calendar(mail: ParsedMail) -> bool:
    """Return True if a calendar program answers an invitation, or the whole mail is a calendar entry."""
    if "calendarmessage" in first(mail.fields, "content-class").lower():
        return True
    return any(
        part.kind == "text/calendar"
        and (
            part is mail.parts[0]
            or part.params.get("method", "").lower() in _CALENDAR_ANSWERS
            or b"\nMETHOD:REPLY" in mail.data[part.start : part.start + 1_000]
        )
        for part in mail.parts
    )


def _precedence(fields: Fields) -> str:
    precedence = first(fields, "precedence") or first(fields, "x-precedence")
    return value_and_params(precedence)[0] if precedence else ""
