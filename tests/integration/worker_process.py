"""Workers as people start them: processes, which a test may kill, pause and count on."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.integration.control_process import ControlProcess

PATIENCE = 180


class WorkerProcess:
    def __init__(self, control: ControlProcess, home: Path, name: str, *arguments: str) -> None:
        self.name = name
        self.log = control.directory / f"{name}.log"
        command = [sys.executable, "-m", "boathouse.cli.main", "worker", "--name", name]
        command += ["--results", control.results, *arguments]
        variables = {"BOATHOUSE_CONTROL_DATABASE": control.database, "BOATHOUSE_HOME": str(home)}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **variables})

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self, number: signal.Signals = signal.SIGKILL) -> int:
        # One that is paused hears nothing but this.
        self.process.send_signal(signal.SIGCONT)
        self.process.send_signal(number)
        return self.process.wait(timeout=60)


@contextmanager
def workers(control: ControlProcess, home: Path) -> Generator[Callable[..., WorkerProcess]]:
    """Start workers; all of them are ended when the block is over."""
    started: list[WorkerProcess] = []

    def start(name: str, *arguments: str) -> WorkerProcess:
        started.append(WorkerProcess(control, home, name, *arguments))
        return started[-1]

    try:
        yield start
    finally:
        for worker in started:
            if worker.process.poll() is None:
                worker.end()


class Workspace:
    """A workspace in the control plane, asked as a program does."""

    def __init__(self, control: ControlProcess) -> None:
        with httpx.Client(base_url=f"{control.url}/api/v1", trust_env=False, timeout=30) as browser:
            login = browser.post("/login", json={"name": "admin", "password": control.password}).json()
            browser.headers["X-Boathouse-CSRF"] = login["csrf"]
            token = browser.post("/tokens", json={"name": "test", "role": "admin"}).json()["secret"]
            browser.post("/workspaces", json={"name": "north"}).raise_for_status()
        headers = {"Authorization": f"Bearer {token}"}
        self.http = httpx.Client(
            base_url=f"{control.url}/api/v1/workspaces/north", headers=headers, trust_env=False, timeout=30
        )

    def job(self, name: str, **definition: Any) -> None:
        self.http.put(f"/jobs/{name}", json=definition).raise_for_status()

    def connection(self, name: str, kind: str, config: dict[str, Any], secrets: dict[str, str] | None = None) -> None:
        wanted = {"name": name, "kind": kind, "config": config, "secrets": secrets or {}}
        self.http.post("/connections", json=wanted).raise_for_status()

    def submit(self, name: str, **wanted: Any) -> str:
        answer = self.http.post(f"/jobs/{name}/runs", json=wanted)
        assert answer.is_success, answer.text
        return answer.json()["id"]

    def run(self, run_id: str) -> Any:
        return self.http.get(f"/runs/{run_id}").raise_for_status().json()

    def log(self, run_id: str) -> list[str]:
        lines: list[str] = []
        cursor = ""
        while True:
            page = self.http.get(f"/runs/{run_id}/logs", params={"cursor": cursor}).raise_for_status().json()
            lines += [line["text"] for line in page["lines"]]
            if page["complete"] or not page["lines"]:
                return lines
            cursor = page["next"]

    def ended(self, run_id: str) -> Any:
        return self.wait_until(run_id, lambda run: run["state"] not in {"pending", "starting", "running"})

    def wait_until(self, run_id: str, holds: Callable[[Any], bool]) -> Any:
        deadline = time.monotonic() + PATIENCE
        while True:
            run = self.run(run_id)
            if holds(run):
                return run
            assert time.monotonic() < deadline, run
            time.sleep(0.1)
