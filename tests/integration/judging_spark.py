"""How Spark judges messages, with what Arrow reads for it and without: a program, so that its Spark is nobody else's."""

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import orjson
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.stream import changes, plain
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.judging import ChangesJudge, EventsJudge
from boathouse.pipelines.stream.letters import rejected
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import StreamSpec
from boathouse.pipelines.stream.speed import as_kept
from boathouse.pipelines.stream.steps import through
from boathouse.pipelines.types import parse_type

Judging = Callable[[DataFrame], DataFrame]
_MESSAGE = "topic string, partition int, offset bigint, timestamp timestamp, key binary, value binary"
_MOMENT = "yyyy-MM-dd HH:mm:ss.SSSSSS"
_WHOLE = f"map('ignoreNullFields', 'false', 'timestampFormat', '{_MOMENT}', 'timestampNTZFormat', '{_MOMENT}')"


def main() -> None:
    """Given questions by name, each with a spec or tables by topic, and messages (topic, key, value) in base16.

    Tells for each message what is made of it, in both ways; of batches of them, what is learned. The arguments are jars
    that Spark has.
    """
    asked = orjson.loads(sys.stdin.buffer.read())
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        # As by default: long texts are there several times over.
        .config("spark.driver.memory", "2g")
        .config("spark.driver.extraClassPath", ":".join(sys.argv[1:]))
        .getOrCreate()
    )
    told: dict[str, Any] = {name: _learned(session, given) for name, given in asked.items() if "batches" in given}
    told |= {name: _planned(session, given) for name, given in asked.items() if "planned" in given}
    asked = {name: given for name, given in asked.items() if name not in told}
    told |= {name: {"with_arrow": _judged(session, given)} for name, given in asked.items()}
    plain.is_able = _unable
    for name, given in asked.items():
        # Where there is no schema, Arrow was not asked.
        if "tables" in given or "schema" in given["spec"]:
            told[name]["without"] = _judged(session, given)
    session.stop()
    sys.stdout.buffer.write(orjson.dumps(told))


def _unable(_columns: object) -> bool:
    return False


def _judged(session: SparkSession, given: dict[str, Any]) -> list[Any]:
    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(given["at_once"]))
    judge, told = _of_changes(given["tables"]) if "tables" in given else _of_events(given["spec"])
    judged = judge(_messages(session, given["messages"]))
    if "as_kept" in given:
        columns = StreamSpec.model_validate(given["spec"]).event_columns
        kept = F.struct(*(as_kept(F.col("row")[name], kind).alias(name) for name, kind in columns.items()))
        judged, told = judged.withColumn("kept", kept), ["to_json(kept) AS kept"]
    found: Iterable[Any] = judged.selectExpr("offset", "problem", *told).collect()
    ordered = sorted(found, key=lambda row: row["offset"])
    return [[row["problem"], None if row["problem"] else list(row[2:])] for row in ordered]


def _messages(session: SparkSession, given: Sequence[Any]) -> DataFrame:
    rows = [
        (topic, 0, number, None, *(None if text is None else bytes.fromhex(text) for text in texts))
        for number, (topic, *texts) in enumerate(given)
    ]
    return session.createDataFrame(rows, _MESSAGE)


def _learned(session: SparkSession, given: dict[str, Any]) -> list[Any]:
    """Of a topic whose source nobody can ask: after each batch, what is wrong with its events, and the columns and the key of the table."""
    topic = given["topic"]
    judge = ChangesJudge(Followed({topic: SourceTable(topic, {}, (), "f")}, dict[str, SourceTable]), keyed=True)
    found: list[Any] = []
    for batch in given["batches"]:
        messages, known = _messages(session, batch), judge.known()
        judged = judge.judge(messages)
        if judge.learn(judged, known):
            judged = judge.judge(messages)
        table = judge.followed.now()[topic]
        problems = [row["problem"] for row in judged.orderBy("offset").collect()]
        found.append([problems, list(table.columns), list(table.key)])
    return found


def _planned(session: SparkSession, given: dict[str, Any]) -> list[int]:
    """How long Spark's plans are: of all that is judged, and of what is rejected of it."""
    session.conf.set("spark.sql.debug.maxToStringFields", "100000")
    followed = Followed(tables := _tables(given["tables"]), lambda: tables)
    judged = ChangesJudge(followed, keyed=True).judge(_messages(session, given["planned"]))
    planned: list[Any] = [judged, rejected(judged, "load")]
    return [len(one._jdf.queryExecution().optimizedPlan().toString()) for one in planned]


def _of_events(spec: Any) -> tuple[Judging, list[str]]:
    return EventsJudge(StreamSpec.model_validate(spec)).judge, [f"to_json(row, {_WHOLE}) AS row", "key"]


def _of_changes(given: dict[str, Any]) -> tuple[Judging, list[str]]:
    tables = _tables(given)
    rows = [name(place) for place in range(len(tables)) for name in (changes.row_name, changes.before_name)]
    as_text = [f"to_json({name}, {_WHOLE}) AS {name}" for name in rows]
    unknown = "to_json(if(size(unknown) > 0, unknown, NULL)) AS unknown"
    steps = changes.judging(tables, quickly=True)
    return lambda messages: through(messages, steps), [
        "op",
        "lsn",
        "place",
        "tx",
        "unix_millis(source_at) AS source_at",
        unknown,
        *as_text,
        "key",
    ]


def _tables(given: dict[str, Any]) -> dict[str, SourceTable]:
    return {
        topic: SourceTable(
            topic, {name: parse_type(kind) for name, kind in table["columns"].items()}, tuple(table["key"]), "f"
        )
        for topic, table in given.items()
    }


main()
