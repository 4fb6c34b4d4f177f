"""Lines are found where the scan counted them, whatever the mebibytes cut through."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boathouse.pipelines.ingest.line_fetch import _plain, lines_at
from boathouse.pipelines.ingest.scan import MEBIBYTE
from tests.unit.pipelines.ingest.files import NO_STORE, scanned


@settings(max_examples=30)
@given(
    lengths=st.lists(st.sampled_from([0, 1, 80, MEBIBYTE - 1, MEBIBYTE, 2 * MEBIBYTE + 5]), min_size=1, max_size=6),
    ends=st.booleans(),
)
def test_every_line_is_found_by_its_number(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], *, ends: bool
) -> None:
    lines = [bytes([97 + number]) * length for number, length in enumerate(lengths)]
    path = tmp_path_factory.mktemp("lines") / "a.csv"
    file = scanned(path, b"\n".join(lines) + (b"\n" if ends else b""))
    found = dict(lines_at(file, range(len(lines)), NO_STORE))
    assert found == dict(enumerate(lines))


def test_lines_are_read_only_from_where_they_are(tmp_path: Path) -> None:
    file = scanned(tmp_path / "a.csv", b"".join(b"%07d\n" % number for number in range(400_000)))
    assert list(lines_at(file, [0, 131_071, 131_072, 399_999], NO_STORE)) == [
        (number, b"%07d" % number) for number in (0, 131_071, 131_072, 399_999)
    ]


@pytest.mark.parametrize(
    ("spark", "ours"),
    [
        ("file:/a/b%20c.csv", "file:///a/b c.csv"),
        ("file:///a/b+c.csv", "file:///a/b+c.csv"),
        ("s3a://bucket/k%25.csv", "s3://bucket/k%.csv"),
    ],
)
def test_a_file_is_known_by_the_name_spark_gives_it(spark: str, ours: str) -> None:
    assert _plain(spark) == ours
