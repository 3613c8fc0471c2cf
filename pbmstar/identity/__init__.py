"""Proof of identity: the meaning of the detail in our addresses, and the proof that we have written it;
one-time tokens; passwords (``passwords``)."""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache, partial
from hashlib import blake2b, sha256
from typing import NamedTuple

from ..grammar.literals import Secret
from ..parts import modules
from .passwords import Passwords as Passwords
from .passwords import hash_password as hash_password

KEY = 64  # bytes of a key
Keys = Sequence[tuple[int, bytes]]  # by number, the newest first
_WITHOUT_DOTS = frozenset(("gmail.com", "googlemail.com"))  # dots mean nothing in their addresses
ONCE = "a"  # before a one-time token
# The questions of a letter besides the turn: moves tried, the opponent's request, an offer of ours.
DRAFT, REQUEST, OFFER = "draft", "question", "offer"
_MAC = 16  # characters of a mac, 80 bits; a letter may repeat an address some hundred times

# -- the kinds of addresses


class Purpose(StrEnum):
    """The purpose of an address of ours that stands in letters under way: a value never gets another meaning.

    For an account: replies that set something, bounces, and requests for no more letters of a kind. For an
    address without an account: a guest's replies, bounces, and the request for no letter ever.
    """

    SETTINGS = "c"
    BOUNCE = "b"
    STOP_REMINDERS = "u"
    STOP_NEWS = "w"
    STOP_PROBLEM = "v"
    STOP_SUNDAY = "y"
    GUEST = "d"
    STRANGER_BOUNCE = "s"
    NEVER = "n"
    PROBE = "p"

    __hash__ = str.__hash__  # an enumeration's own is written in Python, and slower


@dataclass(frozen=True)
class PlainAddress:
    """Our address without a detail, or with a detail in none of our forms."""


@dataclass(frozen=True)
class OnceAddress:
    """An address with a one-time token: a message to it confirms the request that the token is for.

    ``language`` of the letter; empty for English.
    """

    token: Secret
    language: str = ""


@dataclass(frozen=True, kw_only=True)
class SignedAddress:
    """An address with a mac, not checked yet; ``key_id``: the key that made it, None if it names none."""

    mac: str
    key_id: int | None = None


@dataclass(frozen=True, kw_only=True)
class ReplyAddress(SignedAddress):
    """An address for replies to a letter about a board; ``shown``: its question, see shown_mark."""

    board: int
    turn: int
    shown: str = ""


@dataclass(frozen=True, kw_only=True)
class DigestAddress(SignedAddress):
    """An address for replies to a digest: it speaks for its player on the boards that are in it."""

    number: int


@dataclass(frozen=True, kw_only=True)
class QuestionAddress(SignedAddress):
    """An address for answers to a question of a feature: it speaks for its player in that alone.

    ``purpose``: the kind of question, such as ``lesson``; ``number``: which one.
    """

    purpose: str
    userid: str
    number: int


@dataclass(frozen=True, kw_only=True)
class SettingsAddress(SignedAddress):
    """An address for replies to letters about leave and settings."""

    userid: str


@dataclass(frozen=True, kw_only=True)
class GuestAddress(SignedAddress):
    """An address for replies of a reader without an account: ordinary messages, from an address that is read.

    ``game``: the place of the letter's game among the door's games. ``move``: the first move that the
    reader has chosen, in lower case; empty if none. ``question``: the kind of the feature's question that
    the letter asks; empty if none. ``number``: which one. ``language``: the letter's, which the mac
    does not cover: a forged one changes only the language of the answer. Empty for English.
    """

    mark: str
    game: int = 0
    move: str = ""
    question: str = ""
    number: int = 0
    language: str = ""


@dataclass(frozen=True, kw_only=True)
class ServiceAddress(SignedAddress):
    """An address for messages that machines send, by their ``purpose``.

    ``name``: the account's userid, the mark of an address without one, or a probe's name.
    """

    purpose: Purpose
    name: str


Address = (
    ReplyAddress | DigestAddress | QuestionAddress | SettingsAddress | GuestAddress | ServiceAddress
    | OnceAddress | PlainAddress
)  # fmt: skip

_SERVICES = frozenset(Purpose) - {Purpose.SETTINGS, Purpose.GUEST}


def _guest(question: str, letter: str) -> tuple[Callable[..., GuestAddress], str, tuple[str, ...]]:
    """Return the form of the address of a question to a reader without an account."""
    form = "d{mark}" + letter + "{number}-{mac}{language}"
    return partial(GuestAddress, question=question), form, ("mark", "number")


