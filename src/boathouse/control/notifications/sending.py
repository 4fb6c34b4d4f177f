"""Sending one notification by its connection, whatever kind that is of."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import orjson

from boathouse.control.connections.kinds import openlineage, smtp, webhook
from boathouse.control.connections.kinds.openlineage import OpenLineage, OpenLineageConfig
from boathouse.control.connections.kinds.smtp import SmtpConfig
from boathouse.control.connections.models import Connection
from boathouse.control.connections.service import Connections
from boathouse.control.connections.steps import Step, Tested
from boathouse.control.database.base import now
from boathouse.control.notifications.mail import message
from boathouse.control.notifications.models import NotificationRule
from boathouse.kit.ids import new_uuid


async def send(
    connections: Connections, rule: NotificationRule, connection: Connection, delivery_id: str, body: Mapping[str, Any]
) -> Tested:
    """How far it came; what the receiver said is in the last step, with every secret taken out of it."""

    def steps(config: Any, secrets: Mapping[str, str]) -> list[Step]:
        async def post() -> str:
            if isinstance(config, SmtpConfig):
                return await smtp.send(config, secrets, message(delivery_id, body, config.sender, rule.recipients))
            if isinstance(config, OpenLineageConfig):
                return await openlineage.post(config, secrets, orjson.dumps(body))
            return await webhook.post(config, secrets, delivery_id, orjson.dumps(body))

        return [Step("send it", post)]

    return await connections.tried(connection, steps)


async def send_test(connections: Connections, rule: NotificationRule, connection: Connection, workspace: str) -> Tested:
    """A receiver of lineage is asked instead: whatever it is sent stays there."""
    if connection.kind == OpenLineage.name:
        return await connections.tried(connection, OpenLineage().steps)
    data = {"workspace": workspace, "notification": rule.name}
    body = {"type": "test", "timestamp": now().isoformat(timespec="milliseconds"), "data": data}
    return await send(connections, rule, connection, new_uuid(), body)


def with_link(body: Mapping[str, Any], public_url: str | None) -> dict[str, Any]:
    """The event with the address of the run's page, where it is known how others see this server."""
    told = deepcopy(dict(body))
    if public_url is not None and (run := told.get("data", {}).get("run")) is not None:
        run["url"] = f"{public_url}/w/{told['data']['workspace']}/runs/{run['id']}"
    return told
