"""The worker of a lakehouse."""

from pathlib import Path

from boathouse.control.jobs.kinds import KINDS
from boathouse.control.worker import attempt
from boathouse.kit.settings import ControlSettings, Settings
from boathouse.stack.home import Home
from boathouse.stack.plan import lake_access
from boathouse.stack.service import Site
from boathouse.stack.services.worker import Worker

PORTS = {"object-store": 1, "catalog": 2, "spark": 3, "spark.ui": 4, "control": 5, "worker.metrics": 6}


def worker(settings: Settings) -> Worker:
    home = Home(settings.home)
    return Worker(Site(settings, home, PORTS, lake_access(settings, home, PORTS), {}))


def test_it_is_told_for_how_long_things_are_kept(tmp_path: Path) -> None:
    keep = ControlSettings(keep_results_days=7, keep_logs_days=0)
    told = worker(Settings(home=tmp_path, control=keep)).environment()
    assert told["BOATHOUSE_HOME"] == str(tmp_path)
    assert told["BOATHOUSE_CONTROL__KEEP_RESULTS_DAYS"] == "7"
    assert told["BOATHOUSE_CONTROL__KEEP_LOGS_DAYS"] == "0"


def test_it_is_given_the_time_that_the_slowest_of_its_runs_has_to_end(tmp_path: Path) -> None:
    command = worker(Settings(home=tmp_path)).command()
    drain = float(command[command.index("--drain-seconds") + 1])
    assert Worker.slow_stop > drain + max(kind.grace for kind in KINDS.values()) + attempt._GRACE
