"""numba where it is installed and may compile, and plain Python with lists where not.

The kernel is one source for both ways: it uses flat sequences of integers only, and gets them from
here. To keep numba out where it is installed, say ``sys.modules["numba"] = None`` before the first
import of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableSequence
from importlib import import_module
from typing import Any, TypeVar

numba: Any
numpy: Any
try:
    numba, numpy = import_module("numba"), import_module("numpy")
except (ImportError, OSError):  # not there, or the system lets nobody run what they have compiled
    numba = numpy = None

COMPILED = numba is not None
Array = MutableSequence[int]
_F = TypeVar("_F", bound=Callable[..., Any])


def compiled(function: _F) -> _F:
    """The function, compiled at its first call if numba is there. Never with fastmath.

    So that a float is the same float both ways, and with it the tree that grows.
    """
    if numba is None:
        return function
    machine_code: _F = numba.njit(cache=True)(function)
    return machine_code


def _sequence(values: Iterable[int], kind: str) -> Array:
    found: Array = list(values)
    return found if numpy is None else numpy.array(found, kind)


def numbers(values: Iterable[int]) -> Array:
    """A sequence of 32-bit numbers."""
    return _sequence(values, "int32")


def longs(values: Iterable[int]) -> Array:
    """A sequence of 64-bit numbers."""
    return _sequence(values, "int64")


def cells(values: Iterable[int]) -> Array:
    """A sequence of numbers from 0 to 65535: unsigned, which saves numba a test at each index."""
    return _sequence(values, "uint16")


def stones(values: Iterable[int]) -> Array:
    """A sequence of numbers from 0 to 255."""
    found: Array = bytearray(values)
    return found if numpy is None else _sequence(found, "uint8")


def zeros(length: int) -> Array:
    """So many 32-bit numbers, 0; memory that is not written to is not taken, where numba is."""
    found: Array = [0] * length if numpy is None else numpy.zeros(length, "int32")
    return found
