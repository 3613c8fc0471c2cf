"""Bounces and reports of many programs, by what they mean: none may be missed, and none counted too heavily."""

from __future__ import annotations

import quopri
from base64 import encodebytes

import pytest

from pbmstar.inbound import returned
from pbmstar.inbound.returned import COMPLAINT, PASSING, PERMANENT

TO = "alice@home.example"
DAEMON = "Mail Delivery System <mailer-daemon@mx.home.example>"
LETTER = f"From: bob at Star <star@star.example>\nTo: {TO}\nSubject: New Star Board 550 alice\n"
LETTER += "Message-ID: <pbmstar.1@star.example>\n\nSummary of Star Board 550 for 5.1.1\n"


def head(kind: str, subject: str = "Undelivered Mail", author: str = DAEMON, more: str = "") -> str:
    return f"From: {author}\nTo: star+balice-x@star.example\nSubject: {subject}\n{more}Content-Type: {kind}\n"


def words(
    text: str,
    subject: str = "Undelivered Mail",
    author: str = DAEMON,
    more: str = "",
    kind: str = "plain",
) -> bytes:
    """A bounce of words alone, without a part for machines."""
    return (head(f"text/{kind}; charset=utf-8", subject, author, more) + "\n" + text).encode()


def coded(text: str, charset: str) -> bytes:
    top = head(f"text/plain; charset={charset}") + "Content-Transfer-Encoding: base64\n\n"
    return top.encode() + encodebytes(text.encode(charset))


def parts(report: str, kind: str, fields: str, encoding: str = "") -> bytes:
    """A report with a part for machines of that kind."""
    body = fields.encode()
    if encoding:
        body = encodebytes(body) if encoding == "base64" else quopri.encodestring(body)
    top = head(f"multipart/report; report-type={report}; boundary=B")
    mark = f"Content-Transfer-Encoding: {encoding}\n" if encoding else ""
    text = f"{top}\n--B\n\nwords\n\n--B\nContent-Type: message/{kind}\n{mark}\n".encode()
    return text + body + f"\n--B\nContent-Type: message/rfc822\n\n{LETTER}\n--B--\n".encode()


def status(action: str, code: str, kind: str = "delivery-status", encoding: str = "") -> bytes:
    fields = f"Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; {TO}\nAction: {action}\nStatus: {code}\n"
    return parts("delivery-status", kind, fields, encoding)


def feedback(kind: str, encoding: str = "") -> bytes:
    fields = f"Feedback-Type: {kind}\nUser-Agent: X/1\nVersion: 1\n"
    return parts("feedback-report", "feedback-report", fields, encoding)


