"""numba if it is installed and may compile, otherwise plain Python with lists.

The kernel is one source for both: it uses only flat sequences of integers, which are made here. To keep
an installed numba out, set ``sys.modules["numba"] = None`` before the first import of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableSequence
from importlib import import_module
from typing import Any, TypeVar

numba: Any
numpy: Any
try:
    numba, numpy = import_module("numba"), import_module("numpy")
except (ImportError, OSError):  # not installed, or the system forbids to run compiled code
    numba = numpy = None

COMPILED = numba is not None
Array = MutableSequence[int]
Fractions = MutableSequence[float]
_F = TypeVar("_F", bound=Callable[..., Any])
_T = TypeVar("_T")


def compiled(function: _F) -> _F:
    """Return the function, which numba compiles at its first call if it is there.

    It becomes a part of the functions that call it, since calls with the kernel's tuples take long. It is
    compiled without fastmath, so floats, and with them the tree, are the same with numba and without. It runs
    without the interpreter lock, so another thread notices the end of the asking process.
    """
    if numba is None:
        return function
    machine_code: _F = numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)(
        function
    )
    return machine_code


def _lowest(bits: int) -> int:
    """Return the place of the lowest bit that is set; there must be one."""
    return (bits & -bits).bit_length() - 1


def _lowest_in_code(_typing: Any, bits: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], numba.core.cgutils.true_bit)

    return numba.types.int64(bits), generate


def _lent(sequences: _T) -> _T:
    """Return the tuple of sequences. Compiled code doesn't count who uses them, so the caller keeps them.

    Counting took more time than some of the functions that are called with these tuples.
    """
    return sequences


def _lent_in_code(_typing: Any, sequences: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        members = numba.core.cgutils.unpack_tuple(builder, args[0], len(sequences))
        for i, kind in enumerate(sequences):
            if isinstance(kind, numba.types.Array):
                array = context.make_array(kind)(context, builder, value=members[i])
                array.meminfo = numba.core.cgutils.get_null_value(array.meminfo.type)
                members[i] = array._getvalue()
        return context.make_tuple(builder, signature.return_type, members)

    return sequences(sequences), generate


lowest: Callable[[int], int] = _lowest
lent: Callable[[_T], _T] = _lent
if numba is not None:
    lowest = numba.extending.intrinsic(_lowest_in_code)
    lent = numba.extending.intrinsic(_lent_in_code)


def _sequence(values: Iterable[int], kind: str) -> Array:
    sequence: Array = list(values)
    return sequence if numpy is None else numpy.array(sequence, kind)


def numbers(values: Iterable[int]) -> Array:
    """Return a sequence of 32-bit numbers."""
    return _sequence(values, "int32")


def longs(values: Iterable[int]) -> Array:
    """Return a sequence of 64-bit numbers."""
    return _sequence(values, "int64")


def cells(values: Iterable[int]) -> Array:
    """Return a sequence of numbers from 0 to 65535: unsigned saves numba a test at each index."""
    return _sequence(values, "uint16")


def stones(values: Iterable[int]) -> Array:
    """Return a sequence of numbers from 0 to 255."""
    sequence: Array = bytearray(values)
    return sequence if numpy is None else _sequence(sequence, "uint8")


def zeros(length: int, bits: int = 32) -> Array:
    """Return ``length`` zeros of 32 or 16 bits. With numba, memory that is not written to is not taken."""
    sequence: Array = [0] * length if numpy is None else numpy.zeros(length, f"int{bits}")
    return sequence


def fractions(length: int) -> Fractions:
    """Return ``length`` floats, which are 0."""
    sequence: Fractions = [0.0] * length if numpy is None else numpy.zeros(length)
    return sequence
