"""Webhooks and mail servers as connections, tested step by step against real ones."""

import socket
from typing import Any

import pytest

from boathouse.control.connections.kinds import KINDS
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.test_connection_kinds import failed, outcome_of
from tests.receivers import PASSWORD, SECRET, Mailbox, mail_server, webhook_receiver

CONNECTIONS = "/workspaces/north/connections"


def mail_config(mailbox: Mailbox, **more: object) -> dict[str, object]:
    return {
        "host": "127.0.0.1",
        "port": mailbox.port,
        "user": "harbour",
        "sender": "boathouse@harbour.org",
        "authority": mailbox.authority,
        **more,
    }


class TestWebhook:
    async def test_a_signed_event_is_sent(self) -> None:
        with webhook_receiver() as receiver:
            outcome = await outcome_of("webhook", {"url": receiver.url}, secret=SECRET)
            assert outcome.ok, outcome
            assert [step.name for step in outcome.steps] == ["find the host", "reach it", "send a signed event"]
            assert receiver.types == ["test"]

    @pytest.mark.parametrize(
        ("status", "said"), [(500, "answered 500: no: …"), (302, "a redirect, which is not followed")]
    )
    async def test_a_refusal_is_passed_on_without_the_secret_and_a_redirect_is_not_followed(
        self, status: int, said: str
    ) -> None:
        with webhook_receiver() as receiver:
            receiver.answers = [status]
            step, message = failed(await outcome_of("webhook", {"url": receiver.url}, secret=SECRET))
            assert step == "send a signed event"
            assert said in message
            assert SECRET not in message
            assert len(receiver.got) == 1

    async def test_without_a_secret_nothing_is_sent(self) -> None:
        with webhook_receiver() as receiver:
            assert "16 to 64 bytes" in failed(await outcome_of("webhook", {"url": receiver.url}))[1]
            assert receiver.got == []

    @pytest.mark.parametrize("url", ["ftp://h/x", "https://", "https://ann:pw@h/x", "nowhere"])
    def test_an_address_that_is_none_is_refused(self, url: str) -> None:
        with pytest.raises(ValueError, match="validation error"):
            KINDS["webhook"].config.model_validate({"url": url})

    async def test_a_secret_that_cannot_sign_is_refused_when_it_is_given(self, control: ControlPlane) -> None:
        await control.workspace("north")
        given = {"name": "hook", "kind": "webhook", "config": {"url": "https://h/x"}, "secrets": {"secret": "short"}}
        error = await control.admin.post(CONNECTIONS, given, status=400)
        assert "16 to 64 bytes in base 64" in error["message"]
        await control.admin.post(CONNECTIONS, {**given, "secrets": {"secret": SECRET}})


class TestSmtp:
    @pytest.mark.parametrize("security", ["starttls", "tls", "none"])
    async def test_step_by_step_with_a_login_and_a_message(self, security: str) -> None:
        with mail_server(security) as mailbox:
            config = mail_config(mailbox, security=security, test_to="ann@harbour.org")
            outcome = await outcome_of("smtp", config, password=PASSWORD)
            assert outcome.ok, outcome
            encrypt = [] if security == "none" else ["encrypt"]
            assert [step.name for step in outcome.steps[2:]] == ["greet it", *encrypt, "log in", "send a message"]
            assert [message["To"] for message in mailbox.got] == ["ann@harbour.org"]

    async def test_a_wrong_password_is_said_and_not_repeated(self) -> None:
        with mail_server() as mailbox:
            step, message = failed(await outcome_of("smtp", mail_config(mailbox), password="a-wrong-one"))
        assert (step, message.partition(":")[0]) == ("log in", "The login is refused")
        assert "a-wrong-one" not in message

    async def test_a_certificate_that_nobody_we_know_signed_is_refused(self) -> None:
        for security, at in (("starttls", "encrypt"), ("tls", "greet it")):
            with mail_server(security) as mailbox:
                config = mail_config(mailbox, security=security, authority=None)
                step, message = failed(await outcome_of("smtp", config, password=PASSWORD))
            assert step == at
            assert "certificate" in message.lower()

    async def test_a_server_without_encryption_is_not_taken_for_one_with(self) -> None:
        with mail_server("none") as mailbox:
            assert failed(await outcome_of("smtp", mail_config(mailbox), password=PASSWORD))[0] == "encrypt"

    async def test_a_password_is_not_sent_in_clear_to_another_machine(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with mail_server("none") as mailbox:
            # The same machine, by a name that does not say so.
            resolve = socket.getaddrinfo

            def found(host: str, *more: Any, **named: Any) -> Any:
                return resolve("127.0.0.1", *more, **named)

            monkeypatch.setattr(socket, "getaddrinfo", found)
            config = mail_config(mailbox, host="mail.example.org", security="none", authority=None)
            step, message = failed(await outcome_of("smtp", config, password=PASSWORD))
        assert step == "log in"
        assert "in clear" in message

    @pytest.mark.parametrize(
        "change",
        [
            {"sender": "no address"},
            {"sender": "a@harbour.org\nBcc: b@x.org"},
            {"authority": "none"},
            {"security": "ssl"},
        ],
    )
    def test_what_makes_no_sense_is_refused(self, change: dict[str, object]) -> None:
        config = {"host": "h", "sender": "a@harbour.org", **change}
        with pytest.raises(ValueError, match="validation error"):
            KINDS["smtp"].config.model_validate(config)
