/** `_fields.py`: fields of JSON objects, and what stands for a field that is not there. */
export const fieldsModule: string = String.raw`"""Fields of JSON objects."""

from __future__ import annotations

import enum
from typing import Any, Dict, Mapping, Optional, Set, TypeVar

from ._codec import Codec
from .errors import DecodeError, InvalidRequestError

T = TypeVar("T")


class Unset(enum.Enum):
    """Stands where a field is absent, in fields that may be null as well."""

    UNSET = "UNSET"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset.UNSET


class ObjectReader:
    """Reads the fields of one JSON object."""

    def __init__(self, value: Any) -> None:
        if not isinstance(value, dict):
            raise DecodeError("expected an object")
        self._fields: Dict[str, Any] = value
        self._known: Set[str] = set()

    def required(self, name: str, codec: Codec[T]) -> T:
        self._known.add(name)
        if name not in self._fields:
            raise DecodeError("the field is missing", f".{name}")
        return self._decode(name, codec)

    def optional(self, name: str, codec: Codec[T]) -> Optional[T]:
        self._known.add(name)
        return None if self._fields.get(name) is None else self._decode(name, codec)

    def settable(self, name: str, codec: Codec[Any]) -> Any:
        self._known.add(name)
        return self._decode(name, codec) if name in self._fields else UNSET

    def rest(self, codec: Codec[T]) -> Dict[str, T]:
        """What nobody has asked for."""
        return {name: self._decode(name, codec) for name in self._fields if name not in self._known}

    def _decode(self, name: str, codec: Codec[T]) -> T:
        try:
            return codec.decode(self._fields[name])
        except DecodeError as error:
            raise DecodeError(error.reason, f".{name}{error.path}") from None


class ObjectWriter:
    """Writes the fields of one JSON object."""

    def __init__(self) -> None:
        self.fields: Dict[str, Any] = {}

    def required(self, name: str, codec: Codec[T], value: T) -> None:
        try:
            self.fields[name] = codec.encode(value)
        except InvalidRequestError as error:
            raise InvalidRequestError(error.reason, f".{name}{error.path}") from None

    def optional(self, name: str, codec: Codec[T], value: Optional[T]) -> None:
        if value is not None:
            self.required(name, codec, value)

    def settable(self, name: str, codec: Codec[Any], value: Any) -> None:
        if not isinstance(value, Unset):
            self.required(name, codec, value)

    def rest(self, codec: Codec[T], values: Mapping[str, T]) -> None:
        for name, value in values.items():
            if name in self.fields:
                raise InvalidRequestError("has a field of its own and cannot be in additional", f".{name}")
            self.required(name, codec, value)
`;
