"""Who carries notifications out, beside the runs and never in their way. Several may: each delivery is with one at a time.

At least once: a courier that dies after it has sent one and before it has said so leaves it to be sent again.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog

from boathouse.control.connections.models import Connection
from boathouse.control.connections.service import Connections
from boathouse.control.database import Database
from boathouse.control.database.keepable import keepable
from boathouse.control.notifications import repository
from boathouse.control.notifications.models import ERROR_LENGTH, NotificationRule, Outcome
from boathouse.control.notifications.sending import send, with_link
from boathouse.control.runs.clock import database_time
from boathouse.kit.errors import BoathouseError

# Before the second try, the third, and so on: ten tries in about four hours.
DELAYS = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 60, 120, 300, 600, 1800, 3600, 7200))
# A try takes half of this at the most; then another courier may.
_LEASE = timedelta(seconds=60)
_LONGEST = 30.0
_AT_ONCE = 4
_PAUSE = 1.0
_log = structlog.get_logger()


@dataclass(frozen=True)
class Taken:
    """A delivery that this courier has, as it was when it got it."""

    id: str
    number: int
    """Of the try."""
    body: Mapping[str, Any]
    rule: NotificationRule
    connection: Connection


@dataclass(frozen=True)
class Courier:
    database: Database
    connections: Callable[[], Connections]
    """Asked each time: the keys may have been changed meanwhile."""
    public_url: str | None = None
    counted: Callable[[str], None] = lambda _: None
    """Told the outcome of each try."""

    async def work(self) -> None:
        """Until it is cancelled. One receiver that is slow does not keep the others waiting."""
        under_way: set[asyncio.Task[None]] = set()
        try:
            while True:
                due = await self._due()
                under_way = {task for task in under_way if not task.done()}
                for _ in range(min(due, _AT_ONCE - len(under_way))):
                    under_way.add(asyncio.create_task(self._deliver_all()))
                await asyncio.sleep(_PAUSE)
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def deliver_next(self) -> bool:
        """Try one; whether there was one."""
        taken = await self._take()
        if taken is None:
            return False
        ok, answer = await self._try(taken)
        await self._write(taken, ok=ok, answer=answer)
        return True

    async def _deliver_all(self) -> None:
        try:
            while await self.deliver_next():
                pass
        except BoathouseError as error:
            _log.warning("courier.cannot-deliver", reason=str(error))
        except Exception:  # noqa: BLE001 - the delivery is tried again when its lease is over, and others before that
            _log.exception("courier.delivery-broke")

    async def _due(self) -> int:
        # A look takes no turn of writing, which on SQLite everybody would wait for.
        try:
            async with self.database.reading() as session:
                return await repository.due(session, await database_time(session))
        except BoathouseError as error:
            _log.warning("courier.cannot-look", reason=str(error))
        except Exception:  # noqa: BLE001 - a look that broke must not be the last: nobody would be told of anything any more
            _log.exception("courier.look-broke")
        return 0

    async def _take(self) -> Taken | None:
        async with self.database.changing() as session:
            at = await database_time(session)
            delivery = await repository.next_due(session, at)
            if delivery is None:
                return None
            delivery.tries += 1
            delivery.try_at = at + _LEASE
            rule, connection = await repository.of_delivery(session, delivery.rule_id)
            return Taken(delivery.id, delivery.tries, delivery.body, rule, connection)

    async def _try(self, taken: Taken) -> tuple[bool, str]:
        body = with_link(taken.body, self.public_url)
        try:
            async with asyncio.timeout(_LONGEST):
                tested = await send(self.connections(), taken.rule, taken.connection, taken.id, body)
        except TimeoutError:
            return False, f"It took longer than {_LONGEST:.0f} s."
        except BoathouseError as error:
            return False, str(error)
        except Exception as error:  # noqa: BLE001 - one that breaks must not keep the others from being sent
            _log.exception("courier.broke", delivery=taken.id)
            return False, f"{type(error).__name__}: {error}"
        last = tested.steps[-1]
        return tested.ok, last.message if last.ok or last.hint is None else f"{last.message} {last.hint}"

    async def _write(self, taken: Taken, *, ok: bool, answer: str) -> None:
        async with self.database.changing() as session:
            delivery = await repository.locked(session, taken.id)
            if delivery is None or delivery.state is not Outcome.WAITING or delivery.tries != taken.number:
                return
            at = await database_time(session)
            delivery.answer = keepable(answer[:ERROR_LENGTH])
            if ok or taken.number > len(DELAYS):
                delivery.state, delivery.ended_at = (Outcome.SENT if ok else Outcome.GIVEN_UP), at
            else:
                delivery.try_at = at + DELAYS[taken.number - 1]
        outcome = "sent" if ok else "given-up" if taken.number > len(DELAYS) else "failed"
        self.counted(outcome)
        _log.info("notification", delivery=taken.id, attempt=taken.number, outcome=outcome)