@cache
def _forms() -> Mapping[str, tuple[Callable[..., Address], str, tuple[str, ...]]]:
    """Return the details by purpose: the kind of the address, the form, the names of what the mac covers."""
    return {
        "reply": (
            ReplyAddress,
            "r{board}t{turn}k{key_id}z{mac}{shown}",
            ("userid", "board", "resets", "turn"),
        ),
        "digest": (DigestAddress, "g{number}k{key_id}z{mac}", ("userid", "number")),
        **{
            purpose: (
                partial(QuestionAddress, purpose=purpose),
                letter + "{number}k{key_id}-{userid}-{mac}",
                ("userid", "number"),
            )
            for _, module in modules("commands")
            for purpose, letter in module.COMMANDS.questions.items()
        },
        "game": (GuestAddress, "d{mark}g{game}-{mac}{language}", ("mark", "game")),
        "opening": (
            GuestAddress,
            "d{mark}g{game}m{move}-{mac}{language}",
            ("mark", "game", "move"),
        ),
        "first": (GuestAddress, "d{mark}m{move}-{mac}{language}", ("mark", "move")),
        "invitation": _guest("invitation", "i"),
        **{
            purpose: _guest(purpose, letter)
            for _, module in modules("commands")
            for purpose, letter in module.COMMANDS.guesses.items()
        },
        Purpose.GUEST: (GuestAddress, "d{mark}-{mac}{language}", ("mark", "address")),
        Purpose.SETTINGS: (SettingsAddress, "c{userid}-{mac}", ("userid", "address")),
        **dict.fromkeys(_SERVICES, (ServiceAddress, "{purpose}{name}-{mac}", ("name", "address"))),
    }


_VALUES = {
    "board": "[0-9]{1,9}",
    "turn": "[0-9]{1,6}",
    "number": "[0-9]{1,9}",
    "key_id": "[0-9]{1,6}",
    "userid": "[a-z0-9_-]{2,16}",
    "name": "[a-z0-9_-]{2,16}",
    "purpose": f"[{''.join(_SERVICES)}]",
    "mark": "[a-z2-7]{16}",
    "game": "[1-9]",
    "move": "[a-z][0-9]{1,2}",
    "mac": f"[a-z2-7]{{{_MAC}}}|[a-z2-7]{{26}}",  # letters of earlier versions have the longer one
    "shown": "(?:[dqo][a-z2-7]{4})?",
    "language": "(?:-[a-z]{2})?",
    "token": "[a-z0-9]{32}",
}
_NUMBERS = frozenset(("board", "turn", "number", "game", "key_id"))


def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form.format(**{name: f"(?P<{name}>{it})" for name, it in _VALUES.items()}))


@cache
def _patterns() -> Mapping[re.Pattern[str], Callable[..., Address]]:
    return {_pattern(form): kind for kind, form, _ in _forms().values()}


_ONCE = _pattern(ONCE + "{token}{language}")


def read(detail: str) -> Address:
    """Return the address that a detail makes, in upper or lower case; nothing in it is verified."""
    text = detail.lower()
    if match := _ONCE.fullmatch(text):
        return OnceAddress(Secret(match["token"]), match["language"][1:])
    for pattern, kind in _patterns().items():
        if match := pattern.fullmatch(text):
            found = match.groupdict().items()
            return kind(**{name: _value(name, it) for name, it in found})
    return PlainAddress()


def _value(name: str, text: str) -> str | int:
    if name in _NUMBERS:
        return int(text)
    if name == "purpose":
        return Purpose(text)
    return text[1:] if name == "language" else text


def detail_in(message_id: str) -> str:
    """Return the last part of the name in a Message-ID of ours: a detail, if it has one."""
    return message_id.partition("@")[0].rpartition(".")[2].lower()


def in_language(address: str, language: str) -> str:
    """Return the address in a letter's Reply-To; one for a guest, or with a token, keeps the language."""
    local, _, domain = address.partition("@")
    if not isinstance(read(local.rpartition("+")[2]), GuestAddress | OnceAddress):
        return address
    return f"{local}-{language}@{domain}"


# -- signed addresses: none is stored, each mac is computed again


class ReplyScope(NamedTuple):
    """A turn of a player on a board, for which a reply address speaks."""

    userid: str
    board: int
    resets: int
    turn: int  # the record's length


def sign(keys: Keys, purpose: str, *parts: object) -> str:
    """Return the detail of an address of that purpose for those parts, made with the newest key.

    It has at most 46 letters, digits and marks. The detail of an account is void at another mail address.
    """
    return _signed(*keys[0], purpose, *parts)


