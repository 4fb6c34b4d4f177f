"""`boathouse catalog sweep`, as somebody who keeps a catalog calls it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests.integration.catalog_process import TOKEN, CatalogProcess

SCHEMA = {"type": "struct", "fields": [{"id": 1, "name": "id", "required": True, "type": "long"}]}


def boathouse(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "boathouse.cli.main", "catalog", "sweep", *arguments]
    return subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, timeout=60, check=False)


def old_orphan(server: CatalogProcess) -> Path:
    """What a killed commit left behind two days ago."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=f"{server.uri}/v1/lake", headers=headers, trust_env=False) as http:
        http.post("/namespaces", json={"namespace": ["ns"]})
        location = http.post("/namespaces/ns/tables", json={"name": "t", "schema": SCHEMA}).json()["metadata-location"]
    current = Path(location.removeprefix("file://"))
    left = current.with_name("00001-0198a000-0000-7000-8000-000000000000.metadata.json")
    left.write_bytes(current.read_bytes())
    for file in (current, left):
        os.utime(file, (0, 0))
    return left


def test_it_shows_what_it_would_delete_and_deletes_when_told(tmp_path: Path) -> None:
    with CatalogProcess(tmp_path) as server:
        left = old_orphan(server)
        arguments = ["--store", server.store, "--warehouse", f"lake=file://{server.root}"]
        looked = boathouse(*arguments, "--json")
        assert looked.returncode == 0, looked.stderr
        told = json.loads(looked.stdout)
        assert (told["dry_run"], told["deleted"]) == (True, 0)
        assert [file["url"] for file in told["orphans"]] == [f"file://{left}"]
        assert "Add --delete" in boathouse(*arguments).stderr
        assert left.exists()
        assert json.loads(boathouse(*arguments, "--delete", "--json").stdout)["deleted"] == 1
        assert not left.exists()
        assert json.loads(boathouse(*arguments, "--delete", "--json").stdout)["orphans"] == []


def test_a_grace_that_is_too_short_is_refused(tmp_path: Path) -> None:
    arguments = ["--store", f"sqlite:///{tmp_path}/s.db", "--warehouse", f"lake=file://{tmp_path}"]
    refused = boathouse(*arguments, "--older-than", "5m")
    assert refused.returncode == 3
    assert "too short" in refused.stderr
