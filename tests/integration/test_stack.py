"""The started lakehouse: who may reach it, and what it shows of itself."""

import json
import stat
import subprocess

import httpx
import obstore
import psutil
import pytest

from boathouse.stack.object_access import object_store
from boathouse.stack.ports import LOOPBACK
from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.stack


def secrets_of(stack: LakehouseUnderTest) -> list[str]:
    access = stack.access
    assert access.control is not None
    secrets = (access.object_store.secret_key, access.catalog.token, access.spark.token, access.control.token)
    return [secret.get_secret_value() for secret in secrets]


def processes_of(stack: LakehouseUnderTest) -> list[psutil.Process]:
    status = stack.status()
    assert status
    leaders = [process for service in status.services if (process := service.process())]
    return [psutil.Process(pid) for leader in leaders for pid in leader.session()] + [psutil.Process(status.pid)]


def test_status_shows_every_service_healthy(stack: LakehouseUnderTest) -> None:
    shown = stack.cli("status", "--json")
    assert shown.returncode == 0
    services = {service["name"]: service for service in json.loads(shown.stdout)["services"]}
    assert list(services) == ["object-store", "catalog", "control", "worker", "spark"]
    assert all(service["state"] == "healthy" and service["memory"] > 0 for service in services.values())
    table = stack.cli("status").stdout
    assert all(name in table for name in services)


def test_objects_are_written_and_read_with_the_keys(stack: LakehouseUnderTest) -> None:
    store = object_store(stack.access.object_store)
    obstore.put(store, "test/hello", b"world")
    assert bytes(obstore.get(store, "test/hello").bytes()) == b"world"


@pytest.mark.parametrize("path", ["", "/{bucket}", "/{bucket}/test/secret", "/{bucket}?list-type=2"])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_nobody_reaches_the_objects_without_the_keys(stack: LakehouseUnderTest, method: str, path: str) -> None:
    access = stack.access.object_store
    answer = httpx.request(method, access.endpoint + path.format(bucket=access.bucket), trust_env=False)
    assert answer.status_code in {401, 403, 405}


def test_nobody_reaches_the_objects_behind_the_back_of_s3(stack: LakehouseUnderTest) -> None:
    ports = json.loads((stack.home / "ports.json").read_text())
    bucket = f"buckets/{stack.access.object_store.bucket}/test"
    for method, url in (
        ("GET", f"http://{LOOPBACK}:{ports['object-store.filer']}/{bucket}/"),
        ("PUT", f"http://{LOOPBACK}:{ports['object-store.filer']}/{bucket}/planted"),
        ("DELETE", f"http://{LOOPBACK}:{ports['object-store.filer']}/{bucket}/"),
        ("POST", f"http://{LOOPBACK}:{ports['object-store.volume']}/1,01637037d6"),
    ):
        assert httpx.request(method, url, trust_env=False).status_code == 401, (method, url)


def test_the_catalog_wants_its_token(stack: LakehouseUnderTest) -> None:
    url = f"{stack.access.catalog.uri}/v1/config?warehouse={stack.access.catalog.warehouse}"
    token = stack.access.catalog.token.get_secret_value()
    assert httpx.get(url, trust_env=False).status_code == 401
    assert httpx.get(url, headers={"Authorization": f"Bearer {token}"}, trust_env=False).status_code == 200


def test_the_control_plane_wants_its_token(stack: LakehouseUnderTest) -> None:
    access = stack.access.control
    assert access is not None
    assert httpx.get(f"{access.uri}/api/v1/me", trust_env=False).status_code == 401
    token = access.token.get_secret_value()
    told = httpx.get(f"{access.uri}/api/v1/me", headers={"Authorization": f"Bearer {token}"}, trust_env=False)
    assert told.json()["name"] == "admin"


def test_the_command_line_finds_the_control_plane_and_its_token(stack: LakehouseUnderTest) -> None:
    shown = stack.cli("user", "show", "--json", "--server", "local")
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["is_platform_admin"]


def test_no_password_is_told_to_the_log(stack: LakehouseUnderTest) -> None:
    assert "password" not in (stack.home / "logs" / "control.log").read_text()


def test_everything_listens_on_loopback_only(stack: LakehouseUnderTest) -> None:
    listening = [
        connection.laddr
        for process in processes_of(stack)
        for connection in process.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert listening
    assert {address[0] for address in listening} <= {LOOPBACK, f"::ffff:{LOOPBACK}", "::1"}


def test_no_secret_is_on_a_command_line_or_in_a_log(stack: LakehouseUnderTest) -> None:
    shown = [" ".join(process.cmdline()) for process in processes_of(stack)]
    shown += [log.read_text(errors="replace") for log in (stack.home / "logs").iterdir()]
    shown += [(stack.home / "run" / "status.json").read_text()]
    for secret in secrets_of(stack):
        assert not any(secret in text for text in shown)


def test_no_file_with_a_secret_can_be_read_by_others(stack: LakehouseUnderTest) -> None:
    assert stack.home.stat().st_mode & 0o077 == 0
    secrets = [secret.encode() for secret in secrets_of(stack)]
    for directory in ("config", "run", "secrets"):
        for path in (stack.home / directory).rglob("*"):
            if path.is_file() and any(secret in path.read_bytes() for secret in secrets):
                assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_logs_shows_the_end_of_a_log_and_names_the_others(stack: LakehouseUnderTest) -> None:
    shown = stack.cli("logs", "catalog", "-n", "1")
    assert len(shown.stdout.splitlines()) == 1
    unknown = stack.cli("logs", "trino")
    assert unknown.returncode != 0
    assert "catalog, control, object-store, spark, supervisor" in unknown.stderr


def test_doctor_finds_nothing_wrong(stack: LakehouseUnderTest) -> None:
    shown = stack.cli("doctor", "--json")
    findings = json.loads(shown.stdout)
    assert shown.returncode == 0, findings
    assert {finding["name"] for finding in findings} >= {
        "system",
        "Java",
        "home",
        "cache",
        "disk",
        "ports",
        "artifacts",
    }


def test_up_again_says_that_it_runs(stack: LakehouseUnderTest) -> None:
    again = stack.cli("up")
    assert again.returncode == 0
    assert "already running" in again.stderr


def test_the_supervisor_is_not_tied_to_the_terminal(stack: LakehouseUnderTest) -> None:
    status = stack.status()
    assert status
    terminal = subprocess.run(["ps", "-o", "tty=", "-p", str(status.pid)], capture_output=True, text=True, check=True)
    assert terminal.stdout.strip() in {"?", "??", "-"}
