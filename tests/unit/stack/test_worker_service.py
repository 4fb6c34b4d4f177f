"""The worker of a lakehouse."""

from pathlib import Path

from boathouse.kit.settings import ControlSettings, Settings
from boathouse.stack.home import Home
from boathouse.stack.plan import lake_access
from boathouse.stack.service import Site
from boathouse.stack.services.worker import Worker

PORTS = {"object-store": 1, "catalog": 2, "spark": 3, "spark.ui": 4}


def test_it_is_told_for_how_long_things_are_kept(tmp_path: Path) -> None:
    keep = ControlSettings(keep_results_days=7, keep_logs_days=0)
    settings, home = Settings(home=tmp_path, control=keep), Home(tmp_path)
    told = Worker(Site(settings, home, PORTS, lake_access(settings, home, PORTS), {})).environment()
    assert told["BOATHOUSE_HOME"] == str(tmp_path)
    assert told["BOATHOUSE_CONTROL__KEEP_RESULTS_DAYS"] == "7"
    assert told["BOATHOUSE_CONTROL__KEEP_LOGS_DAYS"] == "0"
