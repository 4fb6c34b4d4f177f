"""How a pipeline's messages become events: by the tables that it follows, or by the format of its topics."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.ingest.encodings import allow_encoding
from boathouse.pipelines.stream import changes, events, values
from boathouse.pipelines.stream.debezium import UNAVAILABLE_VALUE
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.own_columns import OF_ROWS, ORIGIN, is_ours
from boathouse.pipelines.stream.plain import PlainChanges, PlainEvents, is_able
from boathouse.pipelines.stream.plain.judged import Quick, QuickChanges, QuickEvents
from boathouse.pipelines.stream.plain.logged import Logged, LoggedChanges, LoggedEvents
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import KafkaSource, StreamSpec
from boathouse.pipelines.stream.steps import Step, chosen, through
from boathouse.pipelines.types import ColumnType, Primitive

_STRING, _LONG, _TIME = Primitive("string"), Primitive("long"), Primitive("timestamptz")
CHANGE: dict[str, ColumnType] = {
    "op": _STRING,
    "lsn": _LONG,
    "tx": _LONG,
    "source_at": _TIME,
    "value": _STRING,
}
_SAMPLES = 100


class Judge(Protocol):
    def columns(self) -> dict[str, ColumnType]:
        """Of the log that keeps the events, beside when they were written."""
        ...

    def judge(self, messages: DataFrame) -> DataFrame:
        """With the columns of ORIGIN, `raw`, `source_at`, `unknown` and `problem`, which is null where there is none."""
        ...

    def logged(self) -> list[Any]:
        """Out of what was judged: the columns of the log."""
        ...

    def plain(self) -> Logged | None:
        """How Arrow reads what is plain; None where nothing is."""
        ...

    def quick(self) -> Quick | None:
        """The same, for messages that are at hand."""
        ...

    def known(self) -> Any:
        """By which messages would be judged now."""
        ...

    def lacks_keys(self) -> bool:
        """Whether there are rows that nobody can tell apart before more is learned."""
        ...

    def learn(self, judged: DataFrame, known: Any) -> bool:
        """From what did not fit: whether more is known than when it was judged, so that it should be judged again."""
        ...


@dataclass
class ChangesJudge:
    followed: Followed
    keyed: bool = False
    """Whether rows are to be told apart."""
    _made: tuple[Any, list[Step], Column] | None = None
    """By which tables they are: the steps, and what is wrong after them."""

    def columns(self) -> dict[str, ColumnType]:
        return {**ORIGIN, **CHANGE}

    def judge(self, messages: DataFrame) -> DataFrame:
        now, made = self.followed.now(), self._made
        if made is None or made[0] != now:
            made = self._made = now, changes.judging(now), _problem(now)
        _, steps, problem = made
        return through(messages, steps).withColumn("problem", problem)

    def logged(self) -> list[Any]:
        return [*ORIGIN, "op", "lsn", "tx", "source_at", F.col("raw").cast("string").alias("value")]

    def plain(self) -> Logged | None:
        reader = self._reader()
        return LoggedChanges(reader) if reader else None

    def quick(self) -> Quick | None:
        reader = self._reader()
        return QuickChanges(reader) if reader else None

    def _reader(self) -> PlainChanges | None:
        tables = self.followed.now()
        # Those of which no key is known yet Spark judges, so that it is learned.
        able = not self.lacks_keys() and all(table.columns and is_able(table.columns) for table in tables.values())
        return PlainChanges(tables, UNAVAILABLE_VALUE) if able else None

    def known(self) -> Any:
        return self.followed.now()

    def lacks_keys(self) -> bool:
        return bool(self._without_key())

    def _without_key(self) -> list[str]:
        return [topic for topic, table in self.followed.now().items() if self.keyed and not table.key]

    def learn(self, judged: DataFrame, known: Any) -> bool:
        # Another hop may have learned it meanwhile.
        if self.followed.now() == known:
            self.followed.refresh()
            self._infer(judged)
            for topic in self._without_key():
                self._name_key(topic, judged)
        return self.followed.now() != known

    def _infer(self, judged: DataFrame) -> None:
        """Columns that the source does not have, or not any more."""
        names = judged.select("topic", F.explode("unknown").alias("name")).distinct().collect()
        known = {topic: table.columns for topic, table in self.followed.now().items()}
        left = {(topic, name) for topic, name in names if name not in known[topic] and not is_ours(name)}
        for topic in {topic for topic, _ in left}:
            odd = chosen(judged, (F.col("topic") == topic) & (F.size("unknown") > 0))
            rows = odd.select("texts", "unknown").limit(_SAMPLES).collect()
            # As events have them: in another order, each would have to be looked for in each.
            seen = (*(name for row in rows for name in row["unknown"]), *sorted(name for _, name in left))
            wanted = dict.fromkeys(name for name in seen if (topic, name) in left)
            self.followed.infer(topic, {name: [row["texts"].get(name) for row in rows] for name in wanted})

    def _name_key(self, topic: str, judged: DataFrame) -> None:
        """By what stands in the keys of events: of one that has none, or a strange one, nothing is learned."""
        names = F.map_keys(F.from_json("key", "map<string,string>"))
        known = values.names(self.followed.now()[topic].columns)
        told = chosen(judged, F.col("topic") == topic).select(names.alias("names"))
        usable = told.where((F.size("names") > 0) & (F.size(F.array_except("names", known)) == 0))
        found = Counter(tuple(row["names"]) for row in usable.limit(_SAMPLES).collect())
        if found:
            ((most, _),) = found.most_common(1)
            self.followed.name_key(topic, most)


@dataclass(frozen=True)
class EventsJudge:
    spec: StreamSpec

    def columns(self) -> dict[str, ColumnType]:
        return {**ORIGIN, **self.spec.event_columns}

    def judge(self, messages: DataFrame) -> DataFrame:
        if isinstance(self.spec.source, KafkaSource):
            allow_encoding(messages.sparkSession, self.spec.source.encoding)
        return through(messages, self._steps)

    @cached_property
    def _steps(self) -> list[Step]:
        return events.judging(self.spec)

    def logged(self) -> list[Any]:
        return [*ORIGIN, *(F.col("row")[name].alias(name) for name in self.spec.event_columns)]

    def plain(self) -> Logged | None:
        reader = self._reader()
        return LoggedEvents(reader) if reader else None

    def quick(self) -> Quick | None:
        reader = self._reader()
        return QuickEvents(reader) if reader else None

    def _reader(self) -> PlainEvents | None:
        columns = self.spec.columns or {}
        able = columns and is_able(columns)
        return PlainEvents(columns, UNAVAILABLE_VALUE, frozenset(self.spec.keys)) if able else None

    def known(self) -> Any:
        return None

    def lacks_keys(self) -> bool:
        return False

    def learn(self, judged: DataFrame, known: Any) -> bool:
        del judged, known
        return False


def _problem(tables: Mapping[str, SourceTable]) -> Column:
    """A column that is called as one of ours, or as another of its table but for the case, is nobody's to learn."""

    def is_another(name: Column) -> Column:
        known = [(F.col("topic") == topic, values.names(_lower(table.columns))) for topic, table in tables.items()]
        return F.array_contains(values.cases(known), F.lower(name))

    reasons = [
        _told(_is_ours, " has a name that is kept for where a change came from: rename it in its table"),
        _told(is_another, " differs only in its case from another column: rename it in its table"),
    ]
    suspect = F.col("problem").isNull() & (F.size("unknown") > 0)
    return F.when(suspect, values.interpreted(values.together(reasons))).otherwise(F.col("problem"))


def _told(is_wrong: Callable[[Column], Column], why: str) -> Column:
    wrong = F.filter("unknown", is_wrong)
    return F.when(F.size(wrong) > 0, F.concat(F.array_join(wrong, ", "), F.lit(why)))


def _lower(names: Iterable[str]) -> list[str]:
    return [name.lower() for name in names]


def _is_ours(name: Column) -> Column:
    return F.lower(name).isin(*sorted(OF_ROWS))
