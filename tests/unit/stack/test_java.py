"""A suitable Java is found wherever it is, and there is always one to fall back on."""

import subprocess
from pathlib import Path

import psutil
import pytest

from boathouse.kit.errors import ConfigurationError
from boathouse.stack.java import VECTOR_MODULE, JavaSearch, bundled, suitable


def fake_java(home: Path, version: str) -> Path:
    """Something that answers as that Java does."""
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    program.chmod(0o755)
    return home


def search(**environment: str) -> JavaSearch:
    return JavaSearch(environment, usual_places=())


def test_the_configured_java_wins(tmp_path: Path) -> None:
    configured, other = fake_java(tmp_path / "a", "21.0.8"), fake_java(tmp_path / "b", "17.0.1")
    java = search(JAVA_HOME=str(other)).find(configured, tmp_path)
    assert (java.home, java.version) == (configured, 21)


@pytest.mark.parametrize(("version", "said"), [("25", "Java 25"), ("1.8.0_402", "Java 1"), ("11.0.2", "Java 11")])
def test_a_configured_java_that_does_not_fit_is_an_error(tmp_path: Path, version: str, said: str) -> None:
    configured = fake_java(tmp_path / "java", version)
    with pytest.raises(ConfigurationError, match=f"{said}; Spark needs Java 17 or 21"):
        search().find(configured, tmp_path)


def test_a_configured_directory_without_java_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no Java that runs"):
        search().find(tmp_path, tmp_path)


def test_a_java_home_that_does_not_fit_is_passed_over_for_the_path(tmp_path: Path) -> None:
    fitting = fake_java(tmp_path / "good", "17.0.1")
    environment = {"JAVA_HOME": str(fake_java(tmp_path / "new", "25")), "PATH": str(fitting / "bin")}
    assert search(**environment).find(None, tmp_path).home == fitting


def test_a_link_on_the_path_leads_to_its_home(tmp_path: Path) -> None:
    home = fake_java(tmp_path / "jvm" / "java-21", "21.0.8")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").symlink_to(home / "bin" / "java")
    assert search(PATH=str(tmp_path / "bin")).find(None, tmp_path).home == home


def test_the_usual_places_are_searched(tmp_path: Path) -> None:
    fake_java(tmp_path / "jvm" / "java-11", "11.0.1")
    fitting = fake_java(tmp_path / "jvm" / "java-17" / "Contents" / "Home", "17.0.1")
    places = (str(tmp_path / "jvm" / "*"), str(tmp_path / "jvm" / "java-*" / "Contents" / "Home"))
    assert JavaSearch({}, places).find(None, tmp_path).home == fitting


def test_with_no_java_at_all_the_bundled_one_is_used(tmp_path: Path) -> None:
    java = search(PATH=str(tmp_path)).find(None, tmp_path / "cache")
    assert java.origin.startswith("bundled")
    assert suitable(java.home) == java.version == 21


def test_the_bundled_java_takes_every_argument_but_the_one_it_cannot(tmp_path: Path) -> None:
    java = bundled(tmp_path)
    arguments = ["-Dwith.space=a b", VECTOR_MODULE, "-Dempty=", '-Dquote="', "-XshowSettings:properties", "-version"]
    answer = subprocess.run([java.home / "bin" / "java", *arguments], capture_output=True, text=True, check=True)
    assert "with.space = a b\n" in answer.stderr
    assert 'quote = "\n' in answer.stderr


def test_the_bundled_java_replaces_its_shell(tmp_path: Path) -> None:
    """One process: what stops the one that was started stops Java."""
    java = [bundled(tmp_path).home / "bin" / "java", "-m", "jdk.httpserver", "-p", "0", "-d", tmp_path]
    with subprocess.Popen(java, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        process.stdout.readline()
        assert psutil.Process(process.pid).name() == "java"
        process.kill()


def test_the_bundled_java_is_set_up_once(tmp_path: Path) -> None:
    first = bundled(tmp_path)
    made = (first.home / "bin" / "java").stat().st_ino
    assert bundled(tmp_path) == first
    assert (first.home / "bin" / "java").stat().st_ino == made
