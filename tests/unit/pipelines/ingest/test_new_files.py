"""A file is new once for each content, whatever it is called."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from boathouse.kit.catalog_client import TableName
from boathouse.kit.errors import WorkFailed
from boathouse.pipelines.ingest.context import LoadContext
from boathouse.pipelines.ingest.new_files import NewFiles, find_new_files, refuse_changed
from boathouse.pipelines.spec import parse_spec
from tests.unit.pipelines.ingest.files import NO_STORE

SPEC = parse_spec(
    """
pipeline: orders
source: {path: "*.csv", format: csv}
target: {table: sales.orders}
""",
    "s.yaml",
)
NO_SPARK: Any = None


class NoTables:
    """A catalog in which nothing has been loaded yet."""

    def find_table(self, table: TableName) -> None:
        del table


def find(folder: Path, said: list[str] | None = None) -> NewFiles:
    catalog: Any = NoTables()
    access: Any = SimpleNamespace(object_store=NO_STORE)
    steps = said if said is not None else []
    return find_new_files(LoadContext(SPEC, folder, NO_SPARK, access, steps.append), catalog)


def test_of_files_with_one_content_the_first_by_name_is_loaded(tmp_path: Path) -> None:
    for name, content in {"b.csv": "same", "a.csv": "same", "c.csv": "other"}.items():
        (tmp_path / name).write_text(content)
    new = find(tmp_path)
    assert [scanned.file.path.name for scanned in new.files] == ["a.csv", "c.csv"]
    assert new.skipped == 1


def test_each_step_is_said_as_it_begins(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x")
    said: list[str] = []
    find(tmp_path, said)
    assert said == ["looking for files", "fingerprinting 1 file"]


def test_a_file_that_changes_or_goes_meanwhile_stops_the_load(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("x")
    new = find(tmp_path)
    refuse_changed(new.files, NO_STORE)
    file.write_text("xy")
    with pytest.raises(WorkFailed, match="changed while it was being read; nothing was loaded"):
        refuse_changed(new.files, NO_STORE)
    file.unlink()
    with pytest.raises(WorkFailed):
        refuse_changed(new.files, NO_STORE)
