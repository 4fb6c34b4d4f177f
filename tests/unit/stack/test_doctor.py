"""The check-up finds what would stand in the way of a start, and says what to do."""

import socket
from pathlib import Path

import pytest

from boathouse.kit.settings import Settings
from boathouse.stack import doctor
from boathouse.stack.doctor import Finding, Verdict, examine


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", cache=tmp_path / "cache")


def found(settings: Settings, name: str) -> Finding:
    return next(finding for finding in examine(settings) if finding.name == name)


def changed(settings: Settings, section: str, **values: object) -> Settings:
    return settings.model_copy(update={section: getattr(settings, section).model_copy(update=values)})


@pytest.fixture
def offline(settings: Settings) -> Settings:
    return changed(settings, "artifacts", offline=True)


def test_this_machine_can_run_it(offline: Settings) -> None:
    verdicts = {finding.name: finding.verdict for finding in examine(offline)}
    assert all(verdicts[name] is Verdict.OK for name in ("system", "Java", "home", "cache"))


def test_every_problem_comes_with_advice(offline: Settings) -> None:
    assert all(finding.advice for finding in examine(offline) if finding.verdict is Verdict.FAIL)


def test_a_java_that_does_not_fit_fails(offline: Settings, tmp_path: Path) -> None:
    finding = found(changed(offline, "java", home=tmp_path), "Java")
    assert finding.verdict is Verdict.FAIL
    assert "java.home" in finding.advice


def test_a_home_below_a_file_fails(offline: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    finding = found(offline.model_copy(update={"home": tmp_path / "file" / "home"}), "home")
    assert finding.verdict is Verdict.FAIL
    assert "BOATHOUSE_HOME" in finding.advice


def test_missing_artifacts_fail_only_offline(settings: Settings, offline: Settings, tmp_path: Path) -> None:
    assert found(offline, "artifacts").verdict is Verdict.FAIL
    settings = changed(settings, "artifacts", mirror=tmp_path.as_uri())
    assert found(settings, "artifacts").verdict is Verdict.WARN
    assert found(settings, "mirror").verdict is Verdict.FAIL


def test_a_mirror_that_does_not_answer_fails(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        url = f"http://127.0.0.1:{gone.getsockname()[1]}"
    finding = found(changed(settings, "artifacts", mirror=url), "mirror")
    assert finding.verdict is Verdict.FAIL
    assert "artifacts.mirror" in finding.advice


def test_a_taken_port_fails_only_if_it_was_configured(offline: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        findings = examine(changed(offline, "catalog", port=port))
        [finding] = [each for each in findings if each.name == "ports" and str(port) in each.detail]
        assert finding.verdict is Verdict.FAIL
        assert "catalog.port" in finding.advice


def test_little_disk_and_memory_are_told(offline: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_DISK_WARN", 1e18)
    monkeypatch.setattr(doctor, "_MEMORY_WARN", 1e18)
    assert found(offline, "disk").verdict is Verdict.WARN
    assert found(offline, "memory").verdict is Verdict.WARN
    monkeypatch.setattr(doctor, "_DISK_FAIL", 1e18)
    assert found(offline, "disk").verdict is Verdict.FAIL
