"""A streaming pipeline's job: the command that follows it, what it tells meanwhile, and what it reads and writes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import orjson
import pytest

from boathouse.control.jobs.kinds import checked
from boathouse.control.jobs.kinds.kind import Attempt
from boathouse.control.jobs.kinds.stream import Stream
from boathouse.control.jobs.schemas import Definition
from boathouse.control.jobs.stream_status import STREAM
from boathouse.control.jobs.touched import Touched
from boathouse.control.worker.runner.commands import run_command
from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.stream.spec import StreamSpec as StreamPipeline
from boathouse.pipelines.stream.targets import own_name
from tests.fake_stream.program import COMMAND

SPEC: dict[str, Any] = {
    "pipeline": "meters",
    "source": {"kind": "postgres", "tables": ["public.readings", "billing.invoices"]},
    "bronze": {"table": "meters_log.changes"},
    "silver": {"namespace": "meters"},
    "speed": {"database": "meters", "rollups": [{"name": "per_hour", "table": "public.readings", "by": {"h": "x"}}]},
}
FILES = {"pipeline": "orders", "source": {"path": "s3://lake/x", "format": "csv"}, "target": {"table": "sales.orders"}}


class Told:
    """An attempt that keeps what it is told."""

    def __init__(self, folder: Path, **spec: Any) -> None:
        self.spec = {"pipeline": SPEC, **spec}
        self.values: Mapping[str, Any] = {}
        self.scratch = str(folder)
        self.commands: list[list[str]] = []
        self.statuses: list[Any] = []
        self.lines: list[str] = []
        self.touched: list[Touched] = []
        self.reports: list[Any] = []

    def run(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.commands.append(list(command))
        run_command(command, environment, self.scratch, lambda _stream, line: self.lines.append(line))

    def progress(self, told: Mapping[str, Any]) -> None:
        self.statuses.append(told[STREAM])

    def log(self, text: str, *, stream: str = "out") -> None:
        self.lines.append(f"{stream}: {text}")

    def touches(self, touched: Touched) -> None:
        self.touched.append(touched)

    def report(self, told: Mapping[str, Any]) -> None:
        self.reports.append(told)


def test_it_is_a_command_that_tells_how_it_fares_to_its_end(tmp_path: Path) -> None:
    told = Told(tmp_path, once=True)
    Stream(COMMAND).execute(cast(Attempt, told))
    (command,) = told.commands
    assert command[len(COMMAND) : len(COMMAND) + 2] == ["pipeline", "run"]
    assert command[-1] == "--once"
    last = told.statuses[-1]
    assert (last["pipeline"], last["state"], len(last["hops"])) == ("meters", "ended", 4)
    assert "of_a_later_version" not in last
    assert told.lines[0].startswith("meters begins as process ")
    assert told.lines[1:] == ["The last batch is written"]


def _writing(told: Told, written: bytes) -> None:
    def run(command: Sequence[str], environment: Mapping[str, str]) -> None:
        del environment
        Path(command[command.index("--status") + 1]).write_bytes(written)
        Path(command[command.index("--report") + 1]).write_text('{"kind": "stream"}')

    told.run = run
    Stream().execute(cast(Attempt, told))


STATUS: dict[str, Any] = {
    "pipeline": "meters",
    "state": "running",
    "since": "2026-01-31T00:00:00Z",
    "at": "2026-01-31T00:00:01Z",
    "aims": {},
    "rejected": 0,
    "alerts": [],
    "hops": [{"name": "speed", "title": "t", "to": "x", "state": "failing", "events": 1, "rate": 0.5, "error": "a\0b"}],
}


def test_what_it_reads_and_writes_is_told_once_it_runs_and_its_report_is_kept(tmp_path: Path) -> None:
    told = Told(tmp_path)
    _writing(told, orjson.dumps(STATUS))
    assert told.statuses[0]["hops"][0]["error"] == "a\ufffdb"
    (touched,) = told.touched
    assert touched.reads == {"postgres.public.readings", "postgres.billing.invoices"}
    assert touched.writes == {
        "meters_log.changes", "meters.readings", "meters.billing_invoices",
        "clickhouse.meters.readings", "clickhouse.meters.billing_invoices", "clickhouse.meters.per_hour",
    }  # fmt: skip
    assert told.reports == [{"kind": "stream"}]


@pytest.mark.parametrize("written", [b"", b"{", b"[]", b'{"pipeline": "meters"}', orjson.dumps({**STATUS, "hops": 1})])
def test_a_status_that_nobody_understands_stops_nothing(tmp_path: Path, written: bytes) -> None:
    told = Told(tmp_path)
    _writing(told, written)
    assert (told.statuses, len(told.lines)) == ([], 1 if written else 0)


def test_topics_of_kafka_are_read() -> None:
    spec = {"source": {"kind": "kafka", "topics": ["shop.clicks"], "format": "json"}, "bronze": {"table": "shop.log"}}
    attempt = SimpleNamespace(spec={"pipeline": {**spec, "speed": {"database": "shop"}}}, values={})
    touched = Stream().touched(cast(Attempt, attempt))
    assert touched.reads == {"kafka.shop.clicks"}
    assert touched.writes == {"shop.log", "clickhouse.shop.log"}


def test_tables_are_told_as_the_stream_calls_them() -> None:
    topics = ["prod.public.orders", "prod.billing.order-items", "prod.shop.public.orders", "Plain"]
    source = {"kind": "kafka", "topics": topics, "format": "debezium"}
    spec = {"pipeline": "p", "source": source, "bronze": {"table": "shop.log"}, "silver": {"namespace": "shop"}}
    attempt = SimpleNamespace(spec={"pipeline": spec}, values={})
    names = [own_name(table) for table in StreamPipeline.model_validate(spec).source_tables]
    written = {"shop.log", *(f"shop.{name}" for name in names)}
    assert Stream().touched(cast(Attempt, attempt)).writes == written


def test_a_spec_that_says_little_is_judged_elsewhere() -> None:
    attempt = SimpleNamespace(spec={"pipeline": {"source": {"kind": "postgres"}, "bronze": 1, "speed": []}}, values={})
    assert not Stream().touched(cast(Attempt, attempt))


@pytest.mark.parametrize(
    ("definition", "hint"),
    [
        ({"kind": "pipeline", "spec": {"pipeline": SPEC}}, "the kind stream"),
        ({"kind": "stream", "spec": {"pipeline": FILES}}, "the kind pipeline"),
        ({"kind": "stream", "spec": {"pipeline": SPEC}, "concurrency": {"most": 2}}, "make it 1"),
        ({"kind": "stream", "spec": {"pipeline": {**SPEC, "pipeline": "{{name}}"}}}, "Add it to the parameters"),
        ({"kind": "flow", "spec": {"tasks": [{"name": "a", "kind": "stream", "spec": {"pipeline": SPEC}}]}}, "once"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_to_do(definition: dict[str, Any], hint: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        checked(Definition.model_validate(definition))
    assert hint in (refused.value.hint or "")


def test_one_that_ends_can_be_a_task_of_a_flow() -> None:
    task = {"name": "a", "kind": "stream", "spec": {"pipeline": SPEC, "once": True}}
    checked(Definition.model_validate({"kind": "flow", "spec": {"tasks": [task]}}))
