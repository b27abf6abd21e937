/** The first part of `_codec.py`: what codecs are, and those of single values. */
export const scalarCodecs: string = String.raw`"""How values become JSON values and come from them."""

from __future__ import annotations

import base64
import binascii
import datetime
import enum
import math
import re
import threading
from typing import Any, Callable, ClassVar, Dict, Generic, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union, cast

from .errors import DecodeError, InvalidRequestError

T = TypeVar("T")
E = TypeVar("E", bound=enum.Enum)
M = TypeVar("M", bound="JsonObject")


class JsonObject:
    """A type that is an object in JSON."""

    #: The fields that it knows, where it is one type of a union.
    _wire_names: ClassVar[Tuple[str, ...]] = ()

    @classmethod
    def from_json(cls: Type[M], value: Any) -> M:
        """Reads what json.loads gave. Raises DecodeError."""
        raise NotImplementedError

    def to_json(self) -> Dict[str, Any]:
        """Gives what json.dumps takes."""
        raise NotImplementedError


class Codec(Generic[T]):
    """One type, both ways."""

    expected = "a value"

    def decode(self, value: Any) -> T:
        raise NotImplementedError

    def encode(self, value: T) -> Any:
        if not self.accepts(value):
            raise InvalidRequestError(f"must be {self.expected}, not {type(value).__name__}")
        return value

    def accepts(self, value: Any) -> bool:
        """Whether a value of a program is of this type."""
        raise NotImplementedError

    def knows(self, value: Any) -> int:
        """How much of a JSON value the description names: fields of an object, for example."""
        return 0

    def unexpected(self, value: Any) -> DecodeError:
        return DecodeError(f"expected {self.expected}, found {_kind_of(value)}")


def _kind_of(value: Any) -> str:
    """Says what a JSON value is without repeating it."""
    if value is None:
        return "null"
    kinds = {bool: "a boolean", int: "a number", float: "a number", str: "another text", list: "a list", dict: "an object"}
    return kinds.get(type(value), type(value).__name__)


class _Any(Codec[Any]):
    def decode(self, value: Any) -> Any:
        return value

    def accepts(self, value: Any) -> bool:
        return True


class _String(Codec[str]):
    expected = "a text"

    def decode(self, value: Any) -> str:
        if isinstance(value, str):
            return value
        raise self.unexpected(value)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str)


class _Boolean(Codec[bool]):
    expected = "a boolean"

    def decode(self, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        raise self.unexpected(value)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, bool)


class _Integer(Codec[int]):
    expected = "an integer"

    def decode(self, value: Any) -> int:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, float) and value.is_integer():
            return int(value)
        raise self.unexpected(value)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)


class _Number(Codec[float]):
    expected = "a number"

    def decode(self, value: Any) -> float:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            try:
                return float(value)
            except OverflowError:
                raise DecodeError("the number is too large") from None
        raise self.unexpected(value)

    def encode(self, value: float) -> Any:
        if self.accepts(value) and not math.isfinite(value):
            raise InvalidRequestError("must be a finite number")
        encoded = super().encode(value)
        # 3 rather than 3.0: some servers take the second for no integer.
        return int(encoded) if abs(encoded) < 2**53 and encoded == int(encoded) else encoded

    def accepts(self, value: Any) -> bool:
        return isinstance(value, (int, float)) and not isinstance(value, bool)


class _Date(Codec[datetime.date]):
    expected = "a date (YYYY-MM-DD)"

    def decode(self, value: Any) -> datetime.date:
        if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
            try:
                return datetime.date.fromisoformat(value)
            except ValueError:
                pass
        raise self.unexpected(value)

    def encode(self, value: datetime.date) -> Any:
        return super().encode(value).isoformat()

    def accepts(self, value: Any) -> bool:
        return isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)


_DATE_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)


class _DateTime(Codec[datetime.datetime]):
    """RFC 3339. Digits below a microsecond are cut."""

    expected = "a date with time (RFC 3339)"

    def decode(self, value: Any) -> datetime.datetime:
        match = _DATE_TIME.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise self.unexpected(value)
        year, month, day, hour, minute, second = (int(text) for text in match.group(1, 2, 3, 4, 5, 6))
        fraction, sign, hours, minutes = match.group(7, 8, 9, 10)
        offset = datetime.timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        try:
            return datetime.datetime(
                year, month, day, hour, minute, second, int(((fraction or "") + "000000")[:6]),
                datetime.timezone(-offset if sign == "-" else offset),
            )
        except ValueError:
            raise self.unexpected(value) from None

    def encode(self, value: datetime.datetime) -> Any:
        moment: datetime.datetime = super().encode(value)
        if moment.utcoffset() is None:
            raise InvalidRequestError("must have a time zone: use datetime.timezone.utc, for example")
        return moment.isoformat().replace("+00:00", "Z")

    def accepts(self, value: Any) -> bool:
        return isinstance(value, datetime.datetime)


class _Base64(Codec[bytes]):
    """RFC 4648, 4: with padding, and nothing between."""

    expected = "bytes in Base64"

    def decode(self, value: Any) -> bytes:
        if isinstance(value, str):
            try:
                return base64.b64decode(value, validate=True)
            except (binascii.Error, ValueError):
                pass
        raise self.unexpected(value)

    def encode(self, value: bytes) -> Any:
        return base64.b64encode(super().encode(value)).decode("ascii")

    def accepts(self, value: Any) -> bool:
        return isinstance(value, (bytes, bytearray))


`;
