"""What a worker makes of how its streaming run fares: figures for whoever measures, and alerts for whoever wants to know."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from boathouse.control.jobs.stream_status import (
    SILENT_AFTER,
    Alert,
    RaisedAlert,
    StreamStatus,
    silence,
    speaks,
    status_in,
)
from boathouse.control.worker.journal import Journal
from boathouse.control.worker.stream_metrics import STREAMS, Measured

# One that comes and goes is told once: it is over when it has been away for so long.
_OVER_AFTER = 60.0


class StreamWatch:
    """Of one attempt."""

    def __init__(
        self, workspace: str, job: str, run_id: str, journal: Journal, clock: Callable[[], float] = monotonic
    ) -> None:
        self._measured = Measured(workspace, job, run_id)
        self._journal = journal
        self._clock = clock
        self._last: tuple[StreamStatus, float] | None = None
        """What it told last, and when that was heard."""
        self._seen: dict[tuple[str, str], float] = {}
        """The alerts that were told of, and when each was last there."""

    def saw(self, progress: Mapping[str, Any]) -> None:
        status = status_in(dict(progress))
        if status is None:
            return
        self._last = (status, self._clock())
        STREAMS.tell(self._measured, status)
        for alert in status.alerts:
            self._saw_alert(alert)
        self._forget_over()

    def look(self) -> None:
        """Whether it still tells how it fares. A program that hangs says nothing that could be an alert."""
        if self._last is None:
            return
        status, heard_at = self._last
        if not speaks(status) or self._clock() - heard_at <= SILENT_AFTER:
            return
        alert = silence(status)
        STREAMS.tell(self._measured, status.model_copy(update={"alerts": [*status.alerts, alert]}))
        self._saw_alert(alert)

    def close(self) -> None:
        """Its figures are nobody's any more."""
        STREAMS.forget(self._measured)

    def _saw_alert(self, alert: Alert) -> None:
        known = (alert.hop, alert.what)
        if known not in self._seen:
            self._journal.say(f"Alert: {alert.text}")
            self._journal.alerts.append(RaisedAlert(alert))
        self._seen[known] = self._clock()

    def _forget_over(self) -> None:
        for known, last in list(self._seen.items()):
            if self._clock() - last > _OVER_AFTER:
                del self._seen[known]
                hop, what = known
                self._journal.say(f"The alert on {f'the {what} of {hop}' if hop else f'its {what}'} is over.")
