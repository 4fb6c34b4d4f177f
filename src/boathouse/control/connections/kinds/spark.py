"""Spark, by Spark Connect."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar
from urllib.parse import urlsplit

import grpc
import grpc.aio
from google.protobuf.message import Message
from pydantic import AfterValidator, Field

from boathouse.control.connections.calls import refuse_in_clear
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.steps import SECONDS, Step, reach
from boathouse.kit.errors import BoathouseError, Forbidden, Unavailable
from boathouse.kit.ids import new_uuid

_DEFAULT_PORT = 15002
_SERVICE = "/spark.connect.SparkConnectService/"


def _checked(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme != "sc" or not parts.hostname or parts.username or parts.path.strip("/"):
        raise ValueError("must be sc://HOST:PORT, without anything behind it: a token is one of the secrets")
    _ = parts.port  # raises for one that is no number
    return value.rstrip("/")


class SparkConfig(Config):
    address: Annotated[str, AfterValidator(_checked)] = Field(description="Such as sc://spark.example.org:15002.")
    tls: bool = Field(default=False, description="Whether it is reached encrypted. Needed to send a token elsewhere.")
    user: str = Field(default="boathouse", min_length=1, max_length=200)


class Spark(Kind):
    name = "spark"
    title = "Spark Connect"
    config = SparkConfig
    secrets: ClassVar = {"token": "The server's token."}
    harmless: ClassVar = frozenset({"user"})

    def steps(self, config: SparkConfig, secrets: Mapping[str, str]) -> list[Step]:
        parts = urlsplit(config.address)
        target = f"{parts.hostname}:{parts.port or _DEFAULT_PORT}"

        async def ask_version() -> str:
            if "token" in secrets:
                refuse_in_clear(config.address, encrypted=config.tls)
            metadata = [("authorization", f"Bearer {secrets['token']}")] if "token" in secrets else []
            async with _channel(target, encrypted=config.tls) as channel:
                version = await _version(channel, config.user, metadata)
            return f"It is Spark {version}."

        return [*reach(parts.hostname or "", parts.port or _DEFAULT_PORT), Step("ask its version", ask_version)]


def _channel(target: str, *, encrypted: bool) -> grpc.aio.Channel:
    options = [("grpc.enable_http_proxy", 0)]
    if encrypted:
        return grpc.aio.secure_channel(target, grpc.ssl_channel_credentials(), options)
    return grpc.aio.insecure_channel(target, options)


async def _version(channel: grpc.aio.Channel, user: str, metadata: list[tuple[str, str]]) -> str:
    messages = await asyncio.to_thread(_messages)
    session = {"session_id": new_uuid(), "user_context": messages.UserContext(user_id=user)}
    question = messages.AnalyzePlanRequest(
        **session, client_type="boathouse", spark_version=messages.AnalyzePlanRequest.SparkVersion()
    )
    try:
        answer = await _method(channel, "AnalyzePlan", messages.AnalyzePlanResponse)(
            question, metadata=metadata, timeout=SECONDS
        )
        # The question opened a session, which the server would keep for an hour.
        await _method(channel, "ReleaseSession", messages.ReleaseSessionResponse)(
            messages.ReleaseSessionRequest(**session), metadata=metadata, timeout=SECONDS
        )
    except grpc.aio.AioRpcError as error:
        raise _refusal(error) from error
    return answer.spark_version.version


def _method(channel: grpc.aio.Channel, name: str, answer: Any) -> Any:
    return channel.unary_unary(_SERVICE + name, request_serializer=_bytes_of, response_deserializer=answer.FromString)


def _bytes_of(message: Message) -> bytes:
    return message.SerializeToString()


def _messages() -> Any:
    # Takes a second to import, and is not needed before somebody asks.
    from pyspark.sql.connect.proto import base_pb2

    return base_pb2


def _refusal(error: grpc.aio.AioRpcError) -> BoathouseError:
    reason = (error.details() or error.code().name).partition("\n")[0][:300].rstrip(".")
    if error.code() in {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED}:
        return Forbidden(f"The login is refused: {reason}.", hint="Check the token.")
    return Unavailable(
        f"Spark Connect does not answer: {reason}.", hint="Is it a Spark Connect server, and does it want TLS?"
    )
