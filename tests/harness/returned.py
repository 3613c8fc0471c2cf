"""What machines send back: a bounce (RFC 3464) and a complaint (RFC 5965), each with its envelope."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def bounce(to: str, status: str = "5.1.1", number: int = 1) -> tuple[bytes, str, str]:
    """Return a mail to that address that says so, its envelope's sender and recipient."""
    action = "failed" if status.startswith("5") else "delayed"
    text = (HERE / "bounce.eml").read_text()
    text = text.format(to=to, status=status, action=action, number=number)
    return text.replace("\n", "\r\n").encode(), "", to


def complaint(to: str, number: int = 1) -> tuple[bytes, str, str]:
    """Return the same for a reader's complaint."""
    text = (HERE / "complaint.eml").read_text().format(to=to, number=number)
    return text.replace("\n", "\r\n").encode(), "fbl@isp.example", to
