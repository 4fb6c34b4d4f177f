"""The lock names files, where repositories keep them, and their checksums."""

import re

import pytest

from boathouse.kit.errors import ConfigurationError
from boathouse.stack.artifacts import read_lock
from boathouse.stack.artifacts.lock import repository_path


@pytest.mark.parametrize(
    ("coordinates", "path"),
    [
        ("org.apache.hadoop:hadoop-aws:3.4.2", "org/apache/hadoop/hadoop-aws/3.4.2/hadoop-aws-3.4.2.jar"),
        ("a.b:c:1:tests", "a/b/c/1/c-1-tests.jar"),
        ("io.trino:trino-server-core:476@tar.gz", "io/trino/trino-server-core/476/trino-server-core-476.tar.gz"),
        ("a:b:1:plugin@zip", "a/b/1/b-1-plugin.zip"),
    ],
)
def test_coordinates_say_where_a_repository_keeps_the_file(coordinates: str, path: str) -> None:
    assert repository_path(coordinates) == path


@pytest.mark.parametrize("coordinates", ["a:b", "a", "", "a:b:c:d:e"])
def test_incomplete_coordinates_are_refused(coordinates: str) -> None:
    with pytest.raises(ConfigurationError, match="group:artifact:version"):
        repository_path(coordinates)


def test_every_file_of_the_shipped_lock_is_pinned() -> None:
    artifacts = [artifact for group in read_lock().values() for artifact in group]
    assert artifacts
    assert all(re.fullmatch("[0-9a-f]{64}", artifact.sha256) and artifact.size > 0 for artifact in artifacts)
    assert len({artifact.path for artifact in artifacts}) == len(artifacts)
