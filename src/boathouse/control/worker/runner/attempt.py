"""An attempt as its kind sees it: what to do, and where to say how it goes."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boathouse.control.connections.given import GivenConnection
from boathouse.control.connections.hiding import Hidden
from boathouse.control.jobs.kinds import kind_named
from boathouse.control.jobs.parameters import typed
from boathouse.control.jobs.touched import Touched
from boathouse.control.runs.results import ROW_GROUP, Results
from boathouse.control.worker.assignment import Assignment, Said
from boathouse.control.worker.runner.commands import LONGEST_LINE, run_command
from boathouse.control.worker.runner.leftovers import end_leftovers
from boathouse.kit.access import LakeAccess
from boathouse.kit.objects import storage_errors
from boathouse.kit.settings import RUN_PREFIX, load_settings

Say = Callable[[Said], None]
# Often enough for a bar that moves, seldom enough that nobody else waits for the database.
_PROGRESS_EVERY = 0.5


class RunningAttempt:
    def __init__(self, assignment: Assignment, scratch: str, say: Say) -> None:
        self.run_id = assignment.run_id
        self.number = assignment.attempt
        self.job = assignment.job
        self.spec = assignment.spec
        self.values = assignment.values
        self.scheduled_for = assignment.scheduled_for
        self.scratch = scratch
        self._assignment = assignment
        self._say = say
        given = assignment.connections.values()
        self._hidden = Hidden(secret for connection in given for secret in connection.in_clear().values())
        self._progress_said = 0.0

    @property
    def typed(self) -> Mapping[str, Any]:
        return typed(self._assignment.parameters, self.values)

    @property
    def connections(self) -> Mapping[str, GivenConnection]:
        return self._assignment.connections

    def lake(self) -> LakeAccess:
        return LakeAccess.load(load_settings().home)

    def log(self, text: str, *, stream: str = "out") -> None:
        at = int(datetime.now(UTC).timestamp() * 1000)
        text = self.without_secrets(text)
        for start in range(0, max(len(text), 1), LONGEST_LINE):
            self._say(Said(log=(at, stream, text[start : start + LONGEST_LINE])))

    def without_secrets(self, text: str) -> str:
        """Some systems say what was sent to them; whatever is kept of it holds no secret."""
        return self._hidden.taken_out_of(text)

    def progress(self, told: Mapping[str, Any], *, at_once: bool = False) -> None:
        at_once = at_once or told.get("tasks_done") == told.get("tasks")
        if at_once or time.monotonic() - self._progress_said >= _PROGRESS_EVERY:
            self._progress_said = time.monotonic()
            self._say(Said(progress=dict(told)))

    def keep(self, batches: Iterator[Any], schema: Any, *, at_most: int) -> None:
        import obstore
        import pyarrow.parquet as pq

        path = Path(self.scratch) / "result.parquet"
        left, truncated = at_most, False
        with pq.ParquetWriter(path, schema) as writer:
            for batch in batches:
                truncated = truncated or batch.num_rows > left
                writer.write_table(batch.slice(0, left), row_group_size=ROW_GROUP)
                left -= min(left, batch.num_rows)
        results = Results(self._assignment.results)
        with storage_errors(results.root):
            obstore.put(results.store(), self._assignment.result_path, path)
        self._say(
            Said(
                result={
                    "path": self._assignment.result_path,
                    "rows": at_most - left,
                    "truncated": truncated,
                    "bytes": path.stat().st_size,
                    "columns": [{"name": field.name, "type": str(field.type)} for field in schema],
                }
            )
        )
        self.log(f"{at_most - left:,} rows kept{', more were left out' if truncated else ''}", stream="system")

    def report(self, told: Mapping[str, Any]) -> None:
        self._say(Said(report=dict(told)))

    def touches(self, touched: Touched) -> None:
        if touched:
            self._say(Said(touched=touched))

    def run(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        known = {
            f"{RUN_PREFIX}ID": self.run_id,
            f"{RUN_PREFIX}JOB": self.job,
            f"{RUN_PREFIX}WORKSPACE": self._assignment.workspace,
            f"{RUN_PREFIX}ATTEMPT": str(self.number),
            f"{RUN_PREFIX}SCHEDULED_FOR": self.scheduled_for or "",
        }
        parameters = {f"{RUN_PREFIX}VALUE_{name.upper()}": str(value) for name, value in self.values.items()}
        run_command(
            command,
            {**environment, **known, **parameters},
            self.scratch,
            lambda stream, text: self.log(text, stream=stream),
            hidden=self._hidden,
            grace=kind_named(self._assignment.kind).grace,
            ended=end_leftovers,
        )