@lru_cache(4096)  # all letters to an account have the same envelope sender
def _signed(key_id: int, key: bytes, purpose: str, *parts: object) -> str:
    _, form, names = _forms()[purpose]
    values = dict(zip(names, parts, strict=True))
    mac = _mac(key, _MAC, purpose, *parts)
    return form.format(**values, purpose=purpose, key_id=key_id, mac=mac, shown="", language="")


def is_signed(keys: Keys, address: SignedAddress, purpose: str, *parts: object) -> bool:
    """Return True if the address is signed for those parts, with any key that is still kept."""
    return any(
        hmac.compare_digest(_mac(key, len(address.mac), purpose, *parts), address.mac)
        for number, key in keys
        if address.key_id in (None, number)
    )


def shown_mark(keys: Keys, kind: str, turn: ReplyScope, said: str) -> str:
    """Return the mark after the mac of a letter that a yes can answer: it names the question.

    The question is a ``DRAFT``, moves that the letter previews, a ``REQUEST`` of the opponent, or an
    ``OFFER`` to do the act that a line may have meant. Another question may have taken its place since.
    """
    return kind[0] + _mac(keys[-1][1], 4, kind, "reply", *turn, said)


@lru_cache(4096)  # each letter about a board needs it
def thread_mark(key: bytes, userid: str, board: int) -> str:
    """Return the mark of a player's thread of letters about a board; it cannot be guessed."""
    return _digest(key, f"thread|{userid}|{board}")[:8].hex()


_SEED = 48  # bits: a number that JSON keeps whole


def turn_seed(keys: Keys, board: int, resets: int, length: int) -> int:
    """Return the seed of a program's turn: the oldest key makes it, so it stays; nobody can foresee it."""
    return _seed(keys, board, resets, length)


def series_seed(keys: Keys, name: str) -> int:
    """Return the seed of a program's turns in all games of a series, made in the same way."""
    return _seed(keys, name)


def _seed(keys: Keys, *parts: object) -> int:
    digest = _digest(keys[-1][1], "|".join(("seed", *map(str, parts))))
    return int.from_bytes(digest, "big") >> (128 - _SEED)


# -- one-time tokens: random, only their hash is kept


def one_time_token(random: bytes) -> Secret:
    """Return a token of 20 random bytes: 32 letters and digits that survive any change of case."""
    return Secret(b32encode(random).decode("ascii").lower())


def token_hash(token: Secret) -> str:
    """Return the hash that is stored in the place of a one-time token."""
    return sha256(token.value.encode("ascii")).hexdigest()


# -- marks: hashes of values that are not stored themselves


def text_mark(text: str) -> str:
    """Return the mark of a text: 16 letters and digits of its hash; capitals and outer blanks don't count."""
    digest = sha256(text.strip().lower().encode("utf-8", "replace")).digest()
    return b32encode(digest[:10]).decode("ascii").lower()


@lru_cache(4096)  # most senders write often
def address_mark(address: str) -> str:
    """Return the mark of an address, a domain or a machine: that of its text."""
    return text_mark(address)


def mailbox(address: str) -> str:
    """Return one spelling for all known spellings of an address that bring mail to the same reader."""
    local, _, domain = address.strip().lower().rpartition("@")
    local = local.partition("+")[0]
    if domain in _WITHOUT_DOTS:
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}@{domain}"


def reader_mark(address: str) -> str:
    """Return the mark that all known spellings of an address for the same mailbox share."""
    return address_mark(mailbox(address))


def marks(address: str) -> frozenset[str]:
    """Return the marks under which an address may be stored: of this spelling, and of all its spellings."""
    return frozenset((address_mark(address), reader_mark(address)))


def message_mark(message_id: str) -> str:
    """Return the mark of a message's Message-ID for log and store, with or without its < >."""
    return sha256(message_id.strip().strip("<>").encode("utf-8", "replace")).hexdigest()[:16]


def _mac(key: bytes, length: int, *parts: object) -> str:
    """Return the first letters and digits of the mac of those parts, 5 bits in each."""
    digest = _digest(key, "|".join(map(str, parts)))
    size = -(-5 * length // 8)  # encoding all of it would take longer than hashing
    return b32encode(digest[:size]).decode("ascii").lower()[:length]


def _digest(key: bytes, said: str) -> bytes:
    """Return 16 bytes that need the key; BLAKE2b takes a tenth of the time of HMAC."""
    text = said.encode("utf-8", "replace")
    return blake2b(text, key=key, digest_size=16).digest()
