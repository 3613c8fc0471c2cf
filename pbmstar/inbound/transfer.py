"""From the bytes of a text part to its text: transfer encoding, charset, flowed lines, armour.

This is best effort: broken bytes give broken text, never an exception.
"""

from __future__ import annotations

import binascii
import re
from encodings.aliases import aliases

# Text codecs by all their names. Others are never looked up: that would import modules by names that
# strangers choose, and idna, punycode and the escape codecs are slow or odd on hostile bytes.
_CODECS = {
    name: codec
    for name, codec in aliases.items()
    if not codec.endswith("_codec") and codec not in ("rot_13", "mbcs")
}
_CODECS |= {codec: codec for codec in _CODECS.values()}
_CODECS |= {"koi8_u": "koi8_u", "cp874": "cp874", "windows_874": "cp874", "x_sjis": "shift_jis"}
_IN_TRUTH = {  # mail programs mean the larger charset of the same family
    "ascii": "utf_8",
    "latin_1": "cp1252",
    "iso8859_9": "cp1254",
    "tis_620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
_CODECS = {name: _IN_TRUTH.get(codec, codec) for name, codec in _CODECS.items()}


def decode(data: bytes, charset: str = "") -> str:
    """Return ``data`` as text: by the declared charset if we know it, otherwise UTF-8, cp1252, latin-1."""
    declared = _CODECS.get(charset.strip().lower().replace("-", "_"), "utf_8")
    for codec in (declared, "utf_8", "cp1252"):
        try:
            return data.decode(codec)
        except UnicodeError:
            continue
    return data.decode("latin-1")


_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


def undo(data: bytes, encoding: str, limit: int) -> bytes:
    """Return ``data`` with its Content-Transfer-Encoding undone: at most ``limit`` bytes, whole lines.

    An unknown encoding (uuencode among them) is taken for none.
    """
    encoding = encoding.partition(";")[0].partition("(")[0].strip().lower()
    # The part of a person's text that we read takes no more room than this when encoded.
    room = limit * (3 if encoding == "quoted-printable" else 2)
    whole = len(data) <= room
    data = data[:room]
    if encoding == "quoted-printable":
        data = binascii.a2b_qp(data)
    elif encoding == "base64":
        data = _base64(data)
    if len(data) > limit or not whole:
        data = data[:limit]
        data = data[: data.rfind(b"\n") + 1] or data
    return data


def _base64(data: bytes) -> bytes:
    try:
        return binascii.a2b_base64(data)
    except binascii.Error:
        letters = _NOT_BASE64.sub(b"", data)
        return binascii.a2b_base64(letters[: len(letters) // 4 * 4])


def unflow(text: str, delsp: bool) -> str:
    """Return flowed text with its paragraphs joined again, each at its own depth of quoting."""
    done: list[str] = []
    held: list[str] = []
    held_depth = 0
    for line in text.split("\n"):
        rest = line.lstrip(">")
        depth = len(line) - len(rest)
        rest = rest.removeprefix(" ")
        flowed = rest.endswith(" ") and rest != "-- "
        if held and (depth != held_depth or rest == "-- "):
            done.append(_quoted("".join(held), held_depth))
            held = []
        held.append(rest[:-1] if flowed and delsp else rest)
        held_depth = depth
        if not flowed:
            done.append(_quoted("".join(held), depth))
            held = []
    if held:
        done.append(_quoted("".join(held), held_depth))
    return "\n".join(done)


def _quoted(line: str, depth: int) -> str:
    return f"{'>' * depth} {line}" if depth else line


SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
ENCRYPTED = "-----BEGIN PGP MESSAGE-----"


def unsign(text: str) -> str:
    """Return text signed in its own lines, without the armour, its dash escapes undone.

    Verifies nothing: we do not know players by their signatures.
    """
    done: list[str] = []
    state = "outside"
    for line in text.split("\n"):
        bare = line.rstrip()
        if state == "outside" and bare == SIGNED:
            state = "head"
        elif state == "head":
            state = "signed" if not bare else "head"
        elif state == "signed" and bare == "-----BEGIN PGP SIGNATURE-----":
            state = "signature"
        elif state == "signature":
            state = "outside" if bare == "-----END PGP SIGNATURE-----" else "signature"
        else:
            done.append(line[2:] if state == "signed" and line.startswith("- ") else line)
    return "\n".join(done)
