"""A hop at work: its stream or its rounds, begun again after whatever goes wrong, and ended between two batches."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from boathouse.pipelines.stream.complaints import words
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.pace import Pace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

Take = Callable[["DataFrame", int], None]
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0
_STOPPING = "it is being stopped"
_LOOK_EVERY = 0.5
# Seconds after which one that takes in what there is looks whether it is to stop.
_STOP_WITHIN = 1


class Idle(Protocol):
    """What there is to do beside batches: `at_once` after the last, and otherwise not too often."""

    def __call__(self, *, at_once: bool = False) -> None: ...


class Hop(ABC):
    def __init__(self, name: str, title: str, to: str, meter: Meter) -> None:
        self.name = name
        self.title = title
        self.to = to
        self.meter = meter
        self.error: str | None = None
        self._pause = _FIRST_PAUSE

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def look(self) -> None:
        """Begin again what has ended, if it is time."""

    @abstractmethod
    def stop(self, seconds: float) -> None:
        """After the batch at hand."""

    @abstractmethod
    def once(self, stopping: threading.Event) -> None:
        """Take in what there is by now, and end. An error is raised. If it is `stopping`, it is left to be stopped."""

    @property
    def state(self) -> str:
        return "failing" if self.error else "running"

    def went_well(self) -> None:
        self.error, self._pause = None, _FIRST_PAUSE
        self.meter.recovered()

    def went_wrong(self, error: BaseException | str) -> float:
        """Seconds to wait."""
        self.error = words(error)
        self.meter.failed(self.error)
        pause, self._pause = self._pause, min(_LONGEST_PAUSE, self._pause * 2)
        return pause


class QueryHop(Hop):
    """One that follows the topics: a query of Spark's, with a checkpoint."""

    def __init__(
        self,
        context: StreamContext,
        name: str,
        title: str,
        to: str,
        meter: Meter,
        *,
        take: Take,
        start: Callable[[], str],
        every: float,
        at_most: int,
        idle: Idle | None = None,
    ) -> None:
        super().__init__(name, title, to, meter)
        self._at_most = context.spec.limits.events_per_batch or at_most
        self._idle = idle
        self._context = context
        self._take = take
        self._from = start
        self._every = every
        self._query: StreamingQuery | None = None
        self._beginning: threading.Thread | None = None
        self._busy = threading.Lock()
        self._stopping = threading.Event()
        self._pace = Pace(context.spec.limits.events_per_second)
        self._failure: BaseException | None = None
        self._again_at: float | None = None

    def start(self) -> None:
        """What it needs may not be there yet; then it is begun as soon as it is."""
        self._again_at = 0.0
        self.look()

    def once(self, stopping: threading.Event) -> None:
        query = self._query = self._begin(once=True)
        try:
            while not query.awaitTermination(_STOP_WITHIN):
                if stopping.is_set():
                    return
        except Exception:
            # Ours says what happened; Spark's wraps it in what it was about to do.
            if self._failure is not None:
                raise self._failure from None
            raise
        # One that is stopped leaves that to whoever goes on.
        if self._idle is not None and not stopping.is_set():
            self._idle(at_once=True)

    def look(self) -> None:
        if self._stopping.is_set() or self._is_beginning():
            return
        if self._query is not None and self._query.isActive:
            # By now it has taken a batch, or looked and found nothing: a quiet stream has recovered too. Before that there may
            # be one to repeat, of which a part is there.
            if self._query.lastProgress is not None:
                if self.error is not None:
                    self.went_well()
                self._between_batches()
            return
        if self._again_at is None:
            known = self._failure or (self._query.exception() if self._query else None) or "its query has ended"
            self._again_at = time.monotonic() + self.went_wrong(known)
            self._context.say(f"{self.name}: {self.error}")
        elif time.monotonic() >= self._again_at:
            self._again_at = None
            # What it asks may answer late, or make a table anew, and whoever looks has others to look at.
            self._beginning = threading.Thread(target=self._try_to_begin, name=f"{self.name}-begins", daemon=True)
            self._beginning.start()

    def _is_beginning(self) -> bool:
        return self._beginning is not None and self._beginning.is_alive()

    def _try_to_begin(self) -> None:
        try:
            self._query = self._begin()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told, and tried again
            self._failure = error
            return
        if self._stopping.is_set():
            # Whoever stops it may not have waited for it.
            self._query.stop()

    def _between_batches(self) -> None:
        """What there is to do beside them, if none is at hand. It may take minutes, and whoever looks has others to look at."""
        if self._idle is not None and self._busy.acquire(blocking=False):
            threading.Thread(target=self._at_idle, args=(self._idle,), name=f"{self.name}-idle", daemon=True).start()

    def _at_idle(self, idle: Idle) -> None:
        try:
            idle()
        except Exception as error:  # noqa: BLE001 - the next batch fails likewise and tells it, or it is over by then
            self._context.say(f"{self.name}: {words(error)}")
        finally:
            self._busy.release()

    def stop(self, seconds: float) -> None:
        self._stopping.set()
        until = time.monotonic() + seconds
        if self._beginning is not None:
            self._beginning.join(timeout=seconds)
        if self._busy.acquire(timeout=max(0.0, until - time.monotonic())):
            self._busy.release()
        if self._query is not None and self._query.isActive:
            self._stop_query(self._query, max(_STOP_WITHIN, until - time.monotonic()))

    def _stop_query(self, query: "StreamingQuery", seconds: float) -> None:
        # Unless told otherwise, Spark waits for a batch that hangs for as long as it hangs.
        self._context.session.conf.set("spark.sql.streaming.stopTimeout", f"{seconds * 1000:.0f}ms")
        try:
            query.stop()
        except Exception as error:  # noqa: BLE001 - its process ends, and with it what does not end by itself
            self._context.say(f"{self.name}: {words(error)}")

    def _begin(self, *, once: bool = False) -> "StreamingQuery":
        self._failure = None
        context, limits = self._context, self._context.spec.limits
        at_most, every = self._pace.batch(self._at_most, self._every)
        more = {}
        trigger: dict[str, Any] = {"availableNow": True} if once else {"processingTime": _milliseconds(every)}
        if limits.events_per_second is None and not once:
            # As often as that, and at once where a whole batch waits.
            look = min(self._every, _LOOK_EVERY)
            # Half a look sooner, or one that comes a moment early would wait for the next.
            delay = f"{max(1, int((self._every - look / 2) * 1000))}ms"
            more = {"minOffsetsPerTrigger": str(at_most), "maxTriggerDelay": delay}
            trigger = {"processingTime": _milliseconds(look)}
        context.session.sparkContext.setLocalProperty("spark.scheduler.pool", self.name)
        messages = context.follow(start=self._from(), at_most=at_most, more=more)
        writer = messages.writeStream.foreachBatch(self._batch).option(
            "checkpointLocation", context.checkpoint(self.name)
        )
        return writer.trigger(**trigger).queryName(f"{context.spec.slug}_{self.name}").start()

    def _batch(self, messages: "DataFrame", batch: int) -> None:
        # Without a turn, so that it can be stopped, and what there is to do beside batches is done meanwhile.
        self._pace.wait(self._stopping)
        with self._busy:
            if self._stopping.is_set():
                raise RuntimeError(_STOPPING)
            began, before = time.monotonic(), self._taken()
            try:
                self._take(messages, batch)
            except Exception as error:
                self._failure = error
                raise
            # As many as there were: for each partition Kafka's source gives one at least, whatever it is told.
            self._pace.took(self._taken() - before, began)
            self.went_well()

    def _taken(self) -> int:
        return self.meter.reading(None).events


class RoundsHop(Hop):
    """One that looks now and then whether there is something to do."""

    def __init__(
        self,
        name: str,
        title: str,
        to: str,
        meter: Meter,
        *,
        look: Callable[[], bool],
        every: float,
        say: Callable[[str], None],
    ) -> None:
        super().__init__(name, title, to, meter)
        self._look = look
        self._every = every
        self._say = say
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._rounds, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def once(self, stopping: threading.Event) -> None:
        if not stopping.is_set():
            self._look()

    def look(self) -> None:
        """Its thread does that itself."""

    def stop(self, seconds: float) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(timeout=seconds)

    def _rounds(self) -> None:
        pause = 0.0
        while not self._ended.wait(pause):
            began = time.monotonic()
            try:
                self._look()
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told, and tried again
                pause = self.went_wrong(error)
                self._say(f"{self.name}: {self.error}")
            else:
                self.went_well()
                pause = max(0.05, self._every - (time.monotonic() - began))


def _milliseconds(seconds: float) -> str:
    return f"{int(seconds * 1000)} milliseconds"
