"""Kafka Connect's own settings, as they are written down for it."""

from pathlib import Path

from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.plan import lake_access
from boathouse.stack.service import Site
from boathouse.stack.services.connect import Connect

_NAMES = ("object-store", "catalog", "spark", "spark.ui", "postgres", "kafka", "connect", "clickhouse")


def test_a_producer_holds_the_largest_event_and_others_beside_it(tmp_path: Path) -> None:
    settings, home = Settings.model_validate({"home": tmp_path}), Home(tmp_path)
    ports = {name: port for port, name in enumerate(_NAMES, start=1)}
    site = Site(settings, home, ports, lake_access(settings, home, ports), {"kafka": [], "debezium-postgres": []})
    Connect(site).prepare()
    lines = (home.config("connect") / "connect.properties").read_text().splitlines()
    known = {name: value for name, _, value in (line.partition("=") for line in lines)}
    largest, held = (int(known[f"producer.{name}"]) for name in ("max.request.size", "buffer.memory"))
    assert held > largest == 64 * 1024 * 1024
