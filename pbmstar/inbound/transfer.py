"""From the bytes of a text part to its text: transfer encoding, flowed lines, armour.

This is best effort: broken bytes give broken text, never an exception. Python's ``email`` reads base64
without padding too, but drops what follows padding in the middle, and decodes the footers of gateways.
"""

from __future__ import annotations

import binascii
import re


def undo(data: bytes, encoding: str, limit: int) -> tuple[bytes, bool]:
    """Return ``data`` with its Content-Transfer-Encoding undone, and True if it was cut on its way.

    At most ``limit`` bytes, whole lines, are returned. An unknown encoding (uuencode among them) is taken for
    none.
    """
    encoding = encoding.partition(";")[0].partition("(")[0].strip().lower()
    # The part of a person's text that we read takes no more room than this when encoded.
    room = limit * (3 if encoding == "quoted-printable" else 2)
    whole, cut = len(data) <= room, False
    data = data[:room]
    if encoding == "quoted-printable":
        cut = bool(_HALF_ESCAPE.search(data))
        data = binascii.a2b_qp(data)
    elif encoding == "base64":
        data, cut = _base64(data)
    if len(data) > limit or not whole:
        data, cut = data[:limit], False
        data = data[: data.rfind(b"\n") + 1] or data
    return data, cut


_HALF_ESCAPE = re.compile(rb"=[0-9A-Fa-f]\s*\Z")
_PURE = re.compile(rb"\s*(?:[A-Za-z0-9+/]++\n)*+[A-Za-z0-9+/]*+={0,2}\s*")
_BLANKS = b" \t\n\r\v\f"
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=]+")
_FOR_URLS = bytes.maketrans(b"-_", b"+/")
_RULE = re.compile(rb"([-_])\1{2,}")
# What follows the end of base64, or a blank line in it, is base64 too if it looks like it, else a footer.
_PIECE = re.compile(rb"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2,3})?=*")
_LONG = 16  # letters; below a blank line fewer of them are base64 only if they are padded
_LETTERS = re.compile(rb"[A-Za-z0-9+/]++=*+")
_WORDS = re.compile(rb"\s*\S\S+ \S")
_CONTROLS = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def _base64(data: bytes) -> tuple[bytes, bool]:
    """Return decoded base64, and True if letters are missing at its end.

    Padding that is missing takes nothing away, and pieces that were padded each for itself are joined. Bits
    that are left over show that something was cut off. What isn't base64 at all stays as it is.
    """
    if _PURE.fullmatch(data):
        pieces = [data.translate(None, _BLANKS)]
    else:
        pieces = _LETTERS.findall(_without_footer(data))
    decoded, cut = b"", False
    for piece in pieces:
        letters = piece.rstrip(b"=")
        missing = -len(letters) % 4
        known = binascii.a2b_base64(letters + b"A" * missing)
        keep = len(known) - missing
        decoded += known[:keep]
        if missing == 3 or (len(piece) % 4 and any(known[keep:])):
            cut = True
            break
    is_odd = (cut or _WORDS.search(data)) and _CONTROLS.search(decoded)
    if is_odd or (_WORDS.match(data) and not decoded.isascii()):
        return data, False
    return decoded, cut


def _without_footer(data: bytes) -> bytes:
    """Return the letters of base64, without what a gateway has put below them."""
    found = bytearray()
    after_blank = after_end = False
    for line in map(bytes.strip, data.split(b"\n")):
        if not line:
            after_blank = bool(found)
            continue
        piece = after_blank or after_end
        if _RULE.fullmatch(line) or (piece and not _PIECE.fullmatch(line)):
            break
        if after_blank and b"=" not in line and len(line) < _LONG:
            break
        found += _NOT_BASE64.sub(b"", line.translate(_FOR_URLS))
        after_blank, after_end = False, found.endswith(b"=")
    return bytes(found)


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


_ENRICHED = re.compile(r"(?P<open><<|<lt>)|<param>[^<]{0,200}</param>|</?[A-Za-z0-9-]{1,60}>", re.I)
_WRAPPED = re.compile(r"(?<!\n)\n(?!\n)")


def unrich(text: str) -> str:
    """Return text/enriched (RFC 1896) or text/richtext as plain text."""
    text = re.sub(r"<nl>", "\n\n", text, flags=re.I)
    text = _ENRICHED.sub(lambda found: "<" if found["open"] else "", text)
    return re.sub(r"\n(\n+)", r"\1", _WRAPPED.sub(" ", text.strip("\n")))


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
