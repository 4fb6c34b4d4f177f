"""Deliveries: to a real receiver and a real mail server, tried again while those are away, each with one courier at a time."""

import asyncio
from collections.abc import Generator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from boathouse.control.connections.service import Connections
from boathouse.control.database.base import now
from boathouse.control.notifications import courier as couriers
from boathouse.control.notifications.courier import DELAYS, Courier
from boathouse.control.notifications.models import Delivery
from boathouse.control.vault import Keyring, Vault
from tests.behaviour.control.control_plane import ControlPlane, Json
from tests.behaviour.control.test_notifications import NOTIFICATIONS, hook, mail, rule, run_once
from tests.behaviour.control.work import Work
from tests.receivers import PASSWORD, SECRET, Mailbox, Receiver, mail_server, webhook_receiver

PATIENCE = 120


@pytest.fixture
def receiver() -> Generator[Receiver]:
    with webhook_receiver() as receiver:
        yield receiver


@pytest.fixture
async def work(control: ControlPlane, receiver: Receiver) -> Work:
    """With a run that failed, of which the rule `all` is to tell."""
    await control.workspace("north")
    await hook(control, receiver.url)
    work = Work(control)
    await rule(work)
    await work.job()
    await run_once(work, error="no oars")
    return work


def courier(work: Work, **more: Any) -> Courier:
    return Courier(work.database, lambda: work.control.app.state.connections, **more)


async def deliveries(work: Work, name: str = "all") -> list[Json]:
    return (await work.caller.get(f"{NOTIFICATIONS}/{name}/deliveries"))["items"]


async def let_delays_end(work: Work) -> None:
    async with work.database.changing() as session:
        await session.execute(update(Delivery).values(try_at=now() - timedelta(seconds=1)))


async def test_an_event_is_sent_signed_and_once(work: Work, receiver: Receiver) -> None:
    sender = courier(work, public_url="https://boathouse.example.org")
    assert [await sender.deliver_next() for _ in range(2)] == [True, False]
    ((message_id, body),) = receiver.got
    (delivery,) = await deliveries(work)
    assert (delivery["id"], delivery["state"], delivery["tries"]) == (message_id, "sent", 1)
    assert (delivery["answer"], delivery["ended_at"] is not None) == ("It answered 204.", True)
    run = body["data"].pop("run")
    assert run.pop("url") == f"https://boathouse.example.org/w/north/runs/{run['id']}"
    assert delivery["body"] == {**body, "data": {**body["data"], "run": run}}


async def test_what_is_refused_is_tried_again_later_with_the_same_id(work: Work, receiver: Receiver) -> None:
    receiver.answers = [500, 302]
    sender = courier(work)
    for tries in (1, 2):
        assert await sender.deliver_next()
        assert not await sender.deliver_next(), "it has to wait first"
        (delivery,) = await deliveries(work)
        assert (delivery["state"], delivery["tries"]) == ("waiting", tries)
        await let_delays_end(work)
    assert "redirect" in delivery["answer"]
    assert await sender.deliver_next()
    (delivery,) = await deliveries(work)
    assert (delivery["state"], delivery["tries"]) == ("sent", 3)
    assert {message_id for message_id, _ in receiver.got} == {delivery["id"]}


async def test_it_waits_longer_each_time_and_then_gives_up(work: Work, receiver: Receiver) -> None:
    receiver.answers = [500] * 20
    sender = courier(work)
    waits: list[float] = []
    for _ in range(len(DELAYS) + 1):
        assert await sender.deliver_next()
        async with work.database.reading() as session:
            waits.append(((await session.get_one(Delivery, receiver.got[0][0])).try_at - now()).total_seconds())
        await let_delays_end(work)
    assert waits[:-1] == sorted(waits[:-1])
    assert waits[0] < 60
    assert waits[-2] > 3600
    (delivery,) = await deliveries(work)
    assert (delivery["state"], delivery["tries"]) == ("given-up", 10)
    assert "answered 500" in delivery["answer"]
    assert SECRET not in delivery["answer"]
    assert not await sender.deliver_next()


async def test_nobody_there_is_an_answer_too(work: Work) -> None:
    elsewhere = {"config": {"url": "http://127.0.0.1:1/"}, "secrets": {"secret": SECRET}}
    await work.caller.ask("PATCH", "/workspaces/north/connections/hook", elsewhere)
    await courier(work).deliver_next()
    (delivery,) = await deliveries(work)
    assert delivery["state"] == "waiting"
    assert "does not answer" in delivery["answer"]


async def test_of_several_couriers_one_sends_each(work: Work, receiver: Receiver) -> None:
    for _ in range(9):
        await run_once(work, error="no oars")

    async def until_none(sender: Courier) -> None:
        while await sender.deliver_next():
            pass

    await asyncio.gather(*(until_none(courier(work)) for _ in range(4)))
    ids = [message_id for message_id, _ in receiver.got]
    assert (len(ids), len(set(ids))) == (10, 10)
    assert {one["state"] for one in await deliveries(work)} == {"sent"}


async def test_one_whose_courier_died_is_sent_by_another_and_the_dead_one_says_nothing(
    work: Work, receiver: Receiver
) -> None:
    dead = courier(work)
    taken = await dead._take()
    assert taken is not None
    assert not await courier(work).deliver_next(), "the other may still be at it"
    await let_delays_end(work)
    assert await courier(work).deliver_next()
    await dead._write(taken, ok=False, answer="late")
    (delivery,) = await deliveries(work)
    assert (delivery["state"], delivery["tries"], delivery["answer"]) == ("sent", 2, "It answered 204.")


