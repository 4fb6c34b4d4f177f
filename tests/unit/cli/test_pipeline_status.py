"""How streaming pipelines fare, from the command line."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.integration.control_commands import Machine
from tests.unit.client.small_server import SmallServer

AT = "2026-01-02T03:04:05Z"
HOP: dict[str, Any] = {
    "name": "speed",
    "title": "Kafka to ClickHouse",
    "to": "meters",
    "state": "running",
    "events": 1_234_567,
    "rate": 512.4,
    "lag": 12,
    "freshness": 1.25,
    "batch": 17,
    "batch_seconds": 0.41,
    "last_at": AT,
    "error": None,
}
ALERT: dict[str, Any] = {
    "hop": "speed",
    "what": "lag",
    "value": 12.0,
    "limit": 10.0,
    "since": AT,
    "text": "It is 12 events behind.",
}


def pipeline(job: str = "meters", state: str = "running", *, began: bool = True, **more: Any) -> dict[str, Any]:
    """As the server tells one."""
    status = {"pipeline": job, "state": "running", "since": AT, "at": AT, "aims": {"events_per_second": 20_000}}
    stream = {
        "run_id": "r-1",
        "values": {},
        "state": state,
        "attempt": 2,
        "stop_by": None,
        "created_at": AT,
        "started_at": AT,
        "ended_at": None,
        "error": None,
        "status": {**status, "hops": [HOP], "rejected": 3, "alerts": [], "of_a_later_server": 1, **more},
    }
    own = {"job": job, "kind": "stream", "version": 1, "description": "", "paused": False, "due_at": None}
    return {**own, "table": "log.all", "format": "postgres", "lately": [], "stream": stream if began else None}


def test_each_hop_is_told_with_its_aim_and_what_falls_short(server: SmallServer, machine: Machine) -> None:
    server.tells(pipeline(alerts=[ALERT]))
    told = machine.run("pipeline", "status", "meters").stdout
    assert "meters  running  since 2026-01-02 03:04:05Z  attempt 2  run r-1" in told
    (line,) = [line for line in told.splitlines() if line.startswith("Kafka to ClickHouse")]
    assert line.split("meters")[1].split() == [
        "running",
        "1,234,567",
        "512",
        "20,000",
        "12",
        "1.2",
        "s",
        "17",
        "0.4",
        "s",
    ]
    assert "! It is 12 events behind." in told
    assert "3 rejected" in told
    assert "It has told nothing" not in told
    assert server.asked[0].path.endswith("/workspaces/north/pipelines/meters")


def test_of_the_source_it_is_told_how_much_of_its_log_is_unread(server: SmallServer, machine: Machine) -> None:
    source = {**HOP, "name": "source", "title": "Postgres to Kafka", "lag": None, "lag_bytes": 12_300_000}
    server.tells(pipeline(hops=[source]))
    told = machine.run("pipeline", "status", "meters").stdout
    (line,) = [line for line in told.splitlines() if line.startswith("Postgres to Kafka")]
    assert "12.3 MB" in line


@pytest.mark.parametrize("nothing_left", [{"lag": 0}, {"lag": None, "lag_bytes": 0}])
def test_a_hop_that_has_taken_everything_is_caught_up_however_old_the_newest_event_is(
    server: SmallServer, machine: Machine, nothing_left: dict[str, Any]
) -> None:
    server.tells(pipeline(hops=[{**HOP, **nothing_left, "freshness": 53.2}]))
    told = machine.run("pipeline", "status", "meters").stdout
    (line,) = [line for line in told.splitlines() if line.startswith("Kafka to ClickHouse")]
    assert "caught up" in line
    assert "53.2" not in line


def test_without_a_name_all_streams_are_told(server: SmallServer, machine: Machine) -> None:
    server.tells({"items": [pipeline(), pipeline("clicks", began=False)], "next": None})
    told = machine.run("pipeline", "status").stdout
    assert "clicks  was never started: boathouse job run clicks" in told
    assert "kind=stream" in server.asked[0].path
    server.tells({"items": [], "next": None})
    assert "No streaming pipeline is there" in machine.run("pipeline", "status").stdout


def test_of_one_that_is_over_the_figures_are_the_last(server: SmallServer, machine: Machine) -> None:
    over = pipeline(state="failed")
    over["stream"] |= {"error": "Kafka is away", "ended_at": AT}
    server.tells(over)
    told = machine.run("pipeline", "status", "meters").stdout
    assert "Kafka is away" in told
    assert "stopped" in told
    assert "512" not in told


def test_one_that_waits_for_its_next_try_is_not_at_work(server: SmallServer, machine: Machine) -> None:
    waits = pipeline(state="pending", alerts=[ALERT])
    waits["stream"] |= {"error": "Kafka is away"}
    server.tells(waits)
    told = machine.run("pipeline", "status", "meters").stdout
    assert "It waits for its next try: these figures are of 2026-01-02 03:04:05Z." in told
    assert "Kafka is away" in told
    (line,) = [line for line in told.splitlines() if line.startswith("Kafka to ClickHouse")]
    assert line.split("meters")[1].split()[:3] == ["waiting", "1,234,567", "-"]
    assert ALERT["text"] not in told


def test_one_that_tells_nothing_any_more_is_not_told_to_be_well(server: SmallServer, machine: Machine) -> None:
    hangs = pipeline()
    hangs["stream"] |= {"silent_seconds": 1234.5}
    server.tells(hangs)
    told = machine.run("pipeline", "status", "meters").stdout
    assert "It has told nothing for 1,234 s: these figures are as old as that." in told
    (line,) = [line for line in told.splitlines() if line.startswith("Kafka to ClickHouse")]
    assert line.split("meters")[1].split()[:3] == ["silent", "1,234,567", "-"]


def test_for_programs_it_is_json(server: SmallServer, machine: Machine) -> None:
    server.tells(pipeline())
    (told,) = json.loads(machine.run("pipeline", "status", "meters", "--json").stdout)
    assert (told["stream"]["state"], told["stream"]["status"]["hops"][0]["rate"]) == ("running", 512.4)


@pytest.mark.parametrize(
    "text", ["job: readings\nkind: stream\n", "pipeline: all readings\nsource: {kind: postgres}\n"]
)
def test_a_file_stands_for_its_job(server: SmallServer, machine: Machine, tmp_path: Path, text: str) -> None:
    file = tmp_path / "meters.yaml"
    file.write_text(text)
    if text.startswith("pipeline"):
        job = {"id": "j", "name": "readings", "version": 1, "paused": False, "due_at": None, "created_at": AT}
        definition = {"kind": "stream", "spec": {"pipeline": {"pipeline": "all readings"}}}
        server.tells(
            {"items": [pipeline("readings")], "next": None}, {**job, "updated_at": AT, "definition": definition}
        )
    server.tells(pipeline("readings"))
    assert "readings  running" in machine.run("pipeline", "status", str(file)).stdout
    assert server.asked[-1].path.endswith("/pipelines/readings")


def test_a_file_that_no_job_is_of_is_refused(server: SmallServer, machine: Machine, tmp_path: Path) -> None:
    file = tmp_path / "meters.yaml"
    file.write_text("pipeline: meters\nsource: {kind: postgres}\n")
    server.tells({"items": [], "next": None})
    told = " ".join(machine.run("pipeline", "status", str(file), code=4).stderr.split())
    assert "No job of north follows the pipeline" in told
    assert "A pipeline that runs as a process tells how it fares with `boathouse pipeline run" in told
    assert "meters.yaml --status FILE`" in told


def test_one_that_loads_files_is_no_stream(server: SmallServer, machine: Machine) -> None:
    server.tells({**pipeline("orders", began=False), "kind": "pipeline"})
    assert "follows no stream" in machine.run("pipeline", "status", "orders", code=3).stderr


def test_it_is_watched_until_somebody_has_seen_enough(
    server: SmallServer, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", wait)
    server.tells(pipeline(), pipeline())
    told = machine.run("pipeline", "status", "meters", "--watch", code=130).stdout
    assert (told.count("Kafka to ClickHouse"), waits) == (2, [1.0, 1.0])
