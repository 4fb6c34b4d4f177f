"""`boathouse catalog export` and `import`, as somebody who keeps a catalog calls them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.etcd_cluster import EtcdCluster
from tests.integration.catalog_process import TOKEN, CatalogProcess

SCHEMA = {"type": "struct", "fields": [{"id": 1, "name": "id", "required": True, "type": "long"}]}


def boathouse(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "boathouse.cli.main", "catalog", *arguments]
    return subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, timeout=60, check=False)


def client(server: CatalogProcess) -> httpx.Client:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return httpx.Client(base_url=f"{server.uri}/v1/lake", headers=headers, trust_env=False, timeout=30)


@pytest.fixture
def filled(tmp_path: Path) -> CatalogProcess:
    """A catalog that had some tables, and is stopped."""
    with CatalogProcess(tmp_path) as server, client(server) as http:
        http.post("/namespaces", json={"namespace": ["ns"]})
        for number in range(60):
            http.post("/namespaces/ns/tables", json={"name": f"t{number}", "schema": SCHEMA}).raise_for_status()
    return server


def test_a_catalog_moves_from_sqlite_to_etcd_and_serves_the_same_tables(
    filled: CatalogProcess, etcd: EtcdCluster, tmp_path: Path
) -> None:
    moved = etcd.address("moved")
    backup = str(tmp_path / "backup.zst")
    exported = boathouse("export", backup, "--store", filled.store, "--json", "--check", f"lake=file://{filled.root}")
    assert exported.returncode == 0, exported.stderr
    told = json.loads(exported.stdout)
    assert (told["counts"]["table"], told["missing"]) == (60, [])
    imported = boathouse("import", backup, "--store", moved, "--json")
    assert json.loads(imported.stdout)["sha256"] == told["sha256"]
    (tmp_path / "other").mkdir()
    with CatalogProcess(tmp_path / "other", store=moved, root=filled.root) as server, client(server) as http:
        for number in range(60):
            http.get(f"/namespaces/ns/tables/t{number}").raise_for_status()


def test_a_metadata_file_that_is_not_there_is_said(filled: CatalogProcess, tmp_path: Path) -> None:
    next((filled.root / "ns" / "t7" / "metadata").iterdir()).unlink()
    ended = boathouse(
        "export", str(tmp_path / "b"), "--store", filled.store, "--json", "--check", f"lake=file://{filled.root}"
    )
    assert ended.returncode == 1
    assert "1 of the metadata files that the backup names are not there" in ended.stderr
    assert "/t7/" in json.loads(ended.stdout)["missing"][0]


def test_a_store_in_use_is_not_imported_into(filled: CatalogProcess, tmp_path: Path) -> None:
    backup = str(tmp_path / "backup")
    assert boathouse("export", backup, "--store", filled.store).returncode == 0
    refused = boathouse("import", backup, "--store", filled.store)
    assert refused.returncode == 6
    assert "The store is not empty" in refused.stderr


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "backup").write_text("hello\n")
    refused = boathouse("import", str(tmp_path / "backup"), "--store", f"sqlite:///{tmp_path}/new.db")
    assert refused.returncode == 3
    assert "is no backup of a catalog" in refused.stderr


def test_a_store_that_is_not_there_is_said_and_none_is_left_by_what_is_refused(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/none.db"
    for command in (["export", str(tmp_path / "b")], ["principal", "list"], ["grants"]):
        ended = boathouse(*command, "--store", address)
        assert ended.returncode == 4
        assert "There is no store at" in ended.stderr
    (tmp_path / "broken").write_text("no backup")
    assert boathouse("import", str(tmp_path / "broken"), "--store", address).returncode == 3
    assert [file.name for file in tmp_path.iterdir()] == ["broken"]


def test_an_export_is_checked_against_the_warehouses_of_a_file(filled: CatalogProcess, tmp_path: Path) -> None:
    config = tmp_path / "catalog.toml"
    config.write_text(f'[warehouses.lake]\nurl = "file://{filled.root}"\n')
    backup = str(tmp_path / "backup")
    exported = boathouse("export", backup, "--store", filled.store, "--json", "--config", str(config))
    assert json.loads(exported.stdout)["missing"] == []
    swept = boathouse("sweep", "--store", filled.store, "--warehouse", "lake", "--config", str(config), "--json")
    assert json.loads(swept.stdout)["relations"] == 60