async def test_a_slow_receiver_holds_up_neither_runs_nor_others(
    work: Work, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(couriers, "_PAUSE", 0.05)
    going_on = asyncio.Event()

    class Slow(Courier):
        async def _try(self, taken: couriers.Taken) -> tuple[bool, str]:
            if taken.body["data"]["job"] == "daily":
                await going_on.wait()
            return await super()._try(taken)

    at_work = asyncio.create_task(Slow(work.database, lambda: work.control.app.state.connections).work())
    try:
        await work.job("other")
        await run_once(work, "other", error="no boat")
        await wait_until(lambda: [body["data"]["job"] for _, body in receiver.got] == ["other"])
        going_on.set()
        await wait_until(lambda: len(receiver.got) == 2)
    finally:
        at_work.cancel()
        await asyncio.gather(at_work, return_exceptions=True)


async def wait_until(holds: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 - what it waits for happens in a thread of the receiver's
            await asyncio.sleep(0.05)


async def test_a_disabled_rule_sends_nothing_of_what_waited(work: Work, receiver: Receiver) -> None:
    await work.caller.ask("PATCH", f"{NOTIFICATIONS}/all", {"enabled": False})
    await work.caller.ask("PATCH", f"{NOTIFICATIONS}/all", {"enabled": True})
    assert not await courier(work).deliver_next()
    (delivery,) = await deliveries(work)
    assert (delivery["state"], delivery["answer"]) == ("given-up", "The notification was disabled.")
    assert receiver.got == []


async def test_keys_that_do_not_open_the_secret_are_said(work: Work) -> None:
    other = Connections(Vault(Keyring("1", {"1": b"x" * 32})), work.control.app.state.connections.places)
    await Courier(work.database, lambda: other).deliver_next()
    (delivery,) = await deliveries(work)
    assert "does not open" in delivery["answer"]


async def test_a_test_sends_one_now(work: Work, receiver: Receiver) -> None:
    tested = await work.caller.post(f"{NOTIFICATIONS}/all/test", status=200)
    assert [(step["name"], step["ok"]) for step in tested["steps"]] == [("read the secrets", True), ("send it", True)]
    assert receiver.types == ["test"]
    receiver.answers = [500]
    tested = await work.caller.post(f"{NOTIFICATIONS}/all/test", status=200)
    assert (tested["ok"], tested["steps"][-1]["message"]) == (False, "The webhook answered 500: no: ….")
    audit = (await work.caller.get("/audit", params={"action": "notification.test"}))["items"]
    assert [one["details"]["ok"] for one in audit] == [False, True]


class TestMail:
    @pytest.fixture
    def mailbox(self) -> Generator[Mailbox]:
        with mail_server() as mailbox:
            yield mailbox

    async def prepare(self, work: Work, mailbox: Mailbox, *recipients: str) -> None:
        config = {"host": "127.0.0.1", "port": mailbox.port, "user": "harbour", "authority": mailbox.authority}
        await mail(work.control, **config)
        secrets = {"secrets": {"password": PASSWORD}}
        await work.caller.ask("PATCH", "/workspaces/north/connections/mail", secrets)
        await rule(work, "by-mail", connection="mail", recipients=list(recipients))

    async def test_an_event_is_a_plain_text_that_says_all_of_it(self, work: Work, mailbox: Mailbox) -> None:
        await self.prepare(work, mailbox, "ann@harbour.org", "bob@harbour.org")
        run = await run_once(work, error="no oars\nSubject: injected\n\nnothing")
        sender = courier(work, public_url="https://boathouse.example.org")
        while await sender.deliver_next():
            pass
        (message,) = mailbox.got
        (delivery,) = await deliveries(work, "by-mail")
        assert delivery["state"] == "sent"
        assert (message["From"], message["To"]) == ("boathouse@harbour.org", "ann@harbour.org, bob@harbour.org")
        assert message["Subject"] == "[north] daily failed"
        assert message["Message-ID"] == f"<{delivery['id']}@harbour.org>"
        assert message["List-Id"] == "<by-mail.north.harbour.org>"
        assert message.get_content_type() == "text/plain"
        text = message.get_content()
        for said in (
            run["id"],
            "attempt 1",
            "no oars",
            f"https://boathouse.example.org/w/north/runs/{run['id']}",
        ):
            assert said in text

    async def test_a_recipient_that_is_refused_is_named(self, work: Work, mailbox: Mailbox) -> None:
        await self.prepare(work, mailbox, "ann@harbour.org", "nobody@harbour.org")
        tested = await work.caller.post(f"{NOTIFICATIONS}/by-mail/test", status=200)
        assert tested["ok"]
        assert "but not for nobody@harbour.org" in tested["steps"][-1]["message"]
        await work.caller.ask("PATCH", f"{NOTIFICATIONS}/by-mail", {"recipients": ["nobody@harbour.org"]})
        tested = await work.caller.post(f"{NOTIFICATIONS}/by-mail/test", status=200)
        assert "nobody@harbour.org: No such user" in tested["steps"][-1]["message"]
        assert len(mailbox.got) == 1
