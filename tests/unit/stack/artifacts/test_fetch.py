"""Artifacts arrive whole and right, or not at all."""

import errno
import hashlib
import multiprocessing
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from boathouse.kit.errors import BoathouseError, ConfigurationError, NotFound, Unavailable, WorkFailed
from boathouse.kit.settings import ArtifactSettings
from boathouse.stack.artifacts import Artifact, ArtifactCache, Fetcher
from boathouse.stack.artifacts import cache as cache_module
from boathouse.stack.artifacts.lock import repository_path
from tests.unit.stack.artifacts.repository import Repository, serving

CONTENT = {name: name.encode() * size for name, size in (("engine", 100_000), ("driver", 10), ("bundle", 50_000))}


def artifact(name: str, content: bytes) -> Artifact:
    coordinates = f"org.example:{name}:1.0"
    return Artifact(coordinates, repository_path(coordinates), hashlib.sha256(content).hexdigest(), len(content))


ENGINE, DRIVER, BUNDLE = ARTIFACTS = [artifact(name, content) for name, content in CONTENT.items()]


@pytest.fixture
def repository() -> Iterator[Repository]:
    repository = Repository({each.path: CONTENT[each.coordinates.split(":")[1]] for each in ARTIFACTS})
    with serving(repository):
        yield repository


@pytest.fixture
def cache(tmp_path: Path) -> ArtifactCache:
    return ArtifactCache(tmp_path / "cache")


def fetcher(cache: ArtifactCache, mirror: str, *, offline: bool = False) -> Fetcher:
    return Fetcher(cache, ArtifactSettings(mirror=mirror, parallel=3, offline=offline), wait_seconds=0)


def test_files_come_in_the_order_asked_for_and_with_the_right_bytes(
    cache: ArtifactCache, repository: Repository
) -> None:
    paths = fetcher(cache, repository.url).fetch(ARTIFACTS)
    assert [path.read_bytes() for path in paths] == list(CONTENT.values())
    assert paths[0] == cache.root / ENGINE.sha256 / "engine-1.0.jar"


def test_what_is_cached_is_not_asked_for_again(cache: ArtifactCache, repository: Repository) -> None:
    fetcher(cache, repository.url).fetch(ARTIFACTS)
    repository.requests.clear()
    fetcher(cache, repository.url).fetch(ARTIFACTS)
    assert repository.requests == []


