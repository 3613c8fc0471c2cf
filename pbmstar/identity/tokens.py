"""Tokens: what an address detail of ours may be, and what it proves."""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import NamedTuple

from ..command import Secret

KEY = 64  # bytes of a key; one of 32 bytes is of version 0.1.0, and checks what that has signed
_ACCOUNT = re.compile(r"([bnsuw])([a-z0-9_-]{2,16})-([a-z2-7]{26})")
_GUEST = re.compile(r"d([a-z2-7]{16})-([a-z2-7]{26})")
ONCE = "a"  # before a one-time token
_ONCE = re.compile(ONCE + r"([a-z0-9]{32})")
_REPLY = re.compile(r"r([0-9]{1,9})t([0-9]{1,6})k([0-9]{1,6})z([a-z2-7]{26})(d[a-z2-7]{4})?")
_DIGEST = re.compile(r"g([0-9]{1,9})k([0-9]{1,6})z([a-z2-7]{26})")
_LESSON = re.compile(r"l([1-9])k([0-9]{1,6})-([a-z0-9_-]{2,16})-([a-z2-7]{26})")

# -- one-time tokens: random, only their hash is kept


def one_time_token(random: bytes) -> Secret:
    """A token of 20 random bytes: 32 letters and digits that survive any change of case."""
    return Secret(b32encode(random).decode("ascii").lower())


def token_hash(token: Secret) -> str:
    """What is kept of a one-time token."""
    return sha256(token.value.encode("ascii")).hexdigest()


def read_once(detail: str) -> Secret | None:
    """The one-time token that an address's detail is; None if it is none."""
    match = _ONCE.fullmatch(detail.lower())
    return Secret(match[1]) if match else None


def is_detail(detail: str) -> bool:
    """Whether a detail has the form of one of ours; it need not be valid."""
    return any(
        form.fullmatch(detail.lower())
        for form in (_ONCE, _ACCOUNT, _GUEST, _REPLY, _DIGEST, _LESSON)
    )


# -- reply tokens: nothing is kept, they are computed again


class Turn(NamedTuple):
    """What a reply token speaks for: a player, a board, and one turn of it."""

    userid: str
    board: int
    resets: int
    turn: int  # the record's length


class ReplyToken(NamedTuple):
    """A reply token as it came back, not yet checked."""

    board: int
    turn: int
    key_id: int
    mac: str
    draft: str = ""  # see draft_mark


def sign(keys: Sequence[tuple[int, bytes]], turn: Turn) -> str:
    """The reply token of a turn, made with the newest key. At most 52 letters and digits."""
    key_id, key = keys[0]
    return f"r{turn.board}t{turn.turn}k{key_id}z{_mac(key, _text(turn))}"


def read_token(detail: str) -> ReplyToken | None:
    """The reply token that an address's detail is, in any case of letters; None if it is none."""
    match = _REPLY.fullmatch(detail.lower())
    if not match:
        return None
    return ReplyToken(int(match[1]), int(match[2]), int(match[3]), match[4], match[5] or "")


def draft_mark(keys: Sequence[tuple[int, bytes]], turn: Turn, moves: str) -> str:
    """What stands behind the token in a letter that previews these moves: which ones are meant by yes.

    Somebody else may have had other moves previewed since, in a player's name.
    """
    return "d" + _mac(keys[-1][1], f"draft|{_text(turn)}|{moves}")[:4]


def is_signed(keys: Sequence[tuple[int, bytes]], token: ReplyToken, turn: Turn) -> bool:
    """Whether the token is this turn's, by any key that is still kept."""
    return _is_ours(keys, token.key_id, _text(turn), token.mac)


def sign_digest(keys: Sequence[tuple[int, bytes]], userid: str, number: int) -> str:
    """The reply token of a player's digest: it speaks for that player on the boards that are in it."""
    key_id, key = keys[0]
    return f"g{number}k{key_id}z{_mac(key, f'digest|{userid}|{number}')}"


def read_digest(detail: str) -> tuple[int, int, str] | None:
    """(number, id of the key, mac) of such a token, not yet checked; None if it is none."""
    match = _DIGEST.fullmatch(detail.lower())
    return (int(match[1]), int(match[2]), match[3]) if match else None


def is_digest(
    keys: Sequence[tuple[int, bytes]], userid: str, number: int, key_id: int, mac: str
) -> bool:
    """Whether the mac is that of this player's digest, by any key that is still kept."""
    return _is_ours(keys, key_id, f"digest|{userid}|{number}", mac)


