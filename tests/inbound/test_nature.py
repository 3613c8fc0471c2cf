"""Persons, lists and automata."""

from __future__ import annotations

import pytest

from pbmstar.inbound import read

from .written import DOMAIN, MOVE, got, mail, parts


def automatic(more="", **how):
    return read(mail(MOVE, more=more, **how), DOMAIN).automatic


def quiet(more="", **how):
    inbound = read(mail(MOVE, more=more, **how), DOMAIN)
    assert inbound.automatic is None
    assert inbound.lines == (MOVE,)
    return inbound.quiet


@pytest.mark.parametrize(
    "value",
    [
        "auto-replied",
        "auto-generated",
        "AUTO-NOTIFIED; owner-email=x",
        "auto-replied (vacation)",
        "yes",
        "",
    ],
)
def test_auto_submitted(value):
    """H12: Auto-Submitted is automatic, unless it says no."""
    assert automatic(f"Auto-Submitted: {value}") == "auto-submitted"


@pytest.mark.parametrize("value", ["no", "no; x=y", "NO (comment)", "(a comment) No", "no ;x"])
def test_not_auto_submitted(value):
    """H12: parameters and comments behind a no do not matter."""
    assert automatic(f"Auto-Submitted: {value}") is None


def test_one_of_two_auto_submitted():
    assert automatic("Auto-Submitted: no\nAuto-Submitted: auto-replied") == "auto-submitted"


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/report; report-type=delivery-status; boundary=x",
        "multipart/report; report-type=disposition-notification; boundary=x",
        "multipart/report; report-type=feedback-report; boundary=x",
        "Multipart/Report; boundary=x",
        "message/delivery-status",
        "message/disposition-notification",
    ],
)
def test_reports(kind):
    """H16: delivery reports, read receipts and complaints."""
    body = parts("x", f"\n{MOVE}", "Content-Type: text/plain\n\nhi")
    assert got(body, kind=kind).automatic == "report"


def test_report_of_an_old_server():
    """H16: a report in a plain multipart, or with nothing but the field that Exim writes."""
    body = parts("x", f"\n{MOVE}", "Content-Type: message/delivery-status\n\nStatus: 5.1.1")
    assert got(body, kind="multipart/mixed; boundary=x").automatic == "report"
    assert automatic("X-Failed-Recipients: bob@example.net") == "report"


def test_forwarded_report():
    """A bounce that a person passes on as an attachment is a person's mail."""
    inner = "From: x@y.example\nContent-Type: multipart/report; boundary=z\n\n--z\n\nhi\n--z--"
    body = parts("x", f"\n{MOVE}", f"Content-Type: message/rfc822\n\n{inner}")
    inbound = got(body, kind="multipart/mixed; boundary=x")
    assert inbound.automatic is None
    assert inbound.lines == (MOVE,)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/calendar; method=REPLY", "BEGIN:VCALENDAR"),
        ("text/calendar", "BEGIN:VCALENDAR"),
        (
            "multipart/alternative; boundary=x",
            parts("x", f"\n{MOVE}", "Content-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR"),
        ),
        (
            "multipart/mixed; boundary=x",
            parts("x", f"\n{MOVE}", "Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nMETHOD:REPLY"),
        ),
    ],
)
def test_calendar_answers(kind, body):
    """H16: the answer of a calendar program."""
    assert got(body, kind=kind).automatic == "calendar"


def test_mail_with_an_invitation():
    body = parts("x", f"\n{MOVE}", "Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR")
    assert got(body, kind="multipart/mixed; boundary=x").automatic is None


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("Precedence: bulk", "bulk"),
        ("Precedence: Junk", "bulk"),
        ("Precedence: list", "bulk"),
        ("X-Precedence: bulk", "bulk"),
        ("List-Id: <star.example.org>", "list"),
        ("List-Unsubscribe: <mailto:x@example.org>", "list"),
        ("X-Auto-Response-Suppress: All", "x-auto-response-suppress"),
        ("X-Auto-Response-Suppress: DR, AutoReply", "x-auto-response-suppress"),
        ("X-Loop: other@example.org", "x-loop"),
    ],
)
def test_quiet(more, reason):
    """H17: bulk, list and suppressing mail is executed, without chatter."""
    assert quiet(more) == reason


@pytest.mark.parametrize(
    "more",
    [
        "Precedence: first-class",
        "X-Auto-Response-Suppress: DR, NDR",
        "X-Autoreply: no",
        "Importance: high",
        "",
    ],
)
def test_persons(more):
    assert quiet(more) is None


