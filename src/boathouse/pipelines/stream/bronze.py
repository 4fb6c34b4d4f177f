"""Every event, once, with where it came from: a table that is only ever added to.

A batch's rows, what of it was rejected, and how far its topics have come by it are one commit. Whatever is killed at
whatever moment, the commit has happened or it has not; what is read once more afterwards is known by its offset.
"""

import json
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pyspark.sql import Column, Observation
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.kit.catalog_client import CatalogClient, Json, TableChange, TableName
from boathouse.kit.errors import Conflict, WorkFailed
from boathouse.kit.ids import new_uuid
from boathouse.kit.relations import REJECTS_SUFFIX
from boathouse.kit.run_properties import said_of_this_run
from boathouse.pipelines.ingest import records
from boathouse.pipelines.ingest.staging import StagedTable, Staging
from boathouse.pipelines.ingest.target import add_columns
from boathouse.pipelines.partitions import parse_partition, partition_spec
from boathouse.pipelines.stream import log_columns, log_files, offsets
from boathouse.pipelines.stream.beginning import Beginning, Said
from boathouse.pipelines.stream.complaints import words
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.judging import ChangesJudge, Judge
from boathouse.pipelines.stream.letters import rejected, tell_topic
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.own_columns import WRITTEN
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import iceberg_schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NAME = "bronze"
_ATTEMPTS = 5
# Of a snapshot, and what it says: whether its batch ends with it, or with the next. Both are published at once, so a table
# ends with the first of two only if somebody has rolled it back to there.
_BATCH, _WHOLE, _PART = "boathouse.stream.batch", "whole", "part"
# Events of a batch. They go through in pieces, and planning and committing a batch costs as much as a hundred thousand.
AT_MOST = 2_000_000


