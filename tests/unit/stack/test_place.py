"""A copy of a home beside the original."""

import shutil
from pathlib import Path

import pytest

from boathouse.kit.errors import Conflict
from boathouse.kit.settings import Settings
from boathouse.stack.daemon import core_plan
from boathouse.stack.place import keep_place

_OWN = {"postgres": {"host": "db.example.org"}}


def settings(home: Path, **given: object) -> Settings:
    return Settings.model_validate({"home": home, **given})


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    original = tmp_path / "original"
    original.mkdir()
    keep_place(settings(original))
    shutil.copytree(original, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.mark.parametrize(
    "given",
    [_OWN, {"clickhouse": {"uri": "https://ch.example.org"}}, {"object_store": {"endpoint": "https://s3.example.org"}}],
)
def test_it_does_not_share_what_runs_elsewhere(copy: Path, given: dict[str, object]) -> None:
    with pytest.raises(Conflict, match=f"{copy.parent / 'original'} before") as refused:
        core_plan(settings(copy, **given), "stream")
    assert refused.value.hint
    assert str(copy / "place") in refused.value.hint
    with pytest.raises(Conflict):
        keep_place(settings(copy, **given))
    # The original has been given up.
    (copy / "place").unlink()
    keep_place(settings(copy, **given))
    keep_place(settings(copy, **given))


def test_with_everything_of_its_own_it_starts(copy: Path) -> None:
    keep_place(settings(copy))
    assert (copy / "place").read_text() == str(copy)


def test_the_same_home_by_another_name_is_no_copy(tmp_path: Path) -> None:
    home, name = tmp_path / "home", tmp_path / "name"
    home.mkdir()
    name.symlink_to(home)
    for place in (home, name, home):
        keep_place(settings(place, **_OWN))
