"""The lakehouse runs on machines set up for something else: without Java, behind a proxy, with other clouds' keys."""

import os
import socket
from pathlib import Path

import pytest

from boathouse.stack.java import JavaSearch
from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.stack

NOBODY = "http://127.0.0.1:9"


@pytest.fixture
def path_without_java(tmp_path: Path) -> str:
    """All the programs of this machine but Java's."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for directory in os.environ["PATH"].split(":"):
        for program in Path(directory).glob("*"):
            link = programs / program.name
            if not program.name.startswith("java") and not link.is_symlink():
                link.symlink_to(program)
    return str(programs)


def test_queries_run_on_the_bundled_java_whatever_the_environment_says(
    own_lakehouse: LakehouseUnderTest, path_without_java: str
) -> None:
    java = JavaSearch({"PATH": path_without_java}, usual_places=()).find(None, own_lakehouse.settings.cache)
    assert java.origin.startswith("bundled")
    own_lakehouse.overrides.update(
        {
            "PATH": path_without_java,
            "JAVA_HOME": "",
            # So that what lies in the usual places of this machine is passed by, too.
            "BOATHOUSE_JAVA__HOME": str(java.home),
            **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOBODY),
            "AWS_ENDPOINT_URL": NOBODY,
            "AWS_SESSION_TOKEN": "of another account",
            "AWS_PROFILE": "another",
            "SPARK_HOME": "/nowhere",
            "SPARK_CONF_DIR": "/nowhere",
        }
    )
    own_lakehouse.up()
    answer = own_lakehouse.cli(
        "sql", "CREATE NAMESPACE n; CREATE TABLE n.t AS SELECT 20 + 22 AS sum; SELECT * FROM n.t"
    )
    assert answer.returncode == 0, answer.stderr
    assert "42" in answer.stdout


def test_a_start_that_never_began_says_only_why(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = LakehouseUnderTest(tmp_path, {"BOATHOUSE_CATALOG__PORT": port}).cli("up")
    assert refused.returncode == 3
    assert refused.stderr.strip().startswith(f"Error: catalog.port is {port}, but that port is taken")
