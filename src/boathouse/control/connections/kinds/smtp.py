"""A mail server, by SMTP."""

import socket
import ssl
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import ClassVar, Literal, Self

import aiosmtplib
from pydantic import EmailStr, Field, model_validator

from boathouse.control.connections.calls import refuse_in_clear
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.steps import SECONDS, Step, reach
from boathouse.control.database.base import now
from boathouse.kit.errors import Forbidden, InvalidInput, Unavailable


class SmtpConfig(Config):
    host: str = Field(min_length=1, max_length=255)
    port: int = Field(default=587, ge=1, le=65535)
    security: Literal["none", "starttls", "tls"] = Field(
        default="starttls", description="`tls` from the first byte on."
    )
    user: str | None = Field(default=None, min_length=1, max_length=200)
    sender: EmailStr = Field(description="Whom messages come from.")
    authority: str | None = Field(
        default=None,
        max_length=100_000,
        description="PEM of who signed its certificate. Left out: who signs in public.",
    )
    test_to: EmailStr | None = Field(default=None, description="Whom a test of the connection sends a message, if any.")

    @model_validator(mode="after")
    def _authority_is_one(self) -> Self:
        if self.authority is not None:
            try:
                ssl.create_default_context(cadata=self.authority)
            except ssl.SSLError:
                raise ValueError("authority is not a certificate in PEM") from None
        return self


class Smtp(Kind):
    name = "smtp"
    title = "Mail server"
    config = SmtpConfig
    secrets: ClassVar = {"password": "The user's password."}
    harmless: ClassVar = frozenset({"sender", "test_to", "user"})

    def steps(self, config: SmtpConfig, secrets: Mapping[str, str]) -> list[Step]:
        async def greet() -> str:
            async with _greeted(config) as client:
                told = client.last_ehlo_response
                return f"It answers: {told.message.partition(chr(10))[0][:100] if told else 'it is there'}."

        async def encrypt() -> str:
            async with _encrypted(config):
                return "What is sent to it is encrypted."

        async def log_in() -> str:
            async with _logged_in(config, secrets):
                return f"{config.user} is logged in."

        async def send_one() -> str:
            return await send(config, secrets, _test_message(config))

        steps = [*reach(config.host, config.port), Step("greet it", greet)]
        steps += [Step("encrypt", encrypt)] if config.security != "none" else []
        steps += [Step("log in", log_in)] if config.user else []
        return [*steps, Step("send a message", send_one)] if config.test_to else steps


async def send(config: SmtpConfig, secrets: Mapping[str, str], message: EmailMessage) -> str:
    """What became of it; an error unless at least one recipient was taken."""
    async with _logged_in(config, secrets) as client:
        refused, said = await client.send_message(message)
    but = f", but not for {', '.join(sorted(refused))}" if refused else ""
    return f"The mail server took it{but}: {said.strip().partition(chr(10))[0][:300].rstrip('.')}."


@asynccontextmanager
async def _greeted(config: SmtpConfig) -> AsyncGenerator[aiosmtplib.SMTP]:
    client = aiosmtplib.SMTP(
        hostname=config.host,
        port=config.port,
        # Asking for the whole name would wait for a name server.
        local_hostname=socket.gethostname(),
        timeout=SECONDS,
        use_tls=config.security == "tls",
        start_tls=False,
        tls_context=_context(config) if config.security == "tls" else None,
    )
    try:
        with _translated():
            await client.connect()
            await client.ehlo()
            yield client
            await client.quit()
    finally:
        client.close()


@asynccontextmanager
async def _encrypted(config: SmtpConfig) -> AsyncGenerator[aiosmtplib.SMTP]:
    async with _greeted(config) as client:
        if config.security == "starttls":
            await client.starttls(tls_context=_context(config))
        yield client


@asynccontextmanager
async def _logged_in(config: SmtpConfig, secrets: Mapping[str, str]) -> AsyncGenerator[aiosmtplib.SMTP]:
    async with _encrypted(config) as client:
        if config.user is not None:
            host = f"[{config.host}]" if ":" in config.host else config.host
            refuse_in_clear(f"smtp://{host}", encrypted=config.security != "none")
            await client.login(config.user, secrets.get("password", ""))
        yield client


@contextmanager
def _translated() -> Generator[None]:
    try:
        yield
    except aiosmtplib.SMTPAuthenticationError as error:
        raise Forbidden(f"The login is refused: {_said(error)}.", hint="Check user and password.") from error
    except aiosmtplib.SMTPRecipientsRefused as error:
        refused = "; ".join(f"{one.recipient}: {_said(one)}" for one in error.recipients)
        raise Unavailable(f"No recipient is taken: {refused}.", hint="Check the addresses.") from error
    except (aiosmtplib.SMTPException, OSError) as error:
        raise Unavailable(
            f"The mail server does not go along: {_said(error)}.",
            hint="Check port and security: 587 is mostly starttls, 465 tls. A certificate of your own needs `authority`.",
        ) from error
    except ValueError as error:
        # Such as an address that only a server with SMTPUTF8 could take.
        raise InvalidInput(f"The message cannot be sent: {error}.", hint="Check the addresses.") from error


def _context(config: SmtpConfig) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=config.authority)


def _said(error: Exception) -> str:
    text = error.message if isinstance(error, aiosmtplib.SMTPResponseException) else str(error)
    return text.strip().partition("\n")[0][:300].rstrip(".") or type(error).__name__


def _test_message(config: SmtpConfig) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = config.sender, config.test_to, "A test of Boathouse"
    message["Date"], message["Message-ID"] = format_datetime(now()), make_msgid(domain=domain_of(config.sender))
    message.set_content("This mail server can be used.\n")
    return message


def domain_of(address: str) -> str:
    return address.rpartition("@")[2]