class LessonToken(NamedTuple):
    """The reply token of a lesson of the course as it came back, not yet checked."""

    lesson: int
    key_id: int
    userid: str
    mac: str


def sign_lesson(keys: Sequence[tuple[int, bytes]], userid: str, lesson: int) -> str:
    """The reply token of a lesson: it speaks for that player, in the course alone."""
    key_id, key = keys[0]
    return f"l{lesson}k{key_id}-{userid}-{_mac(key, f'lesson|{userid}|{lesson}')}"


def read_lesson(detail: str) -> LessonToken | None:
    """The token of a lesson that an address's detail is, in any case of letters; None if it is none."""
    match = _LESSON.fullmatch(detail.lower())
    return LessonToken(int(match[1]), int(match[2]), match[3], match[4]) if match else None


def is_lesson(keys: Sequence[tuple[int, bytes]], token: LessonToken) -> bool:
    """Whether the token is that player's, by any key that is still kept."""
    return _is_ours(keys, token.key_id, f"lesson|{token.userid}|{token.lesson}", token.mac)


def _is_ours(keys: Sequence[tuple[int, bytes]], key_id: int, said: str, mac: str) -> bool:
    """Whether the mac is that of a text by the key of that number, if that is still kept."""
    key = dict(keys).get(key_id)
    return key is not None and hmac.compare_digest(_mac(key, said), mac)


def _text(turn: Turn) -> str:
    return f"reply|{turn.userid}|{turn.board}|{turn.resets}|{turn.turn}"


# -- addresses that speak for an account: where bounces go (b), and wishes to get no more reminders (u)
# or announcements (w). For an address that is no account's its mark stands in place of the userid:
# bounces (s), never again (n), and replies of whoever reads there (d), which are mails like any other.


def address_mark(address: str) -> str:
    """What is kept of an address that is no account's: 16 letters and digits of its hash."""
    digest = sha256(address.strip().lower().encode("utf-8", "replace")).digest()
    return b32encode(digest[:10]).decode("ascii").lower()


def message_mark(message_id: str) -> str:
    """What the log and the store keep of a mail's Message-ID, with or without its < >."""
    return sha256(message_id.strip().strip("<>").encode("utf-8", "replace")).hexdigest()[:16]


@lru_cache(10_000)
def thread_mark(key: bytes, userid: str, board: int) -> str:
    """What tells a player's thread of letters about a board from all others; not to be guessed."""
    return _digest(key, f"thread|{userid}|{board}")[:8].hex()


@lru_cache(10_000)
def sign_account(key: bytes, purpose: str, userid: str, address: str) -> str:
    """The detail of an address for that purpose; void once the account has another address."""
    return f"{purpose}{userid}-{_mac(key, f'{purpose}|{userid}|{address}')}"


def read_account(detail: str) -> tuple[str, str, str] | None:
    """(purpose, userid, mac) of such a detail, in any case of letters; None if it is none."""
    match = _ACCOUNT.fullmatch(detail.lower())
    return (match[1], match[2], match[3]) if match else None


def read_guest(detail: str) -> tuple[str, str] | None:
    """(mark, mac) of the detail of an address that replies without an account go to; None if it is none."""
    match = _GUEST.fullmatch(detail.lower())
    return (match[1], match[2]) if match else None


def speaks_for(
    keys: Sequence[tuple[int, bytes]], purpose: str, userid: str, address: str, mac: str
) -> bool:
    """Whether the mac is that account's, by any key that is still kept."""
    said = f"{purpose}|{userid}|{address}"
    return any(hmac.compare_digest(_mac(key, said), mac) for _, key in keys)


# -- what a bot draws by chance

_SEED = 48  # bits: a number that JSON keeps whole


def turn_seed(keys: Sequence[tuple[int, bytes]], board: int, resets: int, length: int) -> int:
    """The seed of a turn: always the same, and nobody can foresee it. By the oldest key, which stays."""
    digest = _digest(keys[-1][1], f"seed|{board}|{resets}|{length}")
    return int.from_bytes(digest, "big") >> (128 - _SEED)


def _mac(key: bytes, said: str) -> str:
    return b32encode(_digest(key, said)).decode("ascii").lower().rstrip("=")


def _digest(key: bytes, said: str) -> bytes:
    """16 bytes that only who has the key can make; BLAKE2b takes a tenth of the time of HMAC."""
    text = said.encode("utf-8", "replace")
    if len(key) == KEY:
        return blake2b(text, key=key, digest_size=16).digest()
    return hmac.digest(key, text, "sha256")[:16]
