"""What goes wrong on the way to the control plane, or there, as errors of our own."""

import ssl
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final

import httpx
import orjson

from boathouse.client.addresses import is_loopback
from boathouse.kit.errors import (
    BoathouseError,
    Cancelled,
    ConfigurationError,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Unauthenticated,
    Unavailable,
    WorkFailed,
)

_KINDS: Final = {
    kind.code: kind
    for kind in (
        InvalidInput,
        ConfigurationError,
        Unauthenticated,
        Forbidden,
        NotFound,
        Conflict,
        WorkFailed,
        Unavailable,
        Cancelled,
    )
}
# What has a code that is not in the tree is of the kind that its status says.
_BY_STATUS: Final[dict[int, type[BoathouseError]]] = {429: Unavailable, 500: WorkFailed}


class NoAnswerInTime(Unavailable):
    """Not tried again: who has waited so long will not wait as long once more."""

    retryable = False


@contextmanager
def reported(url: str) -> Generator[None]:
    """Let nothing of httpx out."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise NoAnswerInTime(
            f"The control plane at {url} does not answer in time.", hint="It may be overloaded or hang: see its log."
        ) from error
    except httpx.ConnectError as error:
        raise _unreached(url, error) from error
    except httpx.TransportError as error:
        raise Unavailable(
            f"The connection to the control plane at {url} broke: {error or type(error).__name__}.",
            hint="Whether a change was made is not known: look before you repeat it.",
        ) from error


def refusal(response: httpx.Response) -> BoathouseError:
    """The server's own words, as the kind of error that it means. The response must have been read."""
    told = _told(response)
    if told is None:
        return _not_ours(response)
    kind = _KINDS.get(told["code"]) or _BY_STATUS.get(response.status_code, InvalidInput)
    return kind(told["message"], hint=_hint(response, told))


def not_understood(url: str) -> InvalidInput:
    return InvalidInput(
        f"What answers at {url} is not a control plane that this client understands.",
        hint="Check the address, and that server and client are of about the same version.",
    )


def _hint(response: httpx.Response, told: dict[str, Any]) -> str | None:
    hint: str | None = told.get("hint")
    if response.status_code == 401 and "Authorization" in response.request.headers:
        return "`boathouse login URL` makes a new token; the local lakehouse's is renewed by `boathouse down` and `up`."
    if response.status_code >= 500 and told.get("request_id"):
        return f"{hint or 'See the log of the server.'} The request id is {told['request_id']}."
    return hint


def _told(response: httpx.Response) -> dict[str, Any] | None:
    try:
        told = orjson.loads(response.content)["error"]
        return told if isinstance(told["code"], str) and isinstance(told["message"], str) else None
    except (ValueError, KeyError, TypeError):
        return None


def _not_ours(response: httpx.Response) -> BoathouseError:
    """A proxy's answer, or that of something else altogether."""
    root = f"{response.url.scheme}://{response.url.netloc.decode()}"
    if response.status_code < 500:
        return not_understood(root)
    return Unavailable(
        f"{root} answers with status {response.status_code}.", hint="See whether the control plane runs."
    )


def _unreached(url: str, error: httpx.ConnectError) -> BoathouseError:
    if _about_certificates(error):
        return ConfigurationError(
            f"The certificate of {url} is not trusted: {error}.",
            hint="Name the authority that signed it in the variable SSL_CERT_FILE.",
        )
    return Unavailable(
        f"Nobody answers at {url}: {error}.",
        hint="Start it with `boathouse up`, or check the address."
        if is_loopback(url)
        else "Check the address, and that the control plane runs there and can be reached from here.",
    )


def _about_certificates(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