FAILED = f"X-Failed-Recipients: {TO}\n"
AGAIN = "multipart/report; report-type=disposition-notification; boundary=B"
RECEIPT = head(AGAIN, "Read: Star", TO) + (
    f"\n--B\n\nread\n--B\nContent-Type: message/disposition-notification\n\nFinal-Recipient: rfc822;{TO}\n--B--\n"
)
# What the fifth round of public reports found, first; then others of their kinds.
MAILS: dict[str, tuple[bytes, str]] = {
    "report auth-failure": (feedback("auth-failure"), "report auth-failure"),
    "gmx": (words(f'This is a permanent error.\n\n"{TO}":\nreason: 550 unavailable\n\n{LETTER}'), PERMANENT),
    "yandex": (words(f"<{TO}>: host mx said: 550 no such user (in reply to RCPT TO)"), PERMANENT),
    "mdaemon": (words(f"had PERMANENT fatal delivery errors!\n\nFailed address: {TO}\n"), PERMANENT),
    "163": (words(f"退信原因：收件人不存在 550 User not found: {TO}", "系统退信"), PERMANENT),
    "global status": (status("failed", "5.1.1", "global-delivery-status"), PERMANENT),
    "status in base64": (status("failed", "5.1.1", encoding="base64"), PERMANENT),
    "delay with failed": (
        words(f"Delivery has been delayed:\n {TO}\nwill be retried", "Status (Delay)", more=FAILED),
        PASSING,
    ),
    # People who are not there, in the words of many programs.
    "pt": (words(f"Sua mensagem não chegou: <{TO}>: 550 5.1.1 usuário desconhecido"), PERMANENT),
    "pl": (words(f"{TO}\n  odpowiedź serwera: 550 nie ma takiej skrzynki"), PERMANENT),
    "ko": (words(f"수신자: {TO}\n사유: 550 존재하지 않는 사용자", "메일 전송 실패"), PERMANENT),
    "ja": (words(f"次のあて先へのメッセージはエラーのため送信できませんでした。\n{TO}\n550 Unknown user"), PERMANENT),
    "qq": (words(f"抱歉，您的邮件被退回来了\n{TO}\nhost said: 550 Mailbox not found."), PERMANENT),
    "fr": (words(f"Votre message n'a pas pu être remis à {TO} (550 5.1.1 adresse inconnue)"), PERMANENT),
    "mercury": (words(f"While attempting to deliver:\n\n{TO}\n550 No such user here."), PERMANENT),
    "barracuda": (words(f"Your message to {TO} was blocked: user unknown"), PERMANENT),
    "groupwise": (words(f"The message that you sent was undeliverable to:\n {TO} (user unknown)"), PERMANENT),
    "tr": (words(f"İletiniz {TO} adresine ulaşmadı: #5.1.1 böyle bir kullanıcı yok"), PERMANENT),
    "el, base64": (coded(f"Η παράδοση απέτυχε: {TO}\n550 5.1.1 άγνωστος", "iso-8859-7"), PERMANENT),
    "ru, windows-1251": (coded(f"Письмо не доставлено: {TO}: 550 нет такого", "windows-1251"), PERMANENT),
    "zh, gb18030": (coded(f"邮件无法送达 {TO} (550 用户不存在)", "gb18030"), PERMANENT),
    "html": (words(f"<html><p>Nachricht an <b>{TO}</b></p><td>5.1.10</td></html>", kind="html"), PERMANENT),
    "no address": (words("Recipient rejected: 550 5.1.1 mailbox does not exist"), PERMANENT),
    "status with a comment": (status("failed (no retry)", "5.1.1 (bad mailbox)"), PERMANENT),
    "opensmtpd": (status("error", "5.0.0"), PERMANENT),
    "global, quoted": (status("failed", "5.1.3", "global-delivery-status", "quoted-printable"), PERMANENT),
    "no code": (status("failed", ""), PERMANENT),
    # What may pass.
    "full": (words(f"<{TO}>: 552 mailbox full"), PASSING),
    "quota, es": (words(f"El buzón de {TO} está lleno (#5.2.2)"), PASSING),
    "words alone, it": (words(f"Il messaggio a {TO} non è stato consegnato.\n\n{LETTER}"), PASSING),
    "words alone, html": (words(f"<p>Kan niet bezorgen aan <a>{TO}</a></p>", kind="html"), PASSING),
    "spam filter": (words("Message refused by policy: 554 5.7.1 looks like spam"), PASSING),
    "delay, de": (words(f"Die Zustellung an {TO} ist verzögert.", "Verzögert", more=FAILED), PASSING),
    "delay, fr": (words(f"Message à {TO} retardé; il sera renvoyé.", more=FAILED), PASSING),
    "delay, ru": (words(f"Доставка на {TO} задерживается. 550 раньше", more=FAILED), PASSING),
    "grey": (words(f"{TO}: 450 4.2.1 try later; earlier 550 unknown", more=FAILED), PASSING),
    "warning": (words(f"THIS IS A WARNING ONLY. 550 unknown so far: {TO}"), PASSING),
    "expired": (status("failed", "4.4.7"), PASSING),
    "global delay": (status("delayed", "4.4.1", "global-delivery-status"), PASSING),
    "delay in base64": (status("delayed", "4.4.1", encoding="base64"), PASSING),
    # Reports of people, and of machines.
    "abuse": (feedback("abuse"), COMPLAINT),
    "fraud": (feedback("fraud"), COMPLAINT),
    "opt-out": (feedback("opt-out"), COMPLAINT),
    "abuse in base64": (feedback("abuse", "base64"), COMPLAINT),
    "not-spam": (feedback("not-spam"), "report not-spam"),
    "virus": (feedback("virus", "quoted-printable"), "report virus"),
    "other": (feedback("other"), "report other"),
    "no type": (parts("feedback-report", "feedback-report", "Version: 1\n"), "report other"),
    # What is no bounce.
    "away": (words(f"I am away until 5.1.26.\n-- \nAlice, {TO}", "Re: Star", TO), ""),
    "away, another From": (words(f"Write to {TO} later.", "Out of office", "a@b.example"), ""),
    "away, marked": (words(f"{TO} ist im Urlaub", "x", "a@b.example", "X-Autoreply: yes\n"), ""),
    "read receipt": (RECEIPT.encode(), ""),
    "delivered": (status("delivered", "2.0.0"), ""),
    "relayed": (status("relayed", "2.0.0"), ""),
    "our letter alone": (words("Thank you for your mail.\n\n" + LETTER.replace(TO, "x@y")), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", MAILS)
def test_a_returned_mail(name: str) -> None:
    raw, meant = MAILS[name]
    assert returned.kind_of(returned.beginning(raw), TO, null=True) == meant


@pytest.mark.parametrize("name", ["yandex", "full", "words alone, it", "no address"])
def test_words_count_only_with_the_null_sender(name: str) -> None:
    """Anybody may write such words; but only a mailer answers with no sender to an address that it alone knows."""
    assert returned.kind_of(returned.beginning(MAILS[name][0]), TO, null=False) in ("", PERMANENT)
    assert (
        returned.kind_of(returned.beginning(words("550 5.1.1 unknown " + TO)), TO, null=False) == ""
    )
