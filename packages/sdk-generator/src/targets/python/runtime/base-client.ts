/** `_base_client.py`: what the client of every API does alike. */
export const baseClientModule: string = String.raw`"""Credentials, sending, and reading of answers."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, TypeVar
from urllib.parse import urlsplit

from ._call import OperationCall, header_value, percent_encoded
from ._codec import Codec
from ._transport import HttpRequest, HttpResponse, HttpTransport, Transport
from .errors import ApiError, DecodeError, InvalidRequestError

T = TypeVar("T")


@dataclass(frozen=True)
class Scheme:
    """A way to show who calls: bearer, basic or apiKey."""

    kind: str
    place: str = "header"
    name: str = "Authorization"


class BaseClient:
    """Sends what operations put together."""

    def __init__(
        self,
        base_url: str,
        schemes: Mapping[str, Scheme],
        bearer_token: Optional[str],
        api_key: Optional[str],
        api_keys: Optional[Mapping[str, str]],
        basic_auth: Optional[Tuple[str, str]],
        timeout: float,
        headers: Optional[Mapping[str, str]],
        transport: Optional[Transport],
        user_agent: str,
    ) -> None:
        self._base_url = _checked_base_url(base_url)
        if not timeout > 0:
            raise ValueError("timeout must be a positive number of seconds")
        self._timeout = timeout
        self._headers = {"User-Agent": user_agent}
        for name, value in (headers or {}).items():
            if not re.fullmatch(r"[!#$%&'*+.^_|~0-9A-Za-z\x60-]+", name):
                raise InvalidRequestError("is no name of a header", repr(name))
            _set_header(self._headers, name, header_value(name, value))
        self._transport: Transport = transport or HttpTransport()
        for key in api_keys or {}:
            if key not in schemes or schemes[key].kind != "apiKey":
                raise ValueError(f"api_keys has {key!r}, but this API has no such key")
        self._credentials: Dict[str, Tuple[Scheme, str]] = {}
        for key, scheme in schemes.items():
            credential = None
            if scheme.kind == "bearer" and bearer_token is not None:
                credential = f"Bearer {bearer_token}"
            elif scheme.kind == "basic" and basic_auth is not None:
                if ":" in basic_auth[0]:
                    raise ValueError("the name of basic_auth must not have a colon")
                credential = f"Basic {base64.b64encode(':'.join(basic_auth).encode('utf-8')).decode('ascii')}"
            elif scheme.kind == "apiKey":
                credential = (api_keys or {}).get(key, api_key)
            if credential is not None:
                # Elsewhere it is escaped.
                checked = header_value(key, credential) if scheme.place == "header" else credential
                self._credentials[key] = (scheme, checked)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._base_url!r})"

    def _nothing(self, call: OperationCall) -> None:
        self._send(call, None)

    def _json(self, call: OperationCall, accept: str, codec: Codec[T]) -> T:
        return self._decoded(call, self._send(call, accept).body, codec)

    def _json_or_none(self, call: OperationCall, accept: str, codec: Codec[T]) -> Optional[T]:
        response = self._send(call, accept)
        return None if response.body == b"" else self._decoded(call, response.body, codec)

    def _text(self, call: OperationCall, accept: str) -> str:
        response = self._send(call, accept)
        charset = re.search(r'charset="?([\w.:-]+)', response.headers.get("content-type", ""), re.IGNORECASE)
        try:
            return response.body.decode(charset.group(1) if charset else "utf-8", "replace")
        except (LookupError, UnicodeError):
            return response.body.decode("utf-8", "replace")

    def _text_or_none(self, call: OperationCall, accept: str) -> Optional[str]:
        return self._text(call, accept) or None

    def _binary(self, call: OperationCall, accept: str) -> bytes:
        return self._send(call, accept).body

    def _binary_or_none(self, call: OperationCall, accept: str) -> Optional[bytes]:
        return self._send(call, accept).body or None

    def _decoded(self, call: OperationCall, body: bytes, codec: Codec[T]) -> T:
        operation = f"{call.method} {call.template}"
        try:
            return codec.decode(json.loads(body, parse_constant=_refuse_constant))
        except DecodeError as error:
            raise DecodeError(error.reason, error.path, operation) from None
        except RecursionError:
            raise DecodeError("it is nested too deeply", "", operation) from None
        except ValueError:
            raise DecodeError("it is not JSON", "", operation) from None

    def _send(self, call: OperationCall, accept: Optional[str]) -> HttpResponse:
        headers = dict(self._headers)
        if accept is not None:
            _set_header(headers, "Accept", accept)
        for name, value in call.headers.items():
            _set_header(headers, name, value)
        query, cookies = list(call.query), list(call.cookies)
        for scheme, credential in self._credentials_of(call.security):
            if scheme.place == "header":
                _set_header(headers, scheme.name, credential)
            else:
                target = query if scheme.place == "query" else cookies
                target.append(f"{percent_encoded(scheme.name)}={percent_encoded(credential)}")
        if cookies:
            _set_header(headers, "Cookie", "; ".join(cookies))
        url = f"{self._base_url}{call.path}{'?' + '&'.join(query) if query else ''}"
        response = self._transport(HttpRequest(call.method, url, headers, call.body, self._timeout))
        if not 200 <= response.status <= 299:
            raise ApiError(call.method, call.template, response.status, response.headers, response.body)
        return response

    def _credentials_of(self, security: Sequence[Sequence[str]]) -> List[Tuple[Scheme, str]]:
        for alternative in security:
            if all(key in self._credentials for key in alternative):
                return [self._credentials[key] for key in alternative]
        return []


def _set_header(headers: Dict[str, str], name: str, value: str) -> None:
    for other in [other for other in headers if other.lower() == name.lower()]:
        del headers[other]
    headers[name] = value


def _checked_base_url(base_url: str) -> str:
    address = urlsplit(base_url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise ValueError("base_url must be an absolute http or https URL")
    if address.username is not None or address.query or address.fragment or re.search(r"[^\x21-\x7e]", base_url):
        raise ValueError("base_url must have neither credentials, query, fragment, spaces nor other than ASCII characters")
    return base_url.rstrip("/")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
`;
