"""Rejected events replayed: judged anew, as they were or as they were mended, and put where they belong in the order.

They keep their place in the source's log, so a replayed change that was overtaken meanwhile changes nothing but the log.
ClickHouse comes first, where doing it twice does no harm; the log and the note of what became of each are one commit.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random

from boathouse.kit.access import LakeAccess, of_stream
from boathouse.kit.catalog_client import CatalogClient
from boathouse.kit.deadletters.book import Book, Place, Wanted
from boathouse.kit.deadletters.desk import CREATE_MENDS, Desk
from boathouse.kit.deadletters.ledger import Action, Entry, RejectState, as_rows, next_moment
from boathouse.kit.deadletters.topics import origin
from boathouse.kit.errors import Conflict, NotFound
from boathouse.kit.ids import new_uuid
from boathouse.kit.relations import MENDS_SUFFIX
from boathouse.pipelines.ingest.report import Report, RuleCount
from boathouse.pipelines.ingest.staging import Staging
from boathouse.pipelines.stream.bronze import Bronze
from boathouse.pipelines.stream.clickhouse_tables import REMEMBERED
from boathouse.pipelines.stream.context import StreamContext
from boathouse.pipelines.stream.debezium import Connectors, rows_from
from boathouse.pipelines.stream.judging import ChangesJudge
from boathouse.pipelines.stream.letters import Letter, letter_of
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.plain.writing import MESSAGE_SCHEMA
from boathouse.pipelines.stream.source import judge_of
from boathouse.pipelines.stream.spec import PostgresSource, StreamSpec
from boathouse.pipelines.stream.steps import chosen

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from boathouse.pipelines.stream.speed import Speed

_MOST = 10_000
# Held here several times over, as texts, as letters and as what Spark is sent.
_MOST_BYTES = 64 * 1024 * 1024
# Run again after a crash, a round repeats its inserts: the first of them must still be known then, and meanwhile the stream
# itself makes some every second.
_MOST_BY_TOKENS = REMEMBERED // 5
# The stream itself commits all the time, and whoever is second tries again.
_ATTEMPTS = 12


class StreamReplay:
    """`by` is who wants it."""

    def __init__(
        self,
        spec: StreamSpec,
        session: "SparkSession",
        access: LakeAccess,
        say: Callable[[str], None],
        *,
        wanted: Wanted,
        by: str,
    ) -> None:
        self._context = StreamContext(spec, session, access, say)
        self._wanted = replace(wanted, state=RejectState.OPEN)
        self._by = by
        self._table = spec.bronze.table
        self._desk = Desk(self._table, access.catalog, access.object_store)
        self._client = CatalogClient(access.catalog)
        self._judge = judge_of(self._context, self._client)
        if isinstance(spec.source, PostgresSource) and isinstance(self._judge, ChangesJudge):
            # Rows that were there count as the stream counts them.
            with closing(Connectors(of_stream(access.connect, "Kafka Connect"))) as connectors:
                self._judge.followed.read_from(rows_from(connectors.following(spec.slug)))
        self._tried: set[str] = set()
        self._inserted: set[str] = set()
        """By tokens: a round that is tried again leaves them, however much the stream has inserted since."""

    def run(self) -> Report:
        began = time.monotonic()
        self._refuse_unknown()
        again = Retrying(
            stop=stop_after_attempt(_ATTEMPTS),
            wait=wait_random(0, 2),
            retry=retry_if_exception_type(Conflict),
            reraise=True,
        )
        report = Report(self._context.spec.pipeline, str(self._table), kind="replay")
        while (done := again(self._round)) is not None:
            report = _sum(report, done)
        return replace(report, seconds=round(time.monotonic() - began, 3))

    def _refuse_unknown(self) -> None:
        book = self._desk.book(ids=self._wanted.ids or ())
        for one in sorted(self._wanted.ids or ()):
            if not book.has(one):
                raise NotFound(
                    f"There is no rejected event {one!r} of {self._table}.",
                    hint="`boathouse deadletter list` shows their ids.",
                )

    def _round(self) -> Report | None:
        staging = Staging(self._client, self._context.access.object_store, load_id := new_uuid())
        try:
            mends = staging.copy(self._table.beside(MENDS_SUFFIX), CREATE_MENDS)
            book = self._desk.book(mends.base, ids=self._wanted.ids or ())
            letters = list(self._letters(self._next(book)))
            if not letters:
                self._say_if_more(book)
                return None
            self._context.say(f"replaying {len(letters):,} rejected event{'s' if len(letters) > 1 else ''}")
            problems = self._judged(letters)
            good = [letter for letter in letters if problems[letter.place.id] is None]
            if good:
                self._to_clickhouse(good)
                self._to_log(good, staging)
            at = next_moment(book.fates)
            entries = [self._entry(letter, problems[letter.place.id], at, load_id) for letter in letters]
            rows = self._context.session.createDataFrame(as_rows(entries))
            rows.writeTo(self._context.spark_name(mends.name)).append()
            published = staging.publish().get(self._table, {})
            self._tried |= {letter.place.id for letter in letters}
            return self._report(letters, problems, load_id, published.get("current-snapshot-id"))
        finally:
            staging.discard()

    def _next(self, book: Book) -> list[Place]:
        left = [place for place in book.find(self._wanted) if place.id not in self._tried]
        # Two were in one place if the topic was made anew, or the log rolled back without its rejects. A verdict is told by
        # the place, so only one of them is in a round: the older, whose place the newer takes in ClickHouse then.
        by_place = {(place.file, place.line): place for place in left}
        most = _MOST_BY_TOKENS if _counts_by_tokens(self._context.spec) else _MOST
        return list(by_place.values())[:most]

    def _say_if_more(self, book: Book) -> None:
        if self._wanted.ids is None and not book.tells_all(self._wanted):
            self._context.say(
                "there are so many open rejected events that only the newest were tried; discard those that cannot be mended"
            )

    def _letters(self, places: Sequence[Place]) -> Iterator[Letter]:
        """As many of them as go at once."""
        texts = self._desk.texts(places, room=_MOST_BYTES)
        for place in places:
            if place.id in texts:
                yield letter_of(place, texts[place.id], self._context.spec.form)

    def _messages(self, letters: Sequence[Letter]) -> "DataFrame":
        rows: list[tuple[Any, ...]] = []
        for letter in letters:
            topic, partition = origin(letter.place.file)
            rows.append((topic, partition, letter.place.line, letter.kafka_at, letter.key, letter.raw))
        return self._context.session.createDataFrame(rows, MESSAGE_SCHEMA)

    def _judged(self, letters: Sequence[Letter]) -> dict[str, str | None]:
        """What is still wrong with each."""
        refused = {letter.place.id: letter.problem for letter in letters if letter.problem is not None}
        letters = [letter for letter in letters if letter.problem is None]
        messages, known = self._messages(letters), self._judge.known()
        judged = self._judge.judge(messages)
        if self._judge.learn(judged, known):
            judged = self._judge.judge(messages)
        told = judged.select("topic", "partition", "offset", "problem").collect()
        by_place = {(row["topic"], row["partition"], row["offset"]): row["problem"] for row in told}
        judged_so = {each.place.id: by_place[(*origin(each.place.file), each.place.line)] for each in letters}
        return {**judged_so, **refused}

    def _to_log(self, letters: Sequence[Letter], staging: Staging) -> None:
        log = staging.copy(self._table, Bronze(self._context, self._judge, self._client, Meter()).create_request())
        good = chosen(self._judge.judge(self._messages(letters)), F.col("problem").isNull())
        rows = good.select(
            *self._judge.logged(), F.current_timestamp().alias("written_at"), F.lit(True).alias("replayed")
        )
        rows.writeTo(self._context.spark_name(log.name)).append()

    def _to_clickhouse(self, letters: Sequence[Letter]) -> None:
        spec = self._context.spec.speed
        if spec is None:
            return
        from boathouse.pipelines.stream.clickhouse import Warehouse
        from boathouse.pipelines.stream.speed import Speed

        access = of_stream(self._context.access.clickhouse, "ClickHouse")
        with closing(Warehouse(access, spec.database)) as warehouse:
            speed = Speed(self._context, self._judge, Meter(), spec, warehouse, beside=True)
            if _counts_by_tokens(self._context.spec):
                self._one_by_one(letters, speed)
            else:
                # However often that is done, sums are counted anew from the rows.
                speed.insert_late(self._messages(letters), f"replay/{new_uuid()}")

    def _one_by_one(self, letters: Sequence[Letter], speed: "Speed") -> None:
        """Each with a token of its own, as nobody knows which will be together the next time."""
        for letter in letters:
            if letter.place.id not in self._inserted:
                speed.insert(self._messages([letter]), f"replay/{letter.place.id}")
                self._inserted.add(letter.place.id)

    def _entry(self, letter: Letter, problem: str | None, at: Any, load_id: str) -> Entry:
        action = Action.REPLAYED if problem is None else Action.FAILED
        return Entry(letter.place.id, action, at, self._by, letter.place.fate.raw, problem, load_id)

    def _report(
        self, letters: Sequence[Letter], problems: dict[str, str | None], load_id: str, snapshot: int | None
    ) -> Report:
        failed = [problem for problem in problems.values() if problem is not None]
        rules = [RuleCount(problem, "quarantine", failed.count(problem)) for problem in sorted(set(failed))]
        return Report(
            self._context.spec.pipeline,
            str(self._table),
            kind="replay",
            load_id=load_id,
            snapshot_id=snapshot,
            rows_in=len(letters),
            rows_written=len(letters) - len(failed),
            rows_quarantined=len(failed),
            rules=rules,
        )


def _counts_by_tokens(spec: StreamSpec) -> bool:
    """Whether there are sums that cannot be counted anew, and know a repeated insert by its token alone.

    Of events with keys ClickHouse keeps the last one of each, and the sums are of all.
    """
    return bool(spec.keys and spec.speed is not None and spec.speed.rollups)


def _sum(whole: Report, part: Report) -> Report:
    names = ("rows_in", "rows_written", "rows_quarantined")
    figures = {name: getattr(whole, name) + getattr(part, name) for name in names}
    return replace(part, **figures, rules=[*whole.rules, *part.rules])
