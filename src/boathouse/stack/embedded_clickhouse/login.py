"""Who asks: one user and its password, given in any of the ways that ClickHouse takes."""

import base64
import binascii
import hmac
from collections.abc import Mapping

from boathouse.stack.embedded_clickhouse.errors import ClickHouseError, refused_login


def check_login(user: str, password: str, headers: Mapping[str, str], parameters: Mapping[str, str]) -> None:
    """Raise unless the request is the user's. All is compared, whatever differs, so that time tells nothing."""
    given_user, given_password = _given(headers, parameters)
    same_user = hmac.compare_digest(given_user.encode(), user.encode())
    same_password = hmac.compare_digest(given_password.encode(), password.encode())
    if not (same_user and same_password):
        raise refused_login(given_user or "default")


def _given(headers: Mapping[str, str], parameters: Mapping[str, str]) -> tuple[str, str]:
    if "x-clickhouse-user" in headers or "x-clickhouse-key" in headers:
        if "authorization" in headers or "user" in parameters or "password" in parameters:
            raise _twice()
        return headers.get("x-clickhouse-user", "default"), headers.get("x-clickhouse-key", "")
    if "authorization" in headers:
        if "user" in parameters or "password" in parameters:
            raise _twice()
        return _basic(headers["authorization"])
    return parameters.get("user", "default"), parameters.get("password", "")


def _basic(header: str) -> tuple[str, str]:
    kind, _, value = header.partition(" ")
    if kind.lower() != "basic":
        raise ClickHouseError(
            516, "AUTHENTICATION_FAILED", "Invalid authentication: '***' HTTP Authorization scheme is not supported"
        )
    try:
        user, _, password = base64.b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        raise refused_login("default") from None
    return user, password


def _twice() -> ClickHouseError:
    return ClickHouseError(
        516,
        "AUTHENTICATION_FAILED",
        "Invalid authentication: it is not allowed to use more than one way to log in at once",
    )
