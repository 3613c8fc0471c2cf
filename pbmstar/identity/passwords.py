"""Passwords: hashed with argon2id, checked, and remembered under a keyed hash."""

from __future__ import annotations

from hashlib import blake2b

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from ..grammar.literals import Secret

HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
# Verified in place of the hash of an account that does not exist, so that both cost the same.
NOBODY = (
    "$argon2id$v=19$m=19456,t=2,p=1$cGJtc3Rhci1ub2JvZHkhIQ$"
    "Vb8gSFNEQ0tVZW1wdHkgcGFzc3dvcmQgaGFzaCBoZXI"
)
_REMEMBERED = 10_000


def hash_password(password: Secret) -> str:
    """Return the argon2id hash to keep."""
    return HASHER.hash(password.value)


class Passwords:
    """A checker of passwords that remembers right ones under a keyed hash, so that they cost little again."""

    def __init__(self, key: bytes) -> None:
        """Begin with a random ``key`` that lives only in this process."""
        self._key = key
        self._right: dict[bytes, None] = {}

    def knows(self, hashed: str | None, password: Secret) -> bool:
        """Return True if the password is remembered as the one of that hash. Costs little."""
        return hashed is not None and self._mark(hashed, password) in self._right

    def check(self, hashed: str | None, password: Secret) -> bool:
        """Return True if the password is the one of that hash; None stands for an account that is missing.

        A right one is remembered. The check takes about 20 ms, during which other threads run.
        """
        try:
            HASHER.verify(hashed or NOBODY, password.value)
        except VerifyMismatchError:
            return False
        if hashed is None:
            return False
        self._remember(hashed, password)
        return True

    def hash(self, password: Secret) -> str:
        """Return a new hash of a password, which is remembered; it takes as long as ``check``."""
        hashed = hash_password(password)
        self._remember(hashed, password)
        return hashed

    def _remember(self, hashed: str, password: Secret) -> None:
        if len(self._right) >= _REMEMBERED:
            del self._right[next(iter(self._right))]
        self._right[self._mark(hashed, password)] = None

    def _mark(self, hashed: str, password: Secret) -> bytes:
        return blake2b(f"{hashed}\0{password.value}".encode(), key=self._key).digest()
