"""A streaming pipeline from its start to its end: what it follows is made ready, its hops are begun, watched and stopped."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from boathouse.kit.access import of_stream
from boathouse.kit.catalog_client import CatalogClient
from boathouse.kit.run_properties import this_run
from boathouse.pipelines.ingest.staging import Staging
from boathouse.pipelines.stream import bronze, offsets, silver, speed, status
from boathouse.pipelines.stream.clickhouse import Warehouse
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.hops import Hop, QueryHop, RoundsHop
from boathouse.pipelines.stream.judging import ChangesJudge, EventsJudge
from boathouse.pipelines.stream.meter import Meter, hop_json
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.owner import owner_of, ownership_of
from boathouse.pipelines.stream.source import Source, judge_of
from boathouse.pipelines.stream.spec import PostgresSource
from boathouse.pipelines.stream.topics import Topics
from boathouse.pipelines.stream.topics_ends import TopicsEnds

Tell = Callable[[dict[str, Any]], None]
_STOP_SECONDS = 25.0
_LOOK_EVERY = 1.0


class Stream:
    """`tell` is given the status once a second."""

    def __init__(self, context: StreamContext, tell: Tell, *, take_over: bool = False) -> None:
        self._take_over = take_over
        self._context = context
        self._tell = tell
        self._spec = context.spec
        self._topics = Topics(context.kafka, self._spec.topics)
        self._client = CatalogClient(context.access.catalog)
        self._stopping = threading.Event()
        self._hops: list[Hop] = []
        self._done: dict[str, Callable[[], Offsets | None]] = {}
        self._since = status.now()
        self._alerts = status.Alerts(self._spec.aims)
        self._source = Source(context) if isinstance(self._spec.source, PostgresSource) else None
        self._ends = TopicsEnds(self._topics.ends)

    def stop(self) -> None:
        """From another thread, or a signal's handler."""
        self._stopping.set()

    def run(self) -> dict[str, Any]:
        """Until it is stopped."""
        self._told("starting")
        with self._owned():
            self._prepare()
            try:
                self._go_on()
            finally:
                self._end()
        return self._told("ended")

    def _go_on(self) -> None:
        for hop in self._hops:
            hop.start()
        self._ends.start()
        self._context.say("running")
        while not self._stopping.wait(_LOOK_EVERY):
            for hop in self._hops:
                hop.look()
            self._told("running")
        self._context.say("stopping after the batches at hand")
        self._told("stopping")

    def once(self) -> dict[str, Any]:
        """What there is by now."""
        with self._owned():
            self._prepare()
            try:
                self._take_in()
            finally:
                self._end()
        return self._told("ended")

    def _take_in(self) -> None:
        for hop in self._hops:
            if self._stopping.is_set():
                break
            self._context.say(f"{hop.name}: taking in what there is")
            hop.once(self._stopping)
        if self._stopping.is_set():
            self._context.say("stopping after the batch at hand")

    def _owned(self) -> AbstractContextManager[None]:
        me = owner_of(self._spec.pipeline, this_run())
        ownership = ownership_of(self._spec, self._context.access.object_store)
        return ownership.held(me, self.stop, take_over=self._take_over)

    def _end(self) -> None:
        self._ends.stop()
        until = time.monotonic() + _STOP_SECONDS
        for hop in self._hops:
            hop.stop(max(1.0, until - time.monotonic()))

    def _prepare(self) -> None:
        Staging(self._client, self._context.access.object_store, "sweep").sweep()
        judge = self._judge()
        self._hops = list(self._made(judge))

    def _judge(self) -> ChangesJudge | EventsJudge:
        judge = judge_of(self._context, self._client)
        Topics(self._context.kafka, [self._spec.deadletters_topic]).make(1)
        if self._source is not None and isinstance(self._spec.source, PostgresSource):
            self._topics.make(self._spec.source.partitions)
            if isinstance(judge, ChangesJudge):
                self._source.follow(judge.followed.read_from)
        else:
            self._topics.require()
        return judge

    def _made(self, judge: ChangesJudge | EventsJudge) -> "list[Hop]":
        context, spec = self._context, self._spec
        log = bronze.Bronze(context, judge, self._client, Meter())
        self._done[bronze.NAME] = log.known
        found: list[Hop] = [
            QueryHop(
                context,
                bronze.NAME,
                status.TITLES[bronze.NAME],
                str(spec.bronze.table),
                log.meter,
                take=log.take,
                start=log.start,
                every=spec.bronze.every,
                at_most=bronze.AT_MOST,
            )
        ]
        if spec.speed is not None:
            warehouse = Warehouse(of_stream(context.access.clickhouse, "ClickHouse"), spec.speed.database)
            quick = speed.Speed(context, judge, Meter(), spec.speed, warehouse)
            self._done[speed.NAME] = quick.known
            found.append(
                QueryHop(
                    context,
                    speed.NAME,
                    status.TITLES[speed.NAME],
                    spec.speed.database,
                    quick.meter,
                    take=quick.take,
                    start=quick.start,
                    every=spec.speed.every,
                    at_most=speed.AT_MOST,
                    idle=quick.sums.settle,
                )
            )
        if spec.silver is not None and isinstance(judge, ChangesJudge):
            tables = silver.Silver(context, judge, self._client, Meter(), spec.silver.namespace)
            self._done[silver.NAME] = lambda: tables.done
            found.append(
                RoundsHop(
                    silver.NAME,
                    status.TITLES[silver.NAME],
                    spec.silver.namespace,
                    tables.meter,
                    look=tables.catch_up,
                    every=spec.silver.every,
                    say=context.say,
                )
            )
        return found

    def _told(self, state: str) -> dict[str, Any]:
        if state in ("starting", "ended"):
            self._ends.look()
        hops = [self._of_hop(hop, state) for hop in self._hops]
        if self._source is not None:
            hops.insert(0, self._source.told(self._ends.known()))
        at = status.now()
        document = status.document(
            self._spec.pipeline,
            state,
            since=self._since,
            at=at,
            aims=self._spec.aims,
            hops=hops,
            rejected=sum(hop.meter.reading(None).rejected for hop in self._hops if hop.name == bronze.NAME),
            alerts=self._alerts.of(hops, at) if state == "running" else [],
        )
        self._tell(document)
        return document

    def _of_hop(self, hop: Hop, state: str) -> dict[str, Any]:
        done, away = self._done[hop.name](), self._ends.error() if isinstance(hop, QueryHop) else None
        # What it has is known as soon as it has looked; before that, nothing is told.
        lag = None if state == "starting" or done is None else offsets.between(done, self._ends.known())
        reading = hop.meter.reading(lag)
        # Spark asks Kafka for a minute before it gives up.
        reading = replace(reading, error=reading.error or away)
        of_hop = status.hop_state(state, "failing" if reading.error else hop.state)
        return hop_json(reading, lag, name=hop.name, title=hop.title, to=hop.to, state=of_hop)