@pytest.mark.parametrize(
    "local",
    [
        "noreply",
        "no-reply",
        "no_reply",
        "donotreply",
        "do-not-reply",
        "noreply-star",
        "postmaster",
        "bounces",
        "bounces+1=a",
        "bounce",
        "owner-star",
        "star-owner",
        "star-request",
        "star-bounces",
        "listserv",
        "majordomo",
        "info-noreply",
    ],
)
def test_authors_without_ears(local):
    assert quiet(author=f"{local}@example.net") == "noreply author"


@pytest.mark.parametrize(
    "local", ["nora", "reply", "alice.noresco", "owner", "listsaver", "bouncer", "requests"]
)
def test_authors_with_ears(local):
    assert quiet(author=f"{local}@example.net") is None


@pytest.mark.parametrize(
    "local", ["MAILER-DAEMON", "mailerdaemon", "vacation", "auto-reply", "autoresponder"]
)
def test_daemons(local):
    assert automatic(author=f"{local}@example.net") == "daemon"


def received(count):
    return "\n".join(
        f"Received: from a{i}.example by b; Tue, 3 Nov 2026 10:00:00 +0000" for i in range(count)
    )


def test_hops():
    """H18: a mail with 60 Received fields goes in circles; one with 50 has come far."""
    assert automatic(received(59)) == "hops"
    assert automatic(received(50)) == "hops"
    assert automatic(received(49)) is None


def test_own_mail_comes_back():
    """H19: a mail with our loop mark, or with one of our Message-IDs for its own."""
    assert automatic("X-Pbmstar-Loop: star.example") == "loop"
    assert automatic("X-PBMSTAR-LOOP: Star.Example ") == "loop"
    assert automatic("X-Pbmstar-Loop: other.example\nX-Pbmstar-Loop: star.example") == "loop"
    assert automatic("X-Pbmstar-Loop: other.example") is None
    assert automatic(message_id="<pbmstar.o17.abc@star.example>") == "loop"
    assert automatic(message_id="<PBMSTAR.o17.abc@STAR.example>") == "loop"
    assert automatic(message_id="<pbmstar.o17.abc@other.example>") is None
    assert automatic("In-Reply-To: <pbmstar.o17.abc@star.example>") is None


def test_authentication_results():
    """H20: what a sender writes about his own authenticity changes nothing."""
    forged = "Authentication-Results: mx.star.example; spf=pass; dkim=pass header.d=example.net; dmarc=pass"
    assert read(mail(MOVE, more=forged), DOMAIN) == read(mail(MOVE), DOMAIN)


@pytest.mark.parametrize(
    "more",
    ["X-Autoreply: yes", "X-Autorespond: star", "X-Mail-Autoreply: 1", "Precedence: auto_reply"],
)
def test_responders(more):
    assert automatic(more) == "autoresponder"


@pytest.mark.parametrize(
    "subject",
    [
        "Automatic reply: Star Board 17 alice",
        "Auto-Reply: x",
        "Out of Office: x",
        "Out of the office until Monday",
        "[EXTERNAL] Automatic reply: x",
        "Automatische Antwort: x",
        "Abwesenheitsnotiz: x",
        "Réponse automatique : x",
        "=?utf-8?q?R=C3=A9ponse_automatique_?=: x",
        "Absence du bureau",
        "Respuesta automática: x",
        "Risposta automatica: x",
        "Fuori ufficio: x",
        "Automatisch antwoord: x",
        "Afwezig: x",
        "Resposta automática: x",
        "Automatyczna odpowiedź: x",
        "Автоматический ответ: x",
        "Automatisk svar: x",
        "Autosvar: x",
        "Automatiskt svar: x",
        "Frånvaro: x",
        "自动回复: x",
        "自動回覆: x",
        "自動応答: x",
    ],
)
def test_out_of_office(subject):
    assert automatic(subject=subject) == "out of office"


@pytest.mark.parametrize(
    "subject",
    [
        "Undelivered Mail Returned to Sender",
        "Mail delivery failed: returning message",
        "failure notice",
    ],
)
def test_bounces_that_say_so_in_the_subject_only(subject):
    assert automatic(subject=subject) == "report"


@pytest.mark.parametrize(
    "subject", [MOVE, "Re: Out of office", "autostar", "failure notice of a move", "away"]
)
def test_subjects_of_persons(subject):
    assert automatic(subject=subject) is None


def test_automatic_wins():
    inbound = read(mail(MOVE, more="Precedence: bulk\nAuto-Submitted: auto-replied"), DOMAIN)
    assert (inbound.automatic, inbound.quiet) == ("auto-submitted", None)
