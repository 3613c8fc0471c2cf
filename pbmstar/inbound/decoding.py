"""From bytes to text: transfer encodings and charsets.

Codecs are Python's. This module adds what they do not know: names that only mail programs use, charsets that
are told by their bytes, and single bytes that do not fit, which never change how the others are read.

This is best effort: broken bytes give broken text, never an exception. Python's ``email`` reads base64
without padding too, but drops what follows padding in the middle, and decodes the footers of gateways.
"""

from __future__ import annotations

import binascii
import codecs
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
_CODECS |= {
    "koi8_u": "koi8_u", "koi8_ru": "koi8_u", "cp874": "cp874", "windows_874": "cp874",
    "iso_8859_6_e": "iso8859_6", "iso_8859_6_i": "iso8859_6", "visual": "iso8859_8",
    "iso_8859_8_e": "iso8859_8", "iso_8859_8_i": "iso8859_8", "logical": "iso8859_8",
    "sjis_win": "cp932", "x_ms_cp932": "cp932", "ks_c_5601": "euc_kr",
    "iso_2022_jp_ms": "iso2022_jp", "cp50220": "iso2022_jp", "cp50221": "iso2022_jp",
    "unicode": "utf_16", "ucs_2": "utf_16", "iso_10646_ucs_2": "utf_16", "unicodefffe": "utf_16_be",
    "utf_8_mac": "utf_8", "utf8mb4": "utf_8", "unicode_1_1_utf_8": "utf_8",
    "ansi": "cp1252", "x_ansi": "cp1252", "macroman": "mac_roman", "macintosh": "mac_roman",
}  # fmt: skip
_IN_TRUTH = {  # mail programs mean the larger charset of the same family
    "ascii": "utf_8",
    "latin_1": "cp1252",
    "iso8859_9": "cp1254",
    "tis_620": "cp874",
    "big5": "cp950",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
_CODECS = {name: _IN_TRUTH.get(codec, codec) for name, codec in _CODECS.items()}
_OF_SEVERAL_BYTES = frozenset((
    "big5hkscs", "cp932", "cp949", "cp950", "euc_jp", "euc_jis_2004", "gb18030", "hz", "iso2022_kr", "johab",
))  # fmt: skip
_BAD = "\ufffd"  # in place of bytes that are no character

# Escape sequences of ISO-2022-JP: the codec in which the characters behind them have their highest bits set.
_SHIFT = re.compile(rb"\x1b(\$\(?[@ABCD]|\([BHIJ])")
_SHIFTED = {
    b"$@": "euc_jp", b"$B": "euc_jp", b"$(@": "euc_jp", b"$(B": "euc_jp", b"$(D": "euc_jp", b"$A": "gb18030",
    b"$(A": "gb18030", b"$(C": "cp949", b"(I": "cp932",
}  # fmt: skip
_HIGH = bytes(each | 0x80 if 0x21 <= each <= 0x7E else each for each in range(256))


def decode(data: bytes, charset: str = "") -> str:
    """Return ``data`` as text: by the declared charset if we know it and the bytes allow it, else as UTF-8.

    A byte that does not fit is read as Windows-1252 where each byte is a character, else replaced. The text
    ends with U+FFFD if its last character is not complete.
    """
    codec = _CODECS.get(_name(charset), "utf_8") if charset else "utf_8"
    if b"\0" in data or codec.startswith("utf_16") or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data, codec = _wide(data, codec)
    if b"\x1b$" in data and (codec == "iso2022_jp" or data.isascii()):
        return _iso_2022(data)
    try:
        return data.decode(codec)
    except UnicodeError:
        pass
    if codec != "utf_8" and not data.isascii():
        try:
            return data.decode("utf_8")
        except UnicodeError:
            text = data.decode(codec, _KEPT_READING)
            is_of_it = codec not in _OF_SEVERAL_BYTES or text.count(_BAD) <= 1 + len(text) // 20
            if is_of_it:
                return text
    return data.decode("utf_8" if codec in _OF_SEVERAL_BYTES else codec, _KEPT_READING)


def _name(charset: str) -> str:
    name = charset.strip(" \t'\"").lower().replace("-", "_")
    return name if name in _CODECS else name.removeprefix("x_").removeprefix("cs")


def _wide(data: bytes, codec: str) -> tuple[bytes, str]:
    """Return bytes that may be UTF-16 or UTF-32, and the codec that reads them."""
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    zeros = data.count(0)
    if marked and (zeros or b"\n" not in data):
        return data, "utf_32" if data[:4] == b"\xff\xfe\0\0" else "utf_16"
    if marked:  # the zeros were lost on the way
        return data[2:], "utf_8"
    before, behind = data[::2].count(0), data[1::2].count(0)
    if 3 * zeros >= 2 * len(data):
        return data, f"utf_32_{'be' if data[:1] == bytes(1) else 'le'}"
    is_wide = codec in ("utf_16", "utf_16_be", "utf_16_le") or 20 * zeros >= len(data)
    if zeros > 1 and is_wide and (3 * zeros >= len(data) or not before or not behind):
        return data, "utf_16_be" if before > behind else "utf_16_le"
    if codec.startswith(("utf_16", "utf_32")) and not zeros and data.isascii():
        return data, "utf_8"
    return data, codec


def _iso_2022(data: bytes) -> str:
    """Return text in ISO-2022-JP as Windows writes it too, with its own signs and half-width letters."""
    if b"\x1b$)C" in data:
        return data.decode("iso2022_kr", _KEPT_READING)
    first, *pieces = _SHIFT.split(data)
    text = [first.decode("cp932", _KEPT_READING)]
    for shift, piece in zip(pieces[::2], pieces[1::2], strict=True):
        codec = _SHIFTED.get(shift)
        shifted, line_end, plain = piece.partition(b"\n") if codec else (b"", b"", piece)
        if codec:
            shifted = shifted.translate(_HIGH)
            if shift == b"$(D":
                shifted = re.sub(rb"[\xa1-\xfe]{2}", rb"\x8f\g<0>", shifted)
            text.append(shifted.decode(codec, _KEPT_READING))
        text.append((line_end + plain).decode("cp932", _KEPT_READING))  # a line end ends a shift
    return "".join(text)


def _in_place_of_bad(error: UnicodeError) -> tuple[str, int]:
    """Return a text in place of bytes that do not fit, and where to go on."""
    assert isinstance(error, UnicodeDecodeError)
    bad = error.object[error.start : error.end]
    if error.encoding in ("euc_jp", "euc_jis_2004"):
        pair = error.object[error.start : error.start + 2]
        if len(pair) == 2 and min(pair) >= 0xA1:
            return _of_windows(*pair), error.start + 2
    is_incomplete = any(
        word in error.reason for word in ("unexpected end", "incomplete", "truncated")
    )
    if len(bad) > 1 or is_incomplete or error.encoding in _OF_SEVERAL_BYTES:
        return _BAD, error.end
    try:
        return bad.decode("cp1252"), error.end
    except UnicodeError:
        return bad.decode("latin-1"), error.end


def _of_windows(high: int, low: int) -> str:
    """Return a character of EUC-JP that only Windows knows, such as a number in a circle (NEC row 13)."""
    row, cell = high - 0xA0, low - 0xA0
    lead = (row + 1) // 2 + (0x80 if row <= 62 else 0xC0)
    trail = cell + 0x9E if row % 2 == 0 else cell + 0x3F + (cell >= 64)
    try:
        return bytes((lead, trail)).decode("cp932")
    except UnicodeError:
        return _BAD


_KEPT_READING = "pbmstar"
codecs.register_error(_KEPT_READING, _in_place_of_bad)


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
