"""Requests to the control plane and their answers, the same for every noun."""

import ipaddress
import weakref
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import httpx
from pydantic import SecretStr, TypeAdapter, ValidationError
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential

from boathouse.client.answers import Answer
from boathouse.client.errors import not_understood, refusal, reported
from boathouse.client.events import Event, parsed, resumed
from boathouse.kit.errors import BoathouseError, InvalidInput

API = "/api/v1"
Query = Mapping[str, str | int | None]
Told = TypeVar("Told")
_PAGE = 500


class Page(Answer):
    items: list[Any]
    next: str | None = None


class Transport:
    """A connection to one control plane. What only reads is tried again when the server is away for a moment."""

    def __init__(self, url: str, token: SecretStr | None = None, *, timeout: float = 60.0) -> None:
        self.url = checked_url(url)
        self.http = httpx.Client(
            base_url=self.url + API,
            headers={"Authorization": f"Bearer {token.get_secret_value()}"} if token else {},
            timeout=timeout,
            # A proxy is for elsewhere.
            trust_env=not is_loopback(self.url),
        )
        # At the latest when nobody holds it any more: a command of one request need not think of it.
        weakref.finalize(self, self.http.close)

    def close(self) -> None:
        self.http.close()

    def get(self, path: str, answer: type[Told], query: Query | None = None) -> Told:
        return self._read(answer, _patiently()(self._sent, "GET", path, query=query))

    def ask(self, method: str, path: str, answer: type[Told], body: Any = None) -> Told:
        """A change, and what it is answered with. Sent once: a repeat might make the change twice."""
        return self._read(answer, self._sent(method, path, body=body))

    def tell(self, method: str, path: str, body: Any = None, *, query: Query | None = None) -> None:
        """A change that has no answer but that it is done."""
        self._sent(method, path, query=query, body=body)

    def pages(self, path: str, item: type[Told], query: Query | None = None) -> Iterator[Told]:
        """Every item of a list, a page at a time."""
        cursor: str | None = None
        form = TypeAdapter(item)
        while True:
            page = self.get(path, Page, {"limit": _PAGE, **(query or {}), "cursor": cursor})
            yield from (self._understood(form, one) for one in page.items)
            cursor = page.next
            if cursor is None:
                return

    def content(self, path: str, query: Query | None = None) -> Iterator[bytes]:
        """An answer as it comes, whatever its size."""
        with reported(self.url), self.http.stream("GET", path, params=_given(query)) as response:
            _refuse_unless_success(response)
            yield from response.iter_bytes()

    def stream(self, path: str, query: Query | None = None, *, until: str = "end") -> Iterator[Event]:
        """Server-sent events up to one of the kind `until`. A connection that drops is taken up where it broke."""
        return resumed(lambda place: self._events(path, query, place, until), until=until)

    def _events(self, path: str, query: Query | None, place: str | None, until: str) -> Iterator[Event]:
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": place} if place else {})
        with reported(self.url), self.http.stream("GET", path, params=_given(query), headers=headers) as response:
            _refuse_unless_success(response)
            if response.status_code == 204:
                # How a server says that there is nothing more to come.
                yield Event(kind=until)
            yield from parsed(response.iter_bytes())

    def _sent(self, method: str, path: str, *, query: Query | None = None, body: Any = None) -> httpx.Response:
        with reported(self.url):
            response = self.http.request(method, path, params=_given(query), json=body)
        if not response.is_success:
            raise refusal(response)
        return response

    def _read(self, answer: type[Told], response: httpx.Response) -> Told:
        try:
            return TypeAdapter(answer).validate_json(response.content)
        except ValidationError as error:
            raise not_understood(self.url) from error

    def _understood(self, form: TypeAdapter[Told], given: Any) -> Told:
        try:
            return form.validate_python(given)
        except ValidationError as error:
            raise not_understood(self.url) from error


def place(*parts: str) -> str:
    """A path below the API. Names come from people: none may lead elsewhere."""
    for part in parts:
        if part in {"", ".", ".."}:
            raise InvalidInput(f"{part!r} is not a name.", hint="Give the name as a listing shows it.")
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def checked_url(url: str) -> str:
    """Without a slash at its end; an error if it cannot be a server's address."""
    try:
        parts = urlsplit(url)
        whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        whole, parts = False, urlsplit("")
    if not whole or parts.query or parts.fragment:
        raise InvalidInput(f"{url!r} is not a server's address.", hint="Such as https://boathouse.example.org.")
    if parts.username or parts.password:
        raise InvalidInput(
            "An address may not hold a user or password: it is shown and kept where they must not be.",
            hint="Use `boathouse login`, which asks for them.",
        )
    return url.rstrip("/")


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _given(query: Query | None) -> dict[str, str | int]:
    return {name: value for name, value in (query or {}).items() if value is not None}


def _refuse_unless_success(response: httpx.Response) -> None:
    if not response.is_success:
        response.read()
        raise refusal(response)


def _patiently() -> Retrying:
    return Retrying(
        stop=stop_after_attempt(3),
        wait=wait_exponential(multiplier=0.2),
        retry=retry_if_exception(lambda error: isinstance(error, BoathouseError) and error.retryable),
        reraise=True,
    )