def test_what_is_cached_is_not_read_again(
    cache: ArtifactCache, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetcher(cache, repository.url).fetch([ENGINE])
    monkeypatch.setattr(cache_module, "sha256_of", lambda path: pytest.fail(f"{path} was read"))  # pyright: ignore[reportUnknownLambdaType]
    assert cache.find(ENGINE)


def test_an_interrupted_transfer_goes_on_where_it_stopped(cache: ArtifactCache, repository: Repository) -> None:
    repository.cut_after = 70_000
    [path] = fetcher(cache, repository.url).fetch([ENGINE])
    assert path.read_bytes() == CONTENT["engine"]
    assert [asked for _, asked in repository.requests] == [None, "bytes=70000-"]


def test_a_part_left_by_an_earlier_process_is_used(cache: ArtifactCache, repository: Repository) -> None:
    part = cache.part(ENGINE)
    part.parent.mkdir(parents=True)
    part.write_bytes(CONTENT["engine"][:1234])
    fetcher(cache, repository.url).fetch([ENGINE])
    assert [asked for _, asked in repository.requests] == ["bytes=1234-"]
    assert not part.exists()


def test_a_mirror_that_cannot_send_ranges_sends_all_of_it(cache: ArtifactCache, repository: Repository) -> None:
    repository.ignores_ranges = True
    repository.cut_after = 70_000
    [path] = fetcher(cache, repository.url).fetch([ENGINE])
    assert path.read_bytes() == CONTENT["engine"]


@pytest.mark.parametrize("left", [b"x" * 1234, b"x" * len(CONTENT["engine"]), b"x" * 2_000_000])
def test_a_part_with_wrong_bytes_is_thrown_away_and_fetched_anew(
    cache: ArtifactCache, repository: Repository, left: bytes
) -> None:
    part = cache.part(ENGINE)
    part.parent.mkdir(parents=True)
    part.write_bytes(left)
    [path] = fetcher(cache, repository.url).fetch([ENGINE])
    assert path.read_bytes() == CONTENT["engine"]


@pytest.mark.parametrize("sent", [b"something else", CONTENT["engine"] + b"!", CONTENT["engine"][:-1], b""])
def test_other_bytes_than_the_locked_ones_are_refused(
    cache: ArtifactCache, repository: Repository, sent: bytes
) -> None:
    repository.files[ENGINE.path] = sent
    with pytest.raises(WorkFailed, match="not the file that was locked") as refused:
        fetcher(cache, repository.url).fetch([ENGINE])
    assert ENGINE.sha256 in str(refused.value)
    assert cache.find(ENGINE) is None
    assert not cache.part(ENGINE).exists()


def test_a_damaged_file_is_noticed_and_replaced(cache: ArtifactCache, repository: Repository) -> None:
    [path] = fetcher(cache, repository.url).fetch([ENGINE])
    path.write_bytes(b"x" * ENGINE.size)
    assert cache.find(ENGINE) is None
    fetcher(cache, repository.url).fetch([ENGINE])
    assert path.read_bytes() == CONTENT["engine"]


def test_a_damaged_file_is_noticed_even_if_its_time_was_set_back(cache: ArtifactCache, repository: Repository) -> None:
    [path] = fetcher(cache, repository.url).fetch([ENGINE])
    before = path.stat()
    path.write_bytes(b"x" * ENGINE.size)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert cache.find(ENGINE) is None


def test_a_file_merely_touched_is_still_good(cache: ArtifactCache, repository: Repository) -> None:
    [path] = fetcher(cache, repository.url).fetch([ENGINE])
    path.touch()
    assert cache.find(ENGINE) == path


def test_offline_uses_the_cache_and_names_what_is_missing(cache: ArtifactCache, repository: Repository) -> None:
    fetcher(cache, repository.url).fetch([ENGINE])
    repository.requests.clear()
    offline = fetcher(cache, repository.url, offline=True)
    assert offline.fetch([ENGINE])
    with pytest.raises(NotFound, match=r"org\.example:driver:1\.0, org\.example:bundle:1\.0") as missing:
        offline.fetch(ARTIFACTS)
    assert "engine" not in str(missing.value)
    assert repository.requests == []


def test_a_directory_can_be_the_mirror(cache: ArtifactCache, tmp_path: Path) -> None:
    mirror = tmp_path / "a mirror"
    for each, content in zip(ARTIFACTS, CONTENT.values(), strict=True):
        (mirror / each.path).parent.mkdir(parents=True)
        (mirror / each.path).write_bytes(content)
    paths = fetcher(cache, mirror.as_uri()).fetch(ARTIFACTS)
    assert [path.read_bytes() for path in paths] == list(CONTENT.values())


def test_a_file_that_the_mirror_does_not_have_is_named(
    cache: ArtifactCache, repository: Repository, tmp_path: Path
) -> None:
    del repository.files[DRIVER.path]
    for mirror in (repository.url, tmp_path.as_uri()):
        with pytest.raises(NotFound, match=r"org\.example:driver:1\.0") as missing:
            fetcher(cache, mirror).fetch([DRIVER])
        assert "artifacts.mirror" in (missing.value.hint or "")


def test_a_passing_refusal_is_tried_again(cache: ArtifactCache, repository: Repository) -> None:
    repository.refusals = 2
    assert fetcher(cache, repository.url).fetch([DRIVER])


def test_no_network_is_said_plainly(cache: ArtifactCache, repository: Repository) -> None:
    with serving(gone := Repository()):
        pass
    with pytest.raises(Unavailable, match="could not be fetched") as unavailable:
        fetcher(cache, gone.url).fetch([ENGINE])
    assert "HTTPS_PROXY" in (unavailable.value.hint or "")


def test_the_mirrors_password_is_never_shown(cache: ArtifactCache, repository: Repository) -> None:
    mirror = repository.url.replace("://", "://me:pass@")
    repository.files = {DRIVER.path: b"something else"}
    for wanted in (ENGINE, DRIVER):
        with pytest.raises(BoathouseError) as refused:
            fetcher(cache, mirror).fetch([wanted])
        assert "127.0.0.1" in str(refused.value)
        assert "pass" not in str(refused.value)


def test_a_full_disk_is_said_plainly(
    cache: ArtifactCache, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def adopt(_self: ArtifactCache, _artifact: Artifact) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ArtifactCache, "adopt", adopt)
    with pytest.raises(WorkFailed, match=r"disk of .* is full"):
        fetcher(cache, repository.url).fetch([ENGINE])


def test_a_cache_that_cannot_be_written_is_said_plainly(tmp_path: Path, repository: Repository) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="may not be written") as refused:
        fetcher(ArtifactCache(tmp_path / "file" / "cache"), repository.url).fetch([ENGINE])
    assert "BOATHOUSE_CACHE" in (refused.value.hint or "")


def _fetch_in_another_process(root: str, mirror: str) -> int:
    return len(fetcher(ArtifactCache(Path(root)), mirror).fetch(ARTIFACTS))


def test_processes_that_fetch_at_once_share_one_transfer(cache: ArtifactCache, repository: Repository) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        arguments = [(str(cache.root), repository.url)] * 3
        assert pool.starmap(_fetch_in_another_process, arguments) == [3, 3, 3]
    assert sorted(path for path, _ in repository.requests) == sorted(f"/{each.path}" for each in ARTIFACTS)
