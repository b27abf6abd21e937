/** `_forms.py`: bodies of forms, multipart and URL-encoded. */
export const formsModule: string = String.raw`"""Bodies of forms."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union
from urllib.parse import quote_plus

from ._codec import Codec
from ._text import json_text, pairs_of, text_of
from .errors import InvalidRequestError

T = TypeVar("T")


@dataclass(frozen=True)
class FilePart:
    """A file in a form."""

    content: bytes
    filename: str = "file"
    content_type: str = "application/octet-stream"


@dataclass(frozen=True)
class FormField:
    """A field of a form: texts and JSON values as JSON knows them, files as they are."""

    name: str
    kind: str
    value: Any
    content_type: Optional[str] = None
    #: Of a URL-encoded form.
    style: str = "form"
    exploded: bool = True


class FormObject:
    """A type that is the body of a form."""

    def form_fields(self) -> List[FormField]:
        raise NotImplementedError


class FormWriter:
    """Collects the fields of a form. Nothing is sent for None."""

    def __init__(self) -> None:
        self.fields: List[FormField] = []

    def text(
        self,
        name: str,
        codec: Codec[T],
        value: Optional[T],
        content_type: Optional[str] = None,
        style: str = "form",
        exploded: bool = True,
    ) -> None:
        self._add("text", name, codec, value, content_type, style, exploded)

    def json(self, name: str, codec: Codec[T], value: Optional[T], content_type: str) -> None:
        self._add("json", name, codec, value, content_type, "form", True)

    def file(
        self,
        name: str,
        value: Union[FilePart, bytes, Sequence[Union[FilePart, bytes]], None],
        content_type: Optional[str] = None,
    ) -> None:
        if value is not None:
            files = value if isinstance(value, (list, tuple)) else [value]
            self.fields.append(FormField(name, "file", list(files), content_type))

    def rest(self, codec: Codec[T], values: Mapping[str, T]) -> None:
        for name, value in values.items():
            self.text(name, codec, value)

    def _add(
        self,
        kind: str,
        name: str,
        codec: Codec[T],
        value: Optional[T],
        content_type: Optional[str],
        style: str,
        exploded: bool,
    ) -> None:
        if value is None:
            return
        try:
            self.fields.append(FormField(name, kind, codec.encode(value), content_type, style, exploded))
        except InvalidRequestError as error:
            raise InvalidRequestError(error.reason, f".{name}{error.path}") from None


def url_encoded(fields: Sequence[FormField]) -> bytes:
    """A body of application/x-www-form-urlencoded."""
    pairs: List[Tuple[str, str]] = []
    for field in fields:
        value = field.value
        if field.kind == "file":
            raise InvalidRequestError("files need a multipart form", f".{field.name}")
        style = "json" if field.kind == "json" else field.style
        pairs.extend((name, between.join(texts)) for name, texts, between in pairs_of(field.name, value, style, field.exploded))
    return "&".join(f"{_url_form(name)}={_url_form(value)}" for name, value in pairs).encode("ascii")


def multipart(fields: Sequence[FormField]) -> Tuple[bytes, str]:
    """A body of multipart/form-data, and its boundary."""
    boundary = secrets.token_hex(24)
    chunks: List[bytes] = []
    for field in fields:
        for item in field.value if isinstance(field.value, list) else [field.value]:
            if item is None and field.kind == "text":
                continue
            content, filename, content_type = _part_of(field, item)
            head = f'--{boundary}\r\nContent-Disposition: form-data; name="{_quoted(field.name)}"'
            if filename is not None:
                head += f'; filename="{_quoted(filename)}"'
            if content_type is not None:
                if any(ord(character) < 32 or ord(character) == 127 for character in content_type):
                    raise InvalidRequestError("the content type has control characters", f".{field.name}")
                head += f"\r\nContent-Type: {content_type}"
            chunks += [head.encode("utf-8"), b"\r\n\r\n", content, b"\r\n"]
    chunks.append(f"--{boundary}--\r\n".encode("ascii"))
    return b"".join(chunks), boundary


def _part_of(field: FormField, item: Any) -> Tuple[bytes, Optional[str], Optional[str]]:
    if field.kind == "file":
        if isinstance(item, FilePart):
            return item.content, item.filename, item.content_type
        if isinstance(item, (bytes, bytearray)):
            return bytes(item), "file", field.content_type or "application/octet-stream"
        raise InvalidRequestError(f"must be bytes or a FilePart, not {type(item).__name__}", f".{field.name}")
    if field.kind == "json":
        return json_text(item).encode("utf-8"), None, field.content_type or "application/json"
    return text_of(item).encode("utf-8"), None, field.content_type


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _url_form(text: str) -> str:
    return quote_plus(text, safe="*").replace("~", "%7E")
`;
export const textModule: string = String.raw`"""Values as texts of addresses, headers and forms."""

from __future__ import annotations

import json
from typing import Any, List, Tuple


def text_of(value: Any) -> str:
    """A JSON value as a parameter has it: texts without quotes, the rest as in JSON."""
    if isinstance(value, str):
        return value
    return json_text(value)


def json_text(value: Any, only_ascii: bool = False) -> str:
    return json.dumps(value, ensure_ascii=only_ascii, allow_nan=False, separators=(",", ":"))


def texts_of(items: List[Any]) -> List[str]:
    """The texts of a list. None is no item."""
    return [text_of(item) for item in items if item is not None]


def pairs_of(name: str, value: Any, style: str, exploded: bool) -> List[Tuple[str, List[str], str]]:
    """The pairs of a query, a cookie or a form that a value becomes: each a name, texts, and what stands between those.

    None, and what has nothing in it, is written nowhere. What is in an object, and what the specification leaves open: in a
    deepObject brackets go on for an object and a list repeats its name; else a list repeats its name where the fields have pairs
    of their own, and all others are JSON.
    """
    if style == "json":
        return [(name, [json_text(value)], "")]
    if _is_nothing(value):
        return []
    spread = exploded or style == "deepObject"
    if isinstance(value, list):
        texts = texts_of(value)
        if spread:
            return [(name, [text], "") for text in texts]
        return [(name, texts, {"spaceDelimited": " ", "pipeDelimited": "|"}.get(style, ","))] if texts else []
    if not isinstance(value, dict):
        return [(name, [text_of(value)], "")]
    fields = [(key, item) for key, item in value.items() if not _is_nothing(item)]
    if style == "deepObject":
        return [pair for key, item in fields for pair in pairs_of(f"{name}[{key}]", item, style, True)]
    if spread:
        return [
            pair
            for key, item in fields
            for pair in (pairs_of(key, item, "form", True) if isinstance(item, list) else [(key, [text_of(item)], "")])
        ]
    return [(name, [text for key, item in fields for text in (key, text_of(item))], ",")] if fields else []


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, (dict, list)) and not value)
`;
