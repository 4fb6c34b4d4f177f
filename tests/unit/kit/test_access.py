"""How clients learn where the lake is."""

import json
from pathlib import Path

import pytest

from boathouse.kit.access import LakeAccess
from boathouse.kit.errors import ConfigurationError, Unavailable

SECRETS = ("key-1", "secret-2", "token-3", "token-4")


@pytest.fixture
def lake() -> LakeAccess:
    key, secret, catalog, spark = SECRETS
    store = {"endpoint": "http://s3", "region": "r", "bucket": "b", "access_key": key, "secret_key": secret}
    return LakeAccess.model_validate(
        {
            "object_store": store,
            "catalog": {"uri": "http://catalog", "warehouse": "lake", "token": catalog},
            "spark": {"remote": "sc://localhost:15002", "token": spark, "catalog": "lake"},
        }
    )


def test_what_is_saved_is_what_is_loaded(lake: LakeAccess, tmp_path: Path) -> None:
    lake.save(tmp_path)
    assert LakeAccess.load(tmp_path) == lake
    assert LakeAccess.load(tmp_path).spark.token.get_secret_value() == "token-4"


def test_the_file_is_its_owners_alone(lake: LakeAccess, tmp_path: Path) -> None:
    lake.save(tmp_path)
    assert LakeAccess.path(tmp_path).stat().st_mode & 0o777 == 0o600


def test_secrets_do_not_print(lake: LakeAccess) -> None:
    shown = f"{lake!r} {lake} {lake.model_dump()}"
    assert not any(secret in shown for secret in SECRETS)


def test_a_lake_that_is_not_running_says_how_to_start_it(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="is not running") as caught:
        LakeAccess.load(tmp_path)
    assert caught.value.hint is not None
    assert "boathouse up" in caught.value.hint


@pytest.mark.parametrize("damaged", ["", "{", json.dumps({"catalog": {}}), json.dumps([])])
def test_a_damaged_file_is_reported_and_not_guessed_at(damaged: str, tmp_path: Path) -> None:
    path = LakeAccess.path(tmp_path)
    path.parent.mkdir()
    path.write_text(damaged)
    with pytest.raises(ConfigurationError, match="is damaged"):
        LakeAccess.load(tmp_path)


def test_a_damaged_file_does_not_give_its_secrets_away(lake: LakeAccess, tmp_path: Path) -> None:
    lake.save(tmp_path)
    path = LakeAccess.path(tmp_path)
    path.write_text(path.read_text().replace('"remote"', '"remot"'))
    with pytest.raises(ConfigurationError) as caught:
        LakeAccess.load(tmp_path)
    assert not any(secret in f"{caught.value} {caught.value.hint}" for secret in SECRETS)
