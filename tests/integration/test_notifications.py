"""From a run that fails to the message about it, with the processes and commands that people use. No Spark is needed to fail."""

import json
import re
import signal
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.control_commands import Machine
from tests.integration.control_process import ControlProcess
from tests.integration.worker_process import PATIENCE, WorkerProcess, workers
from tests.receivers import PASSWORD, SECRET, Receiver, mail_server, webhook_receiver

SQL = "job: daily\nkind: sql\nspec: {sql: SELECT 1}\n"


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Generator[ControlProcess]:
    with ControlProcess(tmp_path_factory.mktemp("control")) as control:
        yield control


@pytest.fixture
def machine(control: ControlProcess, tmp_path: Path) -> Machine:
    """Logged in, in a workspace of its own with a job."""
    machine = Machine(tmp_path)
    machine.log_in(control)
    name = f"pier-{time.time_ns()}"
    machine.run("workspace", "create", name)
    machine.run("workspace", "use", name)
    (tmp_path / "daily.yaml").write_text(SQL)
    machine.run("job", "apply", str(tmp_path / "daily.yaml"))
    return machine


@pytest.fixture
def worker(control: ControlProcess, tmp_path: Path) -> Generator[WorkerProcess]:
    keys = ("--keys", str(control.directory / "keys.json"), "--public-url", control.url)
    with workers(control, tmp_path / "no-lakehouse") as start:
        yield start("sender", *keys, "--metrics-port", "0")


@pytest.fixture
def receiver() -> Generator[Receiver]:
    with webhook_receiver() as receiver:
        yield receiver


def wait_for(holds: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return found


def metrics_port(worker: WorkerProcess) -> int:
    def told() -> int | None:
        lines = [json.loads(line) for line in worker.log.read_text().splitlines() if line.startswith("{")]
        return next((line["port"] for line in lines if line["event"] == "worker.metrics"), None)

    return wait_for(told)


def fail_a_run(machine: Machine) -> str:
    run = machine.told("job", "run", "daily", "--no-wait")
    return wait_for(lambda: machine.told("run", "show", run["id"])["state"] == "failed") and run["id"]


def test_a_run_that_fails_is_told_to_a_webhook(
    machine: Machine, worker: WorkerProcess, receiver: Receiver, control: ControlProcess
) -> None:
    create = ("connection", "create", "hook", "--kind", "webhook", "--set", f"url={receiver.url}")
    machine.run(*create, "--secret-stdin", "secret", given=SECRET)
    machine.run("notification", "create", "nights", "--connection", "hook", "--event", "run-failed", "--job", "da*")
    assert "send it" in machine.run("notification", "test", "nights").stdout
    run_id = fail_a_run(machine)
    wait_for(lambda: len(receiver.got) == 2)
    assert receiver.types == ["test", "run-failed"]
    told = receiver.got[1][1]["data"]["run"]
    assert told["id"] == run_id
    assert re.fullmatch(rf"{control.url}/w/pier-\d+/runs/{run_id}", told["url"])
    (delivery,) = wait_for(
        lambda: [one for one in machine.told("notification", "deliveries", "nights") if one["ended_at"]]
    )
    assert (delivery["id"], delivery["state"], delivery["run_id"]) == (receiver.got[1][0], "sent", run_id)
    figures = httpx.get(f"http://127.0.0.1:{metrics_port(worker)}/metrics", trust_env=False).text
    for line in (
        "boathouse_worker_attempts_claimed_total 1.0",
        'boathouse_worker_attempts_ended_total{outcome="failed"} 1.0',
        'boathouse_worker_deliveries_total{outcome="sent"} 1.0',
        "boathouse_worker_attempts_running 0.0",
        "boathouse_worker_slots 4.0",
        "boathouse_worker_queue_runs 0.0",
    ):
        assert line in figures


def test_and_by_mail(machine: Machine, worker: WorkerProcess, tmp_path: Path) -> None:
    with mail_server() as mailbox:
        config = {"host": "127.0.0.1", "port": mailbox.port, "user": "harbour", "sender": "boathouse@harbour.org"}
        file = tmp_path / "mail.json"
        file.write_text(json.dumps({"kind": "smtp", "config": {**config, "authority": mailbox.authority}}))
        machine.run("connection", "create", "mail", "--file", str(file), "--secret-stdin", "password", given=PASSWORD)
        assert machine.told("connection", "test", "mail")["ok"]
        machine.run("notification", "create", "nights", "--connection", "mail", "--to", "ann@harbour.org")
        run_id = fail_a_run(machine)
        (message,) = wait_for(lambda: mailbox.got)
        assert (message["To"], run_id in message.get_content()) == ("ann@harbour.org", True)


def test_a_notification_is_shown_changed_and_removed(machine: Machine, receiver: Receiver) -> None:
    create = ("connection", "create", "hook", "--kind", "webhook", "--set", f"url={receiver.url}")
    machine.run(*create, "--secret-stdin", "secret", given=SECRET)
    made = machine.told("notification", "create", "nights", "--connection", "hook", "--job", "daily")
    assert "run-failed" in made["events"]
    assert "stream-alert" in made["events"]
    changed = machine.told("notification", "edit", "nights", "--event", "run-failed", "--all-jobs", "--disable")
    assert (changed["events"], changed["jobs"], changed["enabled"]) == (["run-failed"], [], False)
    assert "disabled" in machine.run("notification", "list").stdout
    assert "webhook hook" in machine.run("notification", "show", "nights").stdout
    receiver.answers = [500]
    machine.run("notification", "test", "nights", code=1)
    assert "Add --yes" in machine.run("notification", "remove", "nights", code=3).stderr
    machine.run("notification", "remove", "nights", "--yes")
    assert machine.told("notification", "list") == []


def test_workers_are_listed_while_they_are_there(machine: Machine, worker: WorkerProcess) -> None:
    def own() -> list[Any]:
        # One that was killed before is listed until it is forgotten.
        return [one for one in machine.told("worker", "list")["items"] if one["pid"] == worker.process.pid]

    (found,) = wait_for(own)
    assert (found["id"], found["slots"], found["is_silent"]) == ("sender", 4, False)
    shown = machine.run("worker", "list")
    assert "sender" in shown.stdout
    assert "slots" in shown.stderr
    worker.end(signal.SIGTERM)
    assert own() == []
