/** `_call.py`: a request while its parameters and its body are put into it. */
export const callModule: string = String.raw`"""A request in the making."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, TypeVar
from urllib.parse import quote

from ._codec import Codec
from ._forms import FormObject, multipart, url_encoded
from ._text import json_text, pairs_of, text_of, texts_of
from .errors import InvalidRequestError

T = TypeVar("T")


def percent_encoded(text: str, safe: str = "") -> str:
    """All but letters, digits and -._~ escaped (RFC 3986)."""
    try:
        return quote(text, safe=safe)
    except UnicodeEncodeError:
        raise InvalidRequestError("the text is not valid Unicode") from None


def path_value(name: str, codec: Codec[T], value: T, is_greedy: bool = False) -> str:
    """A value inside of a path. What would lead to another path is refused."""
    encoded = _encoded(name, codec, value)
    if encoded is None:
        raise InvalidRequestError("must not be None", name)
    texts = texts_of(encoded) if isinstance(encoded, list) else [text_of(encoded)]
    text = ",".join(percent_encoded(item, "/" if is_greedy else "") for item in texts)
    if any(segment in ("", ".", "..") for segment in (text.split("/") if is_greedy else [text])):
        raise InvalidRequestError("must not be empty, . or ..: that would be another path", name)
    return text


def json_path_value(name: str, codec: Codec[T], value: T) -> str:
    """A value inside of a path, as one JSON text."""
    return percent_encoded(json_text(_encoded(name, codec, value)))


class OperationCall:
    """Where a request goes, and what goes with it."""

    def __init__(self, method: str, template: str, path: str, security: Sequence[Sequence[str]] = ()) -> None:
        self.method = method
        self.template = template
        self.path = path
        self.security = security
        self.query: List[str] = []
        self.headers: Dict[str, str] = {}
        self.cookies: List[str] = []
        self.body: Optional[bytes] = None

    def in_query(self, name: str, codec: Codec[T], value: Optional[T], style: str = "form", exploded: bool = True) -> None:
        self.query += _encoded_pairs(name, codec, value, style, exploded)

    def in_header(self, name: str, codec: Codec[T], value: Optional[T], style: str = "simple") -> None:
        encoded = _encoded(name, codec, value)
        if encoded is None and value is None:
            return
        if style == "json":
            text = json_text(encoded, only_ascii=True)
        elif isinstance(encoded, list):
            texts = texts_of(encoded)
            if not texts:
                return
            text = ",".join(texts)
        else:
            text = text_of(encoded)
        self.headers[name] = header_value(name, text)

    def in_cookie(
        self, name: str, codec: Codec[T], value: Optional[T], style: str = "form", exploded: bool = True
    ) -> None:
        self.cookies += _encoded_pairs(name, codec, value, style, exploded)

    def json_body(self, media_type: str, codec: Codec[T], value: T) -> None:
        self._set_body(media_type, json_text(_encoded("body", codec, value)).encode("utf-8", "surrogatepass"))

    def text_body(self, media_type: str, value: str) -> None:
        if not isinstance(value, str):
            raise InvalidRequestError(f"must be a text, not {type(value).__name__}", "body")
        self._set_body(media_type, value.encode("utf-8", "replace"))

    def binary_body(self, media_type: str, value: bytes) -> None:
        if not isinstance(value, (bytes, bytearray)):
            raise InvalidRequestError(f"must be bytes, not {type(value).__name__}", "body")
        self._set_body(media_type, bytes(value))

    def form_body(self, media_type: str, value: FormObject) -> None:
        try:
            self._set_body(media_type, url_encoded(value.form_fields()))
        except InvalidRequestError as error:
            raise InvalidRequestError(error.reason, f"body{error.path}") from None

    def multipart_body(self, media_type: str, value: FormObject) -> None:
        try:
            body, boundary = multipart(value.form_fields())
        except InvalidRequestError as error:
            raise InvalidRequestError(error.reason, f"body{error.path}") from None
        self._set_body(f"{media_type}; boundary={boundary}", body)

    def _set_body(self, media_type: str, body: bytes) -> None:
        self.headers["Content-Type"] = media_type
        self.body = body


def header_value(name: str, value: str) -> str:
    """Refuses what would end the header or begin another one, and what servers read in one way or another."""
    if not all(character == "\t" or " " <= character <= "~" for character in value):
        raise InvalidRequestError("must have visible ASCII characters and spaces only: it is sent in a header", name)
    return value


def _encoded_pairs(name: str, codec: Codec[T], value: Optional[T], style: str, exploded: bool) -> List[str]:
    encoded = _encoded(name, codec, value)
    if encoded is None and value is None:
        return []
    pairs: List[str] = []
    for field, texts, between in pairs_of(name, encoded, style, exploded):
        # A comma stays as it is: it is between the texts, and not of them.
        joined = (between if between == "," else percent_encoded(between)).join(map(percent_encoded, texts))
        pairs.append(f"{percent_encoded(field)}={joined}")
    return pairs


def _encoded(name: str, codec: Codec[T], value: Optional[T]) -> Any:
    if value is None:
        return codec.encode(value) if codec.accepts(None) else None  # type: ignore[arg-type]
    try:
        return codec.encode(value)
    except InvalidRequestError as error:
        raise InvalidRequestError(error.reason, f"{name}{error.path}") from None
`;
