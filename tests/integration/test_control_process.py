"""The control plane as people start it: a process that tells the first password once and leaves nothing unsaid."""

import re
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from tests.integration.control_process import ControlProcess, first_password


@pytest.fixture
def control(tmp_path: Path) -> Generator[ControlProcess]:
    control = ControlProcess(tmp_path)
    yield control
    if control.process is not None and control.process.poll() is None:
        control.process.kill()
        control.process.wait(timeout=30)


def test_the_first_password_is_told_once_and_works(control: ControlProcess) -> None:
    said = control.start()
    found = re.search(r"'admin' with the password (\S+)", said)
    assert found is not None, said
    login = {"name": "admin", "password": found[1]}
    with httpx.Client(base_url=control.url, trust_env=False) as browser:
        assert browser.post("/api/v1/login", json=login).status_code == 200
        assert browser.get("/api/v1/me").json()["name"] == "admin"
    assert control.stop() == 0
    assert "password" not in control.start()
    with httpx.Client(base_url=control.url, trust_env=False) as browser:
        assert browser.post("/api/v1/login", json=login).status_code == 200
    assert control.stop() == 0
    assert found[1] not in (control.directory / "log").read_text()
    requests = [line for line in control.lines() if line["event"] == "request" and line["path"] == "/api/v1/me"]
    assert requests[0]["user"] == "admin"
    assert requests[0]["status"] == 200
    assert requests[0]["request_id"]


def test_it_survives_a_kill_and_keeps_what_it_answered(control: ControlProcess) -> None:
    password = control.set_password(first_password(control.start()))
    with httpx.Client(base_url=control.url, trust_env=False) as browser:
        csrf = browser.post("/api/v1/login", json={"name": "admin", "password": password}).json()["csrf"]
        made = browser.post("/api/v1/workspaces", json={"name": "north"}, headers={"X-Boathouse-CSRF": csrf})
        assert made.status_code == 201
        control.stop(signal.SIGKILL)
        control.start()
        assert browser.get("/api/v1/workspaces").json()["items"][0]["name"] == "north"
        assert browser.get("/api/v1/audit/verify").json()["holds"]


def test_with_a_local_token_no_password_is_told(tmp_path: Path) -> None:
    file = tmp_path / "token"
    control = ControlProcess(tmp_path, None, "--local-token-file", str(file))
    for _ in range(2):
        assert control.start() == ""
        headers = {"Authorization": f"Bearer {file.read_text()}"}
        assert httpx.get(f"{control.url}/api/v1/me", headers=headers, trust_env=False).json()["name"] == "admin"
        assert control.stop() == 0
    assert file.read_text() not in (tmp_path / "log").read_text()


def test_its_keys_can_be_changed_while_secrets_are_kept(control: ControlProcess) -> None:
    password = control.set_password(first_password(control.start()))
    connection = {
        "name": "lake",
        "kind": "s3",
        "config": {"endpoint": "http://127.0.0.1:1", "bucket": "lake", "access_key": "k"},
        "secrets": {"secret_key": "oars"},
    }
    with httpx.Client(base_url=f"{control.url}/api/v1", trust_env=False) as browser:
        csrf = browser.post("/login", json={"name": "admin", "password": password}).json()["csrf"]
        browser.headers["X-Boathouse-CSRF"] = csrf
        browser.post("/workspaces", json={"name": "north"}).raise_for_status()
        browser.post("/workspaces/north/connections", json=connection).raise_for_status()
        command = [sys.executable, "-m", "boathouse.cli.main", "control", "rotate-keys", "--database", control.database]
        command += ["--keys", str(control.directory / "keys.json")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        assert "1 secret now under a new key" in done.stdout
        control.stop()
        control.start()
        steps = browser.post("/workspaces/north/connections/lake/test").json()["steps"]
    assert [(step["name"], step["ok"]) for step in steps][:2] == [("read the secrets", True), ("find the host", True)]


def test_a_proxy_that_is_trusted_is_believed_from_where_a_request_comes(tmp_path: Path) -> None:
    with ControlProcess(tmp_path, None, "--trusted-proxy", "127.0.0.2") as control:
        for nearest in ("127.0.0.2", "127.0.0.3"):
            transport = httpx.HTTPTransport(local_address=nearest)
            with httpx.Client(base_url=f"{control.url}/api/v1", transport=transport) as proxy:
                headers = {"X-Forwarded-For": "203.0.113.9"}
                proxy.post("/login", json={"name": "ann", "password": "wrong"}, headers=headers)
        with httpx.Client(base_url=f"{control.url}/api/v1", trust_env=False) as browser:
            browser.post("/login", json={"name": "admin", "password": control.password}).raise_for_status()
            failed = browser.get("/audit", params={"result": "unauthenticated"}).json()["items"]
    assert [entry["address"] for entry in failed] == ["127.0.0.3", "203.0.113.9"]


def test_a_wrong_address_is_a_sentence(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "boathouse.cli.main",
        "control",
        "serve",
        "--database",
        "mysql://x/y",
        "--port",
        "0",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "is not a database that the control plane can use" in done.stderr
    assert "Traceback" not in done.stderr
