"""Services asked all at once and not too often, and since when each is as it is."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from boathouse.control.connections.steps import Step, taken
from boathouse.control.database.base import now
from boathouse.control.services.probes import Probe
from boathouse.control.services.schemas import ServiceState, ServiceTold

# Who looks at a page waits for it. A service that takes longer is of little use to anybody.
_PATIENCE = 3.0
# However many pages are open, each service is asked once in so long.
_FRESH_FOR = 4.0


@dataclass
class Watch:
    probes: Sequence[Probe]
    _told: list[ServiceTold] = field(default_factory=list[ServiceTold])
    _fresh_until: float = 0.0
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def told(self) -> list[ServiceTold]:
        async with self._turn:
            if time.monotonic() >= self._fresh_until:
                before = {one.name: one for one in self._told}
                asked = await asyncio.gather(*(self._asked(probe, before.get(probe.name)) for probe in self.probes))
                self._told, self._fresh_until = list(asked), time.monotonic() + _FRESH_FOR
        return self._told

    async def _asked(self, probe: Probe, before: ServiceTold | None) -> ServiceTold:
        at = now()
        answer = await taken(Step(probe.name, probe.ask), _PATIENCE)
        state = ServiceState.WELL if answer.ok else ServiceState.FAILING
        return ServiceTold(
            name=probe.name,
            title=probe.title,
            state=state,
            since=before.since if before is not None and before.state is state else at,
            asked_at=at,
            milliseconds=answer.milliseconds,
            message=answer.message,
            hint=answer.hint,
        )
