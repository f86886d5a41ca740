"""What Bokeh and Panel ask of NumPy when nobody uses arrays: classes to test against, no values.

NumPy has no wheel for this Pyodide outside its CDN and weighs 9 MB. No object of these classes
can be made, so every `isinstance` check answers False, as it would with the real package for
plain Python values. Whatever else is asked for is refused in one sentence.
"""

__version__ = "2.4.6"  # the version whose names these are; tests/test_shims.py compares


class NotInThisBuild(AttributeError):
    """A name that the real package may have and this one has not."""


# Bokeh makes these two at import, for arithmetic with arrays that never comes.
_CONSTANTS = {("datetime64", 0, "ms"), ("timedelta64", 1, "ms")}


class _Absent(type):
    """Classes without instances."""

    def __call__(cls, *args, **kwargs):
        if (cls.__name__, *args) in _CONSTANTS:
            return f"numpy.{cls.__name__}{args}"
        raise NotInThisBuild(f"numpy is not part of this build: numpy.{cls.__name__}(…)")


# The scalar tree, as issubclass sees it in the real package.
class generic(metaclass=_Absent): ...


class number(generic): ...


class integer(number): ...


class signedinteger(integer): ...


class unsignedinteger(integer): ...


class inexact(number): ...


class floating(inexact): ...


class bool_(generic): ...


class datetime64(generic): ...


class timedelta64(signedinteger): ...


class int8(signedinteger): ...


class int16(signedinteger): ...


class int32(signedinteger): ...


class int64(signedinteger): ...


class uint8(unsignedinteger): ...


class uint16(unsignedinteger): ...


class uint32(unsignedinteger): ...


class uint64(unsignedinteger): ...


class float32(floating): ...


class float64(floating, float): ...


class ndarray(metaclass=_Absent): ...


class dtype:
    """Bokeh keeps a set of these; equality and hash are all it needs."""

    def __init__(self, scalar):
        if not (isinstance(scalar, type) and issubclass(scalar, generic)):
            raise NotInThisBuild(f"numpy is not part of this build: numpy.dtype({scalar!r})")
        self.type = scalar

    def __eq__(self, other):
        return isinstance(other, dtype) and self.type is other.type

    def __hash__(self):
        return hash(self.type)

    def __repr__(self):
        return f"dtype({self.type.__name__})"


nan = float("nan")
inf = float("inf")

_PYTHON = {bool: bool_, int: int64, float: float64}


def issubdtype(one, other):
    """The real function's answer for types, those of Python included."""
    return issubclass(_PYTHON.get(one, one), _PYTHON.get(other, other))


def __getattr__(name):
    raise NotInThisBuild(f"numpy is not part of this build: numpy.{name}")
