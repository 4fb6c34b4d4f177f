"""Kafka's own settings, as they are written down for it."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.plan import lake_access
from boathouse.stack.service import Site
from boathouse.stack.services.kafka import Kafka

_NAMES = ("object-store", "catalog", "spark", "spark.ui", "kafka", "kafka.controller")


def written(home: Path, **kafka: str) -> dict[str, str]:
    settings, place = Settings.model_validate({"home": home, "kafka": kafka}), Home(home)
    ports = {name: port for port, name in enumerate(_NAMES, start=1)}
    # One that has begun is not formatted anew.
    (place.data("kafka")).mkdir(parents=True)
    (place.data("kafka") / "meta.properties").touch()
    Kafka(Site(settings, place, ports, lake_access(settings, place, ports), {"kafka": []})).prepare()
    lines = (place.config("kafka") / "server.properties").read_text().splitlines()
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


@pytest.mark.parametrize(
    ("given", "time", "size"),
    [
        ({}, 7 * 24 * 3600 * 1000, -1),
        ({"retention": "36h", "retention_size": "10g"}, 36 * 3600 * 1000, 10 << 30),
        ({"retention": "forever", "retention_size": "500m"}, -1, 500 << 20),
        ({"retention": "90m"}, 90 * 60 * 1000, -1),
    ],
)
def test_it_is_told_what_to_keep(tmp_path: Path, given: dict[str, str], time: int, size: int) -> None:
    known = written(tmp_path, **given)
    assert (known["log.retention.ms"], known["log.retention.bytes"]) == (str(time), str(size))


@pytest.mark.parametrize("wrong", ["7", "0d", "a week", "7 d", "-1"])
def test_a_time_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(ValidationError, match="such as 36h or 7d"):
        Settings.model_validate({"kafka": {"retention": wrong}})
