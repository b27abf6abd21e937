/** `_codec.py`: how values become JSON and come from it. */
export const codecModule: string = String.raw`"""How values become JSON values and come from them."""

from __future__ import annotations

import base64
import binascii
import datetime
import enum
import math
import re
from typing import Any, Callable, Dict, Generic, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union, cast

from .errors import DecodeError, InvalidRequestError

T = TypeVar("T")
E = TypeVar("E", bound=enum.Enum)
M = TypeVar("M", bound="JsonObject")


class JsonObject:
    """A type that is an object in JSON."""

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

    def knows(self, value: Any) -> bool:
        """Whether a JSON value that can be decoded is one that the description names."""
        return True

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
        return super().encode(value)

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
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([0-9]{2}):?([0-9]{2}))?"
)


class _DateTime(Codec[datetime.datetime]):
    """RFC 3339. What has no offset counts as UTC; digits below a microsecond are cut."""

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


class _List(Codec[List[T]]):
    expected = "a list"

    def __init__(self, items: Codec[T]) -> None:
        self._items = items

    def decode(self, value: Any) -> List[T]:
        if not isinstance(value, list):
            raise self.unexpected(value)
        decoded: List[T] = []
        for index, item in enumerate(value):
            try:
                decoded.append(self._items.decode(item))
            except DecodeError as error:
                raise DecodeError(error.reason, f"[{index}]{error.path}") from None
        return decoded

    def encode(self, value: Sequence[T]) -> Any:
        if not isinstance(value, (list, tuple)):
            raise InvalidRequestError(f"must be a list, not {type(value).__name__}")
        encoded: List[Any] = []
        for index, item in enumerate(value):
            try:
                encoded.append(self._items.encode(item))
            except InvalidRequestError as error:
                raise InvalidRequestError(error.reason, f"[{index}]{error.path}") from None
        return encoded

    def accepts(self, value: Any) -> bool:
        return isinstance(value, (list, tuple)) and all(self._items.accepts(item) for item in value)


class _Map(Codec[Dict[str, T]]):
    expected = "an object"

    def __init__(self, values: Codec[T]) -> None:
        self._values = values

    def decode(self, value: Any) -> Dict[str, T]:
        if not isinstance(value, dict):
            raise self.unexpected(value)
        decoded: Dict[str, T] = {}
        for key, item in value.items():
            try:
                decoded[key] = self._values.decode(item)
            except DecodeError as error:
                raise DecodeError(error.reason, f"[{key!r}]{error.path}") from None
        return decoded

    def encode(self, value: Mapping[str, T]) -> Any:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise InvalidRequestError(f"must be a dict with texts as keys, not {type(value).__name__}")
        encoded: Dict[str, Any] = {}
        for key, item in value.items():
            try:
                encoded[key] = self._values.encode(item)
            except InvalidRequestError as error:
                raise InvalidRequestError(error.reason, f"[{key!r}]{error.path}") from None
        return encoded

    def accepts(self, value: Any) -> bool:
        return isinstance(value, Mapping) and all(
            isinstance(key, str) and self._values.accepts(item) for key, item in value.items()
        )


class _Nullable(Codec[Optional[T]]):
    def __init__(self, inner: Codec[T]) -> None:
        self._inner = inner

    def decode(self, value: Any) -> Optional[T]:
        return None if value is None else self._inner.decode(value)

    def encode(self, value: Optional[T]) -> Any:
        return None if value is None else self._inner.encode(value)

    def accepts(self, value: Any) -> bool:
        return value is None or self._inner.accepts(value)


class _Object(Codec[M]):
    expected = "an object"

    def __init__(self, model: Type[M]) -> None:
        self._model = model

    def decode(self, value: Any) -> M:
        return self._model.from_json(value)

    def encode(self, value: M) -> Any:
        if not self.accepts(value):
            raise InvalidRequestError(f"must be of type {self._model.__name__}, not {type(value).__name__}")
        return value.to_json()

    def accepts(self, value: Any) -> bool:
        return isinstance(value, self._model)


class _Enum(Codec[Union[E, T]]):
    """A value that the description does not know stays what it is: servers learn new ones."""

    def __init__(self, known: Type[E], base: Codec[T]) -> None:
        self._known = known
        self._base = base
        self.expected = base.expected

    def decode(self, value: Any) -> Union[E, T]:
        plain = self._base.decode(value)
        try:
            return self._known(plain)
        except ValueError:
            return plain

    def encode(self, value: Union[E, T]) -> Any:
        return self._base.encode(value.value if isinstance(value, enum.Enum) else value)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, self._known) or (not isinstance(value, enum.Enum) and self._base.accepts(value))

    def knows(self, value: Any) -> bool:
        return any(member.value == value for member in self._known)


Variants = Sequence[Tuple[Codec[Any], Sequence[str]]]


class _OneOf(Codec[Any]):
    """Several types: the field that tells which one counts first, then whatever fits, what demands most before the rest."""

    expected = "one of several types"

    def __init__(self, discriminator: Optional[str], variants: Callable[[], Variants]) -> None:
        self._discriminator = discriminator
        # Asked for at the first use: types may contain themselves.
        self._later = variants
        self._known: Optional[Variants] = None

    def _variants(self) -> Variants:
        if self._known is None:
            self._known = self._later()
        return self._known

    def decode(self, value: Any) -> Any:
        if self._discriminator is not None and isinstance(value, dict):
            tag = value.get(self._discriminator)
            for codec, tags in self._variants():
                if isinstance(tag, str) and tag in tags:
                    return codec.decode(value)
        known = [codec.knows(value) for codec, _ in self._variants()]
        # Each is tried once: what is nested would be tried anew on every level.
        for only_known in (True, False):
            for (codec, _), is_known in zip(self._variants(), known):
                if is_known == only_known:
                    try:
                        return codec.decode(value)
                    except DecodeError:
                        continue
        raise self.unexpected(value)

    def encode(self, value: Any) -> Any:
        for codec, tags in self._variants():
            if codec.accepts(value):
                encoded = codec.encode(value)
                if self._discriminator is not None and tags:
                    encoded.setdefault(self._discriminator, tags[0])
                return encoded
        raise InvalidRequestError(f"must be one of the types of this union, not {type(value).__name__}")

    def accepts(self, value: Any) -> bool:
        return any(codec.accepts(value) for codec, _ in self._variants())


ANY: Codec[Any] = _Any()
STRING: Codec[str] = _String()
BOOLEAN: Codec[bool] = _Boolean()
INTEGER: Codec[int] = _Integer()
NUMBER: Codec[float] = _Number()
DATE: Codec[datetime.date] = _Date()
DATE_TIME: Codec[datetime.datetime] = _DateTime()
BASE64: Codec[bytes] = _Base64()


def list_of(items: Codec[T]) -> _List[T]:
    return _List(items)


def sequence_of(items: Codec[T]) -> Codec[Sequence[T]]:
    """A list that is only sent: any list or tuple will do."""
    return cast("Codec[Sequence[T]]", _List(items))


def map_of(values: Codec[T]) -> _Map[T]:
    return _Map(values)


def nullable(inner: Codec[T]) -> Codec[Optional[T]]:
    return _Nullable(inner)


def object_of(model: Type[M]) -> Codec[M]:
    return _Object(model)


def enum_of(known: Type[E], base: Codec[T]) -> Codec[Union[E, T]]:
    return _Enum(known, base)


def one_of(discriminator: Optional[str], variants: Callable[[], Variants]) -> Codec[Any]:
    return _OneOf(discriminator, variants)
`;
