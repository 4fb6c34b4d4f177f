"""What can be done with notification rules."""

from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.connections import repository as connections
from boathouse.control.connections.kinds.openlineage import OpenLineage
from boathouse.control.connections.kinds.smtp import Smtp
from boathouse.control.connections.kinds.webhook import SECRET, Webhook
from boathouse.control.connections.models import Connection
from boathouse.control.database.base import now
from boathouse.control.notifications import repository
from boathouse.control.notifications.models import Delivery, Event, NotificationRule
from boathouse.control.notifications.repository import RuleAndConnection
from boathouse.control.notifications.schemas import DeliveryTold, NewRule, RuleChange, RuleTold
from boathouse.kit.errors import Conflict, InvalidInput, NotFound
from boathouse.kit.ids import new_uuid

_KINDS = (Webhook.name, Smtp.name, OpenLineage.name)
_KINDS_SAID = f"{', '.join(_KINDS[:-1])} or {_KINDS[-1]}"


async def create(session: AsyncSession, scope: Scope, wanted: NewRule) -> RuleTold:
    connection = await _connection(session, scope, wanted.connection)
    given = wanted.model_dump(mode="json", exclude={"connection"})
    given["events"] = given["events"] or list(_events_for(connection))
    rule = NotificationRule(id=new_uuid(), workspace_id=scope.workspace_id, connection_id=connection.id, **given)
    _refuse_senseless(rule, connection)
    session.add(rule)
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(f"There is a notification {wanted.name!r} already.", hint="Choose another name.") from None
    return told((rule, connection))


async def get(session: AsyncSession, scope: Scope, name: str) -> RuleAndConnection:
    found = await repository.by_name(session, scope, name)
    if found is None:
        raise NotFound(
            f"There is no notification {name!r} in {scope.workspace}.", hint="Its notifications are listed there."
        )
    return found


async def change(session: AsyncSession, scope: Scope, name: str, wanted: RuleChange) -> RuleTold:
    rule, connection = await get(session, scope, name)
    given: dict[str, Any] = wanted.model_dump(mode="json", exclude_none=True)
    if (other := given.pop("connection", None)) is not None:
        connection = await _connection(session, scope, other)
        rule.connection_id = connection.id
    for field, value in given.items():
        setattr(rule, field, value)
    _refuse_senseless(rule, connection)
    rule.updated_at = now()
    if not rule.enabled:
        # Who enables it again next week does not want to be told of today.
        await repository.give_up_waiting(session, rule.id, now(), "The notification was disabled.")
    await session.flush()
    return told((rule, connection))


async def remove(session: AsyncSession, scope: Scope, name: str) -> None:
    """With its deliveries."""
    rule, _ = await get(session, scope, name)
    await session.delete(rule)


async def refuse_if_used(session: AsyncSession, scope: Scope, connection: str) -> None:
    """Before a connection is removed."""
    if (rule := await repository.using(session, scope, connection)) is not None:
        raise Conflict(
            f"The notification {rule} is sent by the connection {connection}.",
            hint="Remove that first, or have it sent by another.",
        )


def told(found: RuleAndConnection) -> RuleTold:
    rule, connection = found
    names = RuleTold.model_fields.keys() - {"connection", "kind"}
    return RuleTold(**{name: getattr(rule, name) for name in names}, connection=connection.name, kind=connection.kind)


async def _connection(session: AsyncSession, scope: Scope, name: str) -> Connection:
    found = await connections.by_name(session, scope, name)
    if found is None:
        raise InvalidInput(
            f"There is no connection {name!r} in {scope.workspace}.", hint=f"Make one of the kind {_KINDS_SAID}."
        )
    return found


def _events_for(connection: Connection) -> tuple[Event, ...]:
    """What the kind of connection can be told."""
    lineage = (Event.LINEAGE,)
    return lineage if connection.kind == OpenLineage.name else tuple(event for event in Event if event not in lineage)


def _refuse_senseless(rule: NotificationRule, connection: Connection) -> None:
    if connection.kind not in _KINDS:
        raise InvalidInput(
            f"Nobody is told by {connection.name}, a connection of the kind {connection.kind}.",
            hint=f"Take one of the kind {_KINDS_SAID}.",
        )
    if connection.kind == Webhook.name and SECRET not in connection.secrets:
        raise InvalidInput(
            f"The webhook {connection.name} has no secret to sign with.", hint="Give the connection one first."
        )
    if connection.kind == Smtp.name and not rule.recipients:
        raise InvalidInput("Who gets the mail is not said.", hint="Give recipients.")
    if connection.kind != Smtp.name and rule.recipients:
        raise InvalidInput("Only a mail has recipients.", hint="Leave them out, or take a mail server.")
    possible = _events_for(connection)
    if wrong := sorted(set(rule.events) - set(possible)):
        raise InvalidInput(
            f"A connection of the kind {connection.kind} is not told of {wrong[0]}.",
            hint=f"It is told of: {', '.join(possible)}.",
        )


def delivery_told(delivery: Delivery) -> DeliveryTold:
    """Of a query, which has no job, only that it was told: which it was is its asker's business."""
    told = DeliveryTold.model_validate(delivery)
    return told if delivery.job else told.model_copy(update={"run_id": None, "body": {}})
