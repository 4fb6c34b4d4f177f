"""A load onto a disk that is full ends with an error, leaves nothing visible, and succeeds once there is room."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="a small disk is mounted, which takes root")
DISK = 700 * 1024 * 1024
ROOM = 24 * 1024 * 1024
"""Enough for metadata and logs, too little for the rows."""
ROWS = 600_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(disk)], check=True)
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.fixture
def lakehouse(small_disk: Path) -> Iterator[LakehouseUnderTest]:
    lakehouse = LakehouseUnderTest(small_disk / "home")
    try:
        lakehouse.up()
        yield lakehouse
    finally:
        lakehouse.stop()


def fill(disk: Path) -> Path:
    """A file that takes all but a little of the room."""
    filler = disk / "filler"
    with filler.open("wb") as stream:
        left = shutil.disk_usage(disk).free - ROOM
        for _ in range(left // (1024 * 1024)):
            stream.write(bytes(1024 * 1024))
    return filler


def test_a_load_onto_a_full_disk_leaves_nothing_and_can_be_repeated(
    lakehouse: LakehouseUnderTest, small_disk: Path, tmp_path: Path
) -> None:
    source = tmp_path / "a.csv"
    with source.open("w") as stream:
        stream.write("id,noise\n")
        stream.writelines(f"{number},{os.urandom(48).hex()}\n" for number in range(ROWS))
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        f"pipeline: p\nsource: {{path: {source}, format: csv}}\nschema: {{id: int, noise: string}}\ntarget: {{table: a.b}}\n"
    )
    filler = fill(small_disk)
    failed = lakehouse.cli("pipeline", "run", str(spec))
    assert failed.returncode == 1, failed.stderr
    assert "A disk is full" in failed.stderr
    filler.unlink()
    assert "a.b" not in lakehouse.cli("table", "list", "--json").stdout
    done = lakehouse.cli("pipeline", "run", str(spec), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows_written"] == ROWS
