"""Keys that end by themselves and reach one table only: from the token service that stands beside the store."""

import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import httpx

from boathouse.catalog.errors import Forbidden
from boathouse.catalog.storage.policy import session_policy
from boathouse.catalog.storage.s3_storage import S3Storage
from boathouse.catalog.storage.sigv4 import Keys, Unsigned, signed_headers
from boathouse.kit.errors import Unavailable

_FORM = {"content-type": "application/x-www-form-urlencoded"}
_REMEMBERED = 2_000
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_=,.@-]")


@dataclass(frozen=True)
class Scope:
    principal: str
    """For whom: the store's own log can tell them apart."""
    prefixes: tuple[str, ...]
    writes: bool


@dataclass(frozen=True)
class Session:
    keys: Keys
    expires: float


class Sessions:
    """Asks once for each scope, and gives the same keys to all who ask until half their time is over."""

    def __init__(self, storage: S3Storage, clock: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self._clock = clock
        self._open: OrderedDict[Scope, Session] = OrderedDict()
        self._http: httpx.AsyncClient | None = None

    async def get(self, scope: Scope) -> Session:
        session = self._open.get(scope)
        if session is None or session.expires - self._clock() < self._storage.session_seconds / 2:
            session = await self._assume(scope)
            self._open[scope] = session
        self._open.move_to_end(scope)
        while len(self._open) > _REMEMBERED:
            self._open.popitem(last=False)
        return session

    async def close(self) -> None:
        if self._http is not None:
            await self._http.aclose()

    async def _assume(self, scope: Scope) -> Session:
        keys = self._storage.keys
        if keys is None:
            raise Forbidden("The catalog has no keys of its own to obtain others with")
        body = urlencode(self._parameters(scope)).encode()
        url = f"{self._storage.token_service.rstrip('/')}/"
        request = Unsigned("POST", url, _FORM, sha256(body).hexdigest())
        headers = {**_FORM, **signed_headers(request, keys, self._storage.region, "sts", self._clock())}
        try:
            answer = await self._client().post(url, content=body, headers=headers)
        except httpx.HTTPError as error:
            raise Unavailable(
                f"The store's token service does not answer ({type(error).__name__}).", hint="Try again."
            ) from error
        return _session(answer)

    def _parameters(self, scope: Scope) -> dict[str, str]:
        storage = self._storage
        named = {"RoleArn": storage.role_arn, "ExternalId": storage.external_id}
        return {
            "Action": "AssumeRole",
            "Version": "2011-06-15",
            "RoleSessionName": f"b-{_NOT_IN_A_NAME.sub('_', scope.principal)}"[:64],
            "DurationSeconds": str(storage.session_seconds),
            "Policy": session_policy(storage.bucket, scope.prefixes, writes=scope.writes),
            **{name: value for name, value in named.items() if value},
        }

    def _client(self) -> httpx.AsyncClient:
        if self._http is None:
            self._http = httpx.AsyncClient(timeout=10, trust_env=False)
        return self._http


def _session(answer: httpx.Response) -> Session:
    """The keys in the answer. What else it says stays here: it may tell of the catalog's own keys."""
    try:
        found = {
            element.tag.rpartition("}")[2]: element.text or ""
            for element in ET.fromstring(answer.content).iter()  # noqa: S314 - our own store wrote it
        }
    except ET.ParseError:
        found = {}
    if answer.status_code >= 500:
        raise Unavailable(f"The store's token service failed ({answer.status_code}).", hint="Try again.")
    if not answer.is_success or not found.get("SessionToken"):
        raise Forbidden(
            f"The store's token service gives no keys for the table ({found.get('Code') or answer.status_code}). "
            "Check the warehouse's keys and role_arn"
        )
    keys = Keys(found["AccessKeyId"], found["SecretAccessKey"], found["SessionToken"])
    return Session(keys, datetime.fromisoformat(found["Expiration"]).timestamp())
