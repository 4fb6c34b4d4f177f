"""CSV files are grouped by the columns their headers name, before Spark is asked anything."""

from pathlib import Path
from typing import Any

import pytest

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.ingest.csv import CsvFormat
from boathouse.pipelines.spec import parse_spec
from tests.unit.pipelines.ingest.files import scanned

NO_SPARK: Any = None
INFERRED = """
pipeline: things
source: {path: "*.csv", format: csv}
target: {table: a.things}
"""
THINGS = f"{INFERRED}schema: {{id: int, name: string}}\n"


def layouts(folder: Path, spec: str, *contents: bytes) -> dict[tuple[str, ...], list[str]]:
    files = [scanned(folder / f"{place}.csv", content) for place, content in enumerate(contents)]
    groups = CsvFormat(NO_SPARK, parse_spec(spec, "s.yaml"), files)._layouts
    return {layout: [found.file.path.name for found in group] for layout, group in groups.items()}


def test_files_of_one_header_are_read_together(tmp_path: Path) -> None:
    found = layouts(tmp_path, THINGS, b"id,name\n", b"name,id\n1,2\n", b"id,name\n1,a\n")
    assert found == {("id", "name"): ["0.csv", "2.csv"], ("name", "id"): ["1.csv"]}


def test_a_name_is_spelt_as_in_the_schema(tmp_path: Path) -> None:
    assert list(layouts(tmp_path, THINGS, b"ID, Name ,Extra\n")) == [("id", "name", "Extra")]


def test_a_name_is_spelt_as_in_the_first_file_where_there_is_no_schema(tmp_path: Path) -> None:
    assert layouts(tmp_path, INFERRED, b"Id,name\n", b"ID,NAME\n") == {("Id", "name"): ["0.csv", "1.csv"]}


def test_an_empty_file_joins_any_group(tmp_path: Path) -> None:
    assert layouts(tmp_path, THINGS, b"", b"id,name\n") == {("id", "name"): ["1.csv", "0.csv"]}
    assert layouts(tmp_path, THINGS, b"") == {("id", "name"): ["0.csv"]}


def test_a_file_without_a_header_has_the_columns_of_the_schema(tmp_path: Path) -> None:
    spec = THINGS.replace("format: csv", "format: csv, csv: {header: false}")
    assert layouts(tmp_path, spec, b"1,a\n") == {("id", "name"): ["0.csv"]}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"id,name,ID\n", "names 'ID' twice"),
        (b"id,,name\n", "leaves a column without a name"),
        (b"\nid,name\n1,a\n", "is blank"),
        (b"\r\nname,id\r\n", "is blank"),
    ],
)
@pytest.mark.parametrize("spec", [INFERRED, THINGS])
def test_a_header_that_does_not_name_every_column_once_is_refused(
    tmp_path: Path, spec: str, content: bytes, complaint: str
) -> None:
    with pytest.raises(InvalidInput, match=f"The header of file://.*/0.csv {complaint}"):
        layouts(tmp_path, spec, content)
