"""A message of the quarantine as an operator may read it: without what may be a password."""

from __future__ import annotations

import re
from pathlib import Path

from .. import games
from ..command import SERVER_VERBS
from ..errors import BadInput
from ..grammar.literals import MASK
from .quarantine import FOLDER, read


def shown(spool: Path, ident: str) -> str:
    """Return a message and its fault as text for the operator, with possible passwords masked.

    Raises BadInput if there is none of that id. Passwords are recognised only in plain text. So only the
    header of a message with an encoded text is shown; the file has the whole mail.
    """
    entry = read(spool, ident)
    if entry is None:
        raise BadInput(f"There's no mail {ident} in the quarantine.")
    facts = [f"{name}: {value}" for name, value in entry.line().items()]
    file = spool / FOLDER / f"{ident}.eml"
    return "\n".join([*facts, entry.trace, *_masked(entry.raw), f"[the whole mail: {file}]", ""])


# -- hiding passwords

_WORDS = {word.strip("*") for game in games.GAMES for word in (game.word, *game.aliases)}
_WORDS |= {verb.name.split()[0] for verb in SERVER_VERBS if verb.name != "help"}
_COMMAND = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(sorted(filter(None, _WORDS)))})(?![a-z])", re.I)
_PLAIN_FIELDS = ("from", "to", "cc", "date", "message-id", "mime-version", "content-type")
_ENCODED = re.compile(rb"^content-transfer-encoding:\s*base64|^begin [0-7]{3}", re.I | re.M)


def _masked(raw: bytes) -> list[str]:
    """Return the mail's lines up to its first command; a password may follow that."""
    text = raw.decode("ascii", "replace").replace("\r", "")
    header, _, body = text.partition("\n\n")
    lines = []
    for field in re.split(r"\n(?![ \t])", header):
        name = field.partition(":")[0].lower()
        if name == "subject":
            lines.append(f"Subject: {MASK}" if "=?" in field else _hide(field)[0])
        elif name in _PLAIN_FIELDS:
            lines.append(_printable(field))
    if _ENCODED.search(raw):
        return [*lines, "", "[the text is encoded]"]
    lines.append("")
    for line in body.split("\n")[:100]:
        line, hidden = _hide(line)
        lines.append(line)
        if hidden:
            lines.append("[what follows is not shown]")
            break
    return lines


def _hide(line: str) -> tuple[str, bool]:
    """Return the line, masked after a command's first word, and True if there was a command."""
    command = _COMMAND.search(line)
    if command is None:
        return _printable(line), False
    return _printable(line[: command.end()]) + f" {MASK}", True


def _printable(text: str) -> str:
    return "".join(c if " " <= c <= "~" or c == "\n" else "?" for c in text)
