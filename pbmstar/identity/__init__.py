"""Proof of identity: passwords, one-time tokens, and the addresses that replies go to."""

from .passwords import Passwords, hash_password
from .tokens import (
    DRAFT,
    KEY,
    OFFER,
    ONCE,
    REQUEST,
    Address,
    DigestAddress,
    GuestAddress,
    Keys,
    LessonAddress,
    OnceAddress,
    PlainAddress,
    ReplyAddress,
    ReplyScope,
    ServiceAddress,
    SettingsAddress,
    SignedAddress,
    address_mark,
    is_signed,
    mailbox,
    message_mark,
    one_time_token,
    read,
    shown_mark,
    sign,
    thread_mark,
    token_hash,
    turn_seed,
)

__all__ = [
    "DRAFT", "KEY", "OFFER", "ONCE", "REQUEST", "Address", "DigestAddress", "GuestAddress", "Keys",
    "LessonAddress", "OnceAddress", "Passwords", "PlainAddress", "ReplyAddress", "ReplyScope",
    "ServiceAddress", "SettingsAddress", "SignedAddress", "address_mark", "hash_password",
    "is_signed", "mailbox", "message_mark", "one_time_token", "read", "shown_mark", "sign",
    "thread_mark", "token_hash", "turn_seed",
]  # fmt: skip
