"""Where files come from: what a load says of places that it cannot read."""

import gzip

import pytest

from boathouse.kit.errors import InvalidInput, NotFound
from tests.loading import Loading

pytestmark = pytest.mark.stack

LINES = """\
pipeline: lines
source:
  path: "*.gz"
  format: text
target:
  table: NS.lines
"""


def test_a_bucket_that_is_not_there_is_named(loading: Loading) -> None:
    endpoint = loading.access.object_store.endpoint
    with pytest.raises(NotFound, match=f"There is no bucket nobucket at {endpoint}"):
        loading.run(LINES.replace('"*.gz"', "s3://nobucket/in/*.txt"))


def test_compressed_lines_are_refused_before_anything_is_read(loading: Loading) -> None:
    loading.write("a.txt.gz", gzip.compress(b"one\ntwo\n"))
    with pytest.raises(InvalidInput, match="compressed text files are not read"):
        loading.run(LINES)
