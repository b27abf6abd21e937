/** `_forms.py`: bodies of forms, multipart and URL-encoded. */
export const formsModule: string = String.raw`"""Bodies of forms."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union
from urllib.parse import quote_plus

from ._codec import Codec
from ._text import pairs_of, text_of
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
        self, name: str, codec: Codec[T], value: Optional[T], style: str = "form", exploded: bool = True
    ) -> None:
        self._add("text", name, codec, value, None, style, exploded)

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
        if field.kind == "json":
            pairs.append((field.name, json_text(value)))
        else:
            pairs.extend(
                (name, between.join(texts))
                for name, texts, between in pairs_of(field.name, value, field.style, field.exploded)
            )
    return "&".join(f"{_url_form(name)}={_url_form(value)}" for name, value in pairs).encode("ascii")


def multipart(fields: Sequence[FormField]) -> Tuple[bytes, str]:
    """A body of multipart/form-data, and its boundary."""
    boundary = secrets.token_hex(24)
    chunks: List[bytes] = []
    for field in fields:
        for item in field.value if isinstance(field.value, list) else [field.value]:
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


def json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _part_of(field: FormField, item: Any) -> Tuple[bytes, Optional[str], Optional[str]]:
    if field.kind == "file":
        if isinstance(item, FilePart):
            return item.content, item.filename, item.content_type
        if isinstance(item, (bytes, bytearray)):
            return bytes(item), "file", field.content_type or "application/octet-stream"
        raise InvalidRequestError(f"must be bytes or a FilePart, not {type(item).__name__}", f".{field.name}")
    if field.kind == "json":
        return json_text(item).encode("utf-8"), None, field.content_type or "application/json"
    return text_of(item).encode("utf-8"), None, None


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
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def pairs_of(name: str, value: Any, style: str, exploded: bool) -> List[Tuple[str, List[str], str]]:
    """The pairs of a query or a form that a value becomes: each a name, texts, and what stands between those."""
    if isinstance(value, dict):
        if style == "deepObject":
            return _deep_pairs(name, value)
        if exploded:
            return [pair for key, item in value.items() if item is not None for pair in pairs_of(key, item, "form", True)]
        return [(name, [text_of(one) for pair in value.items() for one in pair], ",")]
    if isinstance(value, list):
        texts = [text_of(item) for item in value]
        if exploded:
            return [(name, [text], "") for text in texts]
        return [(name, texts, {"spaceDelimited": " ", "pipeDelimited": "|"}.get(style, ","))]
    return [(name, [text_of(value)], "")]


def _deep_pairs(name: str, value: Any) -> List[Tuple[str, List[str], str]]:
    if isinstance(value, dict):
        return [pair for key, item in value.items() for pair in _deep_pairs(f"{name}[{key}]", item)]
    if isinstance(value, list):
        return [pair for item in value for pair in _deep_pairs(name, item)]
    return [(name, [text_of(value)], "")]
`;
