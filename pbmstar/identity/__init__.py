"""Who is who: passwords, one-time tokens, and the tokens of reply addresses."""

from .passwords import Passwords, hash_password
from .tokens import (
    KEY,
    ONCE,
    ReplyToken,
    Turn,
    address_mark,
    is_detail,
    is_signed,
    message_mark,
    one_time_token,
    read_account,
    read_once,
    read_token,
    sign,
    sign_account,
    speaks_for,
    thread_mark,
    token_hash,
)

__all__ = [
    "KEY",
    "ONCE",
    "Passwords",
    "ReplyToken",
    "Turn",
    "address_mark",
    "hash_password",
    "is_detail",
    "is_signed",
    "message_mark",
    "one_time_token",
    "read_account",
    "read_once",
    "read_token",
    "sign",
    "sign_account",
    "speaks_for",
    "thread_mark",
    "token_hash",
]
