/** `_transport.py`: requests over HTTP with a deadline for the whole of them. */
export const transportModule: string = String.raw`"""How requests travel. Another way is any callable that takes an HttpRequest and gives an HttpResponse."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import time
from dataclasses import dataclass, field
from typing import Callable, Mapping, Optional, Union, cast
from urllib.parse import urlsplit

from .errors import ConnectionFailedError, RequestTimeoutError


@dataclass(frozen=True)
class HttpRequest:
    """What is sent."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: Optional[bytes] = field(repr=False)
    #: Seconds for all of it, from the connection to the last byte of the answer.
    timeout: float


@dataclass(frozen=True)
class HttpResponse:
    """What came back."""

    status: int
    #: Names in lower case. Several of one name are joined by commas.
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


Transport = Callable[[HttpRequest], HttpResponse]


class HttpTransport:
    """The transport that is used where no other is given: one connection for each request, redirects are not followed."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self._ssl_context = ssl_context

    def __call__(self, request: HttpRequest) -> HttpResponse:
        deadline = time.monotonic() + request.timeout
        connection = self._connection_to(request)
        try:
            connection.connect()
            connection.sock.settimeout(_seconds_until(deadline))
            target = request.url.split("/", 3)[3] if request.url.count("/") > 2 else ""
            connection.putrequest(request.method, f"/{target}", skip_accept_encoding=True)
            for name, value in request.headers.items():
                connection.putheader(name, value)
            connection.putheader("Connection", "close")
            if request.body is not None or request.method in ("POST", "PUT", "PATCH"):
                connection.putheader("Content-Length", str(len(request.body or b"")))
            connection.endheaders(request.body)
            return _response_from(connection.sock, request.method, deadline)
        except socket.timeout:
            raise RequestTimeoutError(f"no answer within {request.timeout:g} seconds") from None
        except (OSError, http.client.HTTPException) as error:
            raise ConnectionFailedError(f"the request failed: {error or type(error).__name__}") from error
        finally:
            connection.close()

    def _connection_to(self, request: HttpRequest) -> Union[http.client.HTTPConnection, http.client.HTTPSConnection]:
        address = urlsplit(request.url)
        host = address.hostname or ""
        if address.scheme == "https":
            context = self._ssl_context or ssl.create_default_context()
            return http.client.HTTPSConnection(host, address.port, timeout=request.timeout, context=context)
        return http.client.HTTPConnection(host, address.port, timeout=request.timeout)


def _response_from(sock: socket.socket, method: str, deadline: float) -> HttpResponse:
    # All that a response wants of its socket is a file to read from: this one knows the deadline, so that an
    # answer that comes byte by byte does not take for ever.
    response = http.client.HTTPResponse(cast(socket.socket, _DeadlineSocket(sock, deadline)), method=method)
    try:
        response.begin()
        body = response.read()
        headers = {
            name.lower(): ", ".join(response.headers.get_all(name) or []) for name in set(response.headers.keys())
        }
        return HttpResponse(response.status, headers, body)
    finally:
        response.close()


class _DeadlineSocket:
    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock = sock
        self._deadline = deadline

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_DeadlineReader(self._sock, self._deadline))


class _DeadlineReader(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock = sock
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:  # type: ignore[no-untyped-def] # The type of buffers differs between versions.
        self._sock.settimeout(_seconds_until(self._deadline))
        return self._sock.recv_into(buffer)


def _seconds_until(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise socket.timeout("the time is over")
    return seconds
`;
