"""Notification rules and deliveries in the database."""

from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.connections.models import Connection
from boathouse.control.notifications.models import Delivery, NotificationRule, Outcome

RuleAndConnection = tuple[NotificationRule, Connection]
_BOTH = select(NotificationRule, Connection).join(Connection, Connection.id == NotificationRule.connection_id)


async def by_name(session: AsyncSession, scope: Scope, name: str) -> RuleAndConnection | None:
    query = _BOTH.where(NotificationRule.workspace_id == scope.workspace_id, NotificationRule.name == name)
    found = (await session.execute(query)).first()
    return (found[0], found[1]) if found else None


async def find(session: AsyncSession, scope: Scope, *, after: str | None, limit: int) -> list[RuleAndConnection]:
    query = _BOTH.where(NotificationRule.workspace_id == scope.workspace_id)
    if after is not None:
        query = query.where(NotificationRule.name > after)
    return [(row[0], row[1]) for row in await session.execute(query.order_by(NotificationRule.name).limit(limit))]


async def using(session: AsyncSession, scope: Scope, connection: str) -> str | None:
    """The name of a rule that sends by that connection."""
    query = _BOTH.where(Connection.workspace_id == scope.workspace_id, Connection.name == connection)
    found = (await session.execute(query.order_by(NotificationRule.name).limit(1))).first()
    return found[0].name if found else None


async def enabled_in(session: AsyncSession, workspace_id: str) -> list[NotificationRule]:
    query = select(NotificationRule).where(
        NotificationRule.workspace_id == workspace_id, NotificationRule.enabled.is_(True)
    )
    return list((await session.scalars(query.order_by(NotificationRule.id))).all())


async def deliveries(session: AsyncSession, rule_id: str, *, before: str | None, limit: int) -> list[Delivery]:
    """The newest first."""
    query = select(Delivery).where(Delivery.rule_id == rule_id)
    if before is not None:
        query = query.where(Delivery.id < before)
    return list((await session.scalars(query.order_by(Delivery.id.desc()).limit(limit))).all())


async def give_up_waiting(session: AsyncSession, rule_id: str, at: datetime, why: str) -> None:
    waiting = update(Delivery).where(Delivery.rule_id == rule_id, Delivery.state == Outcome.WAITING)
    await session.execute(waiting.values(state=Outcome.GIVEN_UP, ended_at=at, answer=why))


async def due(session: AsyncSession, at: datetime) -> int:
    """How many are to be tried now."""
    query = select(func.count()).where(Delivery.state == Outcome.WAITING, Delivery.try_at <= at)
    return await session.scalar(query) or 0


async def next_due(session: AsyncSession, at: datetime) -> Delivery | None:
    """One that nobody else is about to take."""
    query = select(Delivery).where(Delivery.state == Outcome.WAITING, Delivery.try_at <= at)
    return await session.scalar(query.order_by(Delivery.try_at).limit(1).with_for_update(skip_locked=True))


async def of_delivery(session: AsyncSession, rule_id: str) -> RuleAndConnection:
    found = (await session.execute(_BOTH.where(NotificationRule.id == rule_id))).one()
    return found[0], found[1]


async def locked(session: AsyncSession, delivery_id: str) -> Delivery | None:
    return await session.scalar(select(Delivery).where(Delivery.id == delivery_id).with_for_update())


async def forget_old(session: AsyncSession, before: datetime) -> None:
    """What is over for so long that nobody asks any more."""
    await session.execute(delete(Delivery).where(Delivery.state != Outcome.WAITING, Delivery.ended_at < before))
