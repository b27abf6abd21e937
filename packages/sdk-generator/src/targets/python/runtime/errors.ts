/** `errors.py`: everything that a call raises. */
export const errorsModule: string = String.raw`"""What a call raises. Everything is an SdkError."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional


class SdkError(Exception):
    """What all errors of this library have in common."""


class ApiError(SdkError):
    """The server answered, but not with success: any status outside of 200 to 299, redirects among them."""

    def __init__(self, method: str, path: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
        super().__init__(method, path, status, headers, body)
        self.method = method
        #: The template of the path: values are left out, since they may be secret.
        self.path = path
        self.status = status
        #: Names in lower case.
        self.headers = headers
        self.body = body

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")

    @property
    def json(self) -> Optional[Any]:
        """The body as parsed JSON; None where it is something else."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    def __str__(self) -> str:
        return f"{self.method} {self.path} was answered with status {self.status}"


class ConnectionFailedError(SdkError, ConnectionError):
    """No answer came: the name is unknown, the connection was refused or broken, or TLS failed."""


class RequestTimeoutError(SdkError, TimeoutError):
    """The answer was not there in time."""


class InvalidRequestError(SdkError, ValueError):
    """A value cannot be sent. Nothing was."""

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(reason, path)
        self.reason = reason
        #: Where it stands, such as body.tags[2].
        self.path = path

    def __str__(self) -> str:
        return f"{self.path.lstrip('.')}: {self.reason}" if self.path else self.reason


class DecodeError(SdkError, ValueError):
    """A good answer is not what the description says."""

    def __init__(self, reason: str, path: str = "", operation: str = "") -> None:
        super().__init__(reason, path, operation)
        self.reason = reason
        #: Where in the answer, such as .pets[0].name; empty for the whole.
        self.path = path
        #: Method and template of the path; empty where no call is behind it.
        self.operation = operation

    def __str__(self) -> str:
        place = f"the answer to {self.operation}" if self.operation else "the value"
        return f"{place}{f' at {self.path}' if self.path else ''}: {self.reason}"
`;
