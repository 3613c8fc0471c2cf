"""What machines send back: a bounce (RFC 3464) and a complaint (RFC 5965), each with its envelope."""

from __future__ import annotations

_BOUNCE = """\
From: MAILER-DAEMON@mx.example
To: {to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <returned.{number}@mx.example>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

Your mail could not be delivered. star move 1 bob hunter2 resign
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; somebody@somewhere.example
Action: {action}
Status: {status}

--b--
"""
_COMPLAINT = """\
From: fbl@isp.example
To: {to}
Subject: complaint
Message-ID: <complaint.{number}@isp.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type="feedback-report"; boundary="b"

--b
Content-Type: text/plain

This is a complaint. star move 1 bob hunter2 resign
--b
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: SomeGenerator/1.0
Version: 1

--b
Content-Type: message/rfc822

From: star@pbm.example
Subject: Star Board 1 bob

--b--
"""


def bounce(to: str, status: str = "5.1.1", number: int = 1) -> tuple[bytes, str, str]:
    """A mail to that address that says so, its envelope's sender and recipient."""
    action = "failed" if status.startswith("5") else "delayed"
    text = _BOUNCE.format(to=to, status=status, action=action, number=number)
    return text.replace("\n", "\r\n").encode(), "", to


def complaint(to: str, number: int = 1) -> tuple[bytes, str, str]:
    """The same for a reader's complaint."""
    text = _COMPLAINT.format(to=to, number=number)
    return text.replace("\n", "\r\n").encode(), "fbl@isp.example", to