@dataclass
class Bronze:
    context: StreamContext
    judge: Judge
    client: CatalogClient
    meter: Meter
    _said: Said | None = None
    """By the table itself, when it was asked or written last."""
    _done: Offsets | None = None
    _last: int | None = None
    """The batch that was taken last, by this process."""
    _remembered: dict[str, SourceTable] | None = None
    """The tables by whose columns the log was written last."""

    @property
    def table(self) -> TableName:
        return self.context.spec.bronze.table

    @cached_property
    def beginning(self) -> Beginning:
        return Beginning(self.context, NAME, str(self.table), "bronze.table")

    def done(self) -> Offsets:
        """What the table has, as it says itself."""
        if self._done is None:
            self._said = self._asked()
            self._done = self.beginning.counted(self._said)
        return self._done

    def known(self) -> Offsets | None:
        """The same, without asking."""
        return self._done

    def start(self) -> str:
        self._done = self._last = None
        return self.beginning.start(self.done())

    def take(self, messages: "DataFrame", batch: int) -> None:
        """One batch of the stream. Called again with the same batch after a crash, it changes nothing."""
        began = time.monotonic()
        end = self.beginning.checkpoint.end_of(batch)
        for attempt in range(1, _ATTEMPTS + 1):
            done, first = self.done(), self._last != batch - 1
            self.beginning.check(batch, done, first=first)
            if offsets.reaches(done, end):
                return
            try:
                counted = self._commit(offsets.beyond(messages, done) if first else messages, batch, done, end)
            except _Learned:
                continue
            except Exception as error:
                # Somebody else wrote (a replay, maintenance, or one who was thought dead), or we did and the answer was
                # lost. What the table has decides.
                self._done = self._last = None
                if attempt == _ATTEMPTS or not isinstance(error, Conflict):
                    raise
            else:
                self._last = batch
                self.meter.took(batch, counted.events, counted.problems, time.monotonic() - began, counted.newest)
                return
        # Taken for done, it would be lost.
        raise WorkFailed("The tables that are followed changed each time that their events were judged.")

    def create_request(self) -> Json:
        schema = iceberg_schema({**self.judge.columns(), **WRITTEN})
        variant = any(field["type"] == "variant" for field in schema["fields"])
        columns = {log_columns.PROPERTY: log_columns.as_property(self._columns({}))} if self._followed() else {}
        return {
            "schema": schema,
            "partition-spec": partition_spec([parse_partition("topic")], schema),
            "properties": {
                **columns,
                "format-version": "3" if variant else "2",
                # Its topics are few: a file for each and task is cheaper than to shuffle every batch.
                "write.distribution-mode": "none",
                "write.spark.fanout.enabled": "true",
                "write.metadata.delete-after-commit.enabled": "true",
            },
        }

    def _followed(self) -> dict[str, SourceTable]:
        return self.judge.followed.now() if isinstance(self.judge, ChangesJudge) else {}

    def _columns(self, before: log_columns.Columns) -> log_columns.Columns:
        return log_columns.with_those_of(self._followed().values(), before)

    def _remember_columns(self) -> None:
        """Before a change is there that does not fit what is remembered."""
        now = self._followed()
        if now == (self._remembered or {}):
            return
        if (found := self.client.find_table(self.table)) is not None:
            before = log_columns.known(found.metadata)
            told = log_columns.as_property(self._columns(before))
            if told != log_columns.as_property(before):
                said = {"action": "set-properties", "updates": {log_columns.PROPERTY: told}}
                self.client.commit_table(TableChange(self.table, [], [said]))
        self._remembered = now

    def _commit(self, messages: "DataFrame", batch: int, done: Offsets, end: Offsets) -> "_Counted":
        self._remember_columns()
        staging = Staging(self.client, self.context.access.object_store, load_id := new_uuid())
        said = Said(offsets.together(done, end), self.beginning.ids)
        try:
            log = staging.copy(self.table, self.create_request())
            self._refuse_other(log.base)
            # The number alone comes again with a new checkpoint, and with it the name of a rejected event.
            counted = self._write(messages, staging, log, f"batch-{batch}-{load_id[-8:]}", said)
            staging.publish()
            self._said, self._done = said, said.offsets
            return counted
        finally:
            staging.discard()

    def _refuse_other(self, base: Json) -> None:
        """A table that was rolled back, or made anew, since it was asked what it has."""
        now, known = self._said_by(base), self._said or Said()
        by_rows = now is None and known.by_rows
        if not by_rows and (now or Said()).offsets != known.offsets:
            raise Conflict(f"{self.table} was changed by others.")

    def _write(self, messages: "DataFrame", staging: Staging, log: StagedTable, load_id: str, said: Said) -> "_Counted":
        """What is plain as files, and what is left by Spark."""
        columns, store = {**self.judge.columns(), **WRITTEN}, self.context.access.object_store
        files = log_files.writer_for(staging.metadata(log), columns, store, self.judge.plain())
        if files is None:
            return self._judge(messages, staging, log, load_id, said)
        written = log_files.write(messages, files)
        try:
            counted = _Counted(written.rows, 0, 0, written.newest)
            if written.left:
                # How far the topics have come says the last snapshot alone.
                last = None if written.files else said
                counted += self._judge(written.messages, staging, log, load_id, last)
            if written.files or not written.left:
                log_files.add(
                    self.context.session,
                    self.context.spark_name(log.name),
                    written.files,
                    {**said_of_this_run(), **_properties(said)},
                )
            return counted
        finally:
            written.end()

    def _judge(
        self, messages: "DataFrame", staging: Staging, log: StagedTable, load_id: str, said: Said | None
    ) -> "_Counted":
        known = self.judge.known()
        judged = self.judge.judge(messages)
        counted = self._append(judged, log, said)
        if (counted.problems or counted.unknown or self.judge.lacks_keys()) and self.judge.learn(judged, known):
            raise _Learned
        if counted.problems:
            rejects = staging.copy(self.table.beside(REJECTS_SUFFIX), records.create_request(records.REJECTED_EVENTS))
            add_columns(self.context, rejects, records.REJECTED_EVENTS)
            letters = rejected(judged, load_id)
            letters.writeTo(self.context.spark_name(rejects.name)).append()
            if staging.added(rejects) != counted.problems:
                raise WorkFailed("The topics gave other events when they were read again: nothing was written.")
            self._tell(judged)
        return counted

    def _tell(self, judged: "DataFrame") -> None:
        """The table of rejects has them all; the topic is for whoever wants to be told."""
        try:
            tell_topic(judged, self.context.kafka_options(), self.context.spec.deadletters_topic)
        except Exception as error:  # noqa: BLE001 - of what could not be read, nothing may stop what can be
            self.context.say(
                f"rejected events could not be told of in {self.context.spec.deadletters_topic}: {words(error)}"
            )

    def _append(self, judged: "DataFrame", log: StagedTable, said: Said | None) -> "_Counted":
        seen = Observation()
        # It also keeps Spark from judging every row twice, once to choose it and once to write it.
        watched = judged.observe(
            seen,
            F.count(F.lit(1)).alias("events"),
            F.count("problem").alias("problems"),
            F.count_if(F.size("unknown") > 0).alias("unknown"),
            F.max(F.when(F.col("problem").isNull(), F.unix_millis("source_at"))).alias("newest"),
        )
        good = watched.where(F.col("problem").isNull()).select(
            *self.judge.logged(), now().alias("written_at"), F.lit(False).alias("replayed")
        )
        writer = good.writeTo(self.context.spark_name(log.name))
        for name, value in _properties(said).items():
            writer = writer.option(f"snapshot-property.{name}", value)
        writer.append()
        return _Counted(**seen.get)

    def _asked(self) -> Said:
        found = self.client.find_table(self.table)
        said = self._said_by(found.metadata) if found is not None else Said()
        if said is not None:
            return said
        rejects = self.table.beside(REJECTS_SUFFIX)
        tables = [self.table] + ([rejects] if self.client.find_table(rejects) is not None else [])
        rows = [self.context.session.table(self.context.spark_name(one)) for one in tables]
        return Said(offsets.in_table(rows[0], rows[1] if len(rows) > 1 else None), by_rows=True)

    def _said_by(self, metadata: Json) -> Said | None:
        """None if it has rows, and no snapshot is left that says."""
        if offsets.newest_said(metadata, _BATCH) == _PART:
            raise WorkFailed(
                f"{self.table} was rolled back to the midst of a batch, and what it has of that would be there twice.",
                hint="Roll it back one snapshot further, or set it to the one that came next.",
            )
        known = offsets.recorded(metadata)
        if known is not None:
            return Said(known, offsets.recorded_ids(metadata))
        return None if metadata.get("snapshots") else Said()


def _properties(said: Said | None) -> dict[str, str]:
    """None where the next snapshot says it."""
    if said is None:
        return {_BATCH: _PART}
    return {_BATCH: _WHOLE, offsets.PROPERTY: json.dumps(said.offsets), offsets.IDS_PROPERTY: json.dumps(said.ids)}


def now() -> Column:
    """For rows with a `partition`. Plain, it would stand in what Spark compiles, and every batch would be compiled anew."""
    return F.get(F.array(F.current_timestamp()), F.col("partition") * 0)


@dataclass(frozen=True)
class _Counted:
    events: int
    problems: int
    unknown: int
    newest: int | None
    """Milliseconds since 1970."""

    def __add__(self, other: "_Counted") -> "_Counted":
        newest = max(filter(None, (self.newest, other.newest)), default=None)
        return _Counted(
            self.events + other.events, self.problems + other.problems, self.unknown + other.unknown, newest
        )


class _Learned(Exception):  # noqa: N818 - nothing is wrong: more is known, and the batch is judged anew
    """The tables that are followed have changed."""
