"""Speaking to the members: one of them at a time, another when that one does not answer.

What goes wrong is told apart by what it means for a commit: `NotSent` (nothing can have happened), `Lost` (it may have),
or an error of the catalog, which is etcd's last word: nothing happened, and asking again would not help.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, cast

import grpc
import grpc.aio

from boathouse.catalog.errors import TooLarge
from boathouse.catalog.store.etcd.address import EtcdAddress, Tls
from boathouse.catalog.store.etcd.messages_pb2 import (
    AuthenticateRequest,
    AuthenticateResponse,
    Header,
    RangeRequest,
    RangeResponse,
    StatusRequest,
    StatusResponse,
    TxnRequest,
    TxnResponse,
)
from boathouse.kit.errors import Unavailable

# A new leader is there 1 to 2 s after the old one fell silent; whoever waits longer waits for nothing.
BRIDGE_SECONDS = 6.0
ATTEMPT_SECONDS = 1.5
_PAUSE_SECONDS = 0.05
_OPTIONS = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    # The default waits up to two minutes before it tries a member again that was away.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 500),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
)
# gRPC's words for a connection that never came about; it has no code of its own for that.
_NO_CONNECTION = ("failed to connect to all addresses", "connections to all backends failing", "resolution failed")
_STALE_TOKEN = ("invalid auth token", "revision of auth store is old")
_TOO_LARGE = ("request is too large", "too many operations")


class NotSent(Exception):  # noqa: N818 - a state of affairs inside the store, not an error of the catalog
    """The request did nothing, and may be sent again."""


class Lost(Exception):  # noqa: N818 - likewise
    """No answer came: the request may have been carried out, or may yet be."""


class _Message(Protocol):
    def SerializeToString(self) -> bytes: ...  # noqa: N802 - protobuf's name


class _Answer(Protocol):
    @property
    def header(self) -> Header: ...


Question = TypeVar("Question", bound=_Message)
Answer = TypeVar("Answer", bound=_Answer)


@dataclass(frozen=True)
class Method(Generic[Question, Answer]):
    path: str
    read: Callable[[bytes], Answer]


RANGE = Method[RangeRequest, RangeResponse]("/etcdserverpb.KV/Range", RangeResponse.FromString)
TXN = Method[TxnRequest, TxnResponse]("/etcdserverpb.KV/Txn", TxnResponse.FromString)
STATUS = Method[StatusRequest, StatusResponse]("/etcdserverpb.Maintenance/Status", StatusResponse.FromString)
_AUTHENTICATE = Method[AuthenticateRequest, AuthenticateResponse](
    "/etcdserverpb.Auth/Authenticate", AuthenticateResponse.FromString
)


class Connection:
    """Opened at the first request, because gRPC binds a channel to the event loop that made it."""

    def __init__(self, address: EtcdAddress) -> None:
        self.endpoints = address.endpoints
        self._tls = address.tls
        self._credentials = address.credentials
        self._token: str | None = None
        self._signing_in = asyncio.Lock()
        self._channels: dict[str, grpc.aio.Channel] = {}
        self._closed = False
        self._current = 0
        self.term = 0
        self.elections = 0
        """Seen since the connection was made: how often an answer came from a later term than the one before."""

    async def ask(self, method: Method[Question, Answer], question: Question) -> Answer:
        """Ask what may be asked any number of times, until one of the members answers."""
        deadline = bridge()
        while True:
            try:
                return await self.attempt(method, question)
            except (NotSent, Lost) as error:
                await self.pause(deadline, error)

    async def attempt(self, method: Method[Question, Answer], question: Question) -> Answer:
        """Ask one member, once. If it does not answer, the next attempt goes to another."""
        chosen = self._current
        try:
            token = await self._sign_in(self.endpoints[chosen])
            return await self._send(self.endpoints[chosen], method, question, token)
        except (NotSent, Lost):
            # Of many that fail together only the first moves on.
            if self._current == chosen:
                self._current = (chosen + 1) % len(self.endpoints)
            raise

    async def ask_member(self, endpoint: str, method: Method[Question, Answer], question: Question) -> Answer:
        """Ask this very member, once."""
        return await self._send(endpoint, method, question, await self._sign_in(endpoint))

    async def pause(self, deadline: float, error: Exception) -> None:
        """Wait a moment before the next attempt, or say that there is none."""
        if asyncio.get_running_loop().time() > deadline:
            raise Unavailable(f"The catalog's store gives no answer: {error}.", hint="Try again.") from error
        await asyncio.sleep(_PAUSE_SECONDS)

    async def close(self) -> None:
        self._closed = True
        for channel in self._channels.values():
            await channel.close(grace=None)

    async def _sign_in(self, endpoint: str) -> str | None:
        if self._credentials is None or self._token is not None:
            return self._token
        async with self._signing_in:
            if self._token is None:
                question = AuthenticateRequest(name=self._credentials.user, password=self._credentials.password)
                try:
                    self._token = (await self._send(endpoint, _AUTHENTICATE, question, None)).token
                except Lost as error:
                    raise NotSent(str(error)) from error
            return self._token

    async def _send(
        self, endpoint: str, method: Method[Question, Answer], question: Question, token: str | None
    ) -> Answer:
        if self._closed:
            raise Unavailable("The catalog is shutting down.", hint="Try again.")
        call = self._channel(endpoint).unary_unary(
            method.path, request_serializer=_serialized, response_deserializer=method.read
        )
        metadata = (("token", token),) if token else None
        try:
            answer = cast(Answer, await call(question, timeout=ATTEMPT_SECONDS, metadata=metadata))
        except grpc.aio.AioRpcError as error:
            raise self._meaning(error, endpoint, token) from error
        self._see(answer.header.raft_term)
        return answer

    def _channel(self, endpoint: str) -> grpc.aio.Channel:
        if endpoint not in self._channels:
            self._channels[endpoint] = _open(endpoint, self._tls)
        return self._channels[endpoint]

    def _see(self, term: int) -> None:
        if term > self.term:
            self.elections += self.term > 0
            self.term = term

    def _meaning(self, error: grpc.aio.AioRpcError, endpoint: str, token: str | None) -> Exception:
        code, details = error.code(), error.details() or ""
        said = f"{endpoint} says {details!r} ({code.name})"
        if token is not None and any(words in details for words in _STALE_TOKEN):
            if self._token == token:
                self._token = None
            return NotSent(said)
        return _meaning(code, details, said)


def bridge() -> float:
    """Until when a request that begins now is tried again."""
    return asyncio.get_running_loop().time() + BRIDGE_SECONDS


def _meaning(code: grpc.StatusCode, details: str, said: str) -> Exception:
    if any(words in details for words in _TOO_LARGE):
        return TooLarge(f"etcd refuses the commit: {said}.", hint="Change fewer tables in one transaction.")
    if any(words in details for words in (*_NO_CONNECTION, "too many requests")):
        return NotSent(said)
    refusals = {
        grpc.StatusCode.UNAUTHENTICATED: "Add user=NAME to the store's address.",
        grpc.StatusCode.PERMISSION_DENIED: "Grant the store's user read and write of its root in etcd.",
        grpc.StatusCode.INVALID_ARGUMENT: "Mend the user or password of the store's address.",
        grpc.StatusCode.FAILED_PRECONDITION: "See to the etcd cluster.",
        grpc.StatusCode.RESOURCE_EXHAUSTED: "Give etcd more space (quota-backend-bytes), compact and defragment it.",
        grpc.StatusCode.OUT_OF_RANGE: "The revision is compacted; begin again.",
        grpc.StatusCode.UNIMPLEMENTED: "The address must be that of an etcd of version 3.4 or later.",
    }
    return Unavailable(f"etcd refuses: {said}.", hint=refusals[code]) if code in refusals else Lost(said)


def _serialized(message: _Message) -> bytes:
    return message.SerializeToString()


def _open(endpoint: str, tls: Tls | None) -> grpc.aio.Channel:
    if tls is None:
        return grpc.aio.insecure_channel(endpoint, options=_OPTIONS)
    credentials = grpc.ssl_channel_credentials(tls.ca, tls.key, tls.cert)
    return grpc.aio.secure_channel(endpoint, credentials, options=_OPTIONS)
