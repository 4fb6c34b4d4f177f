"""What sessions are told to say of their run."""

from boathouse.kit.run_properties import Run, session_of_this_run, session_settings, settings_of_this_run, this_run

PREFIX = "spark.sql.iceberg.snapshot-property."


def test_a_session_says_its_run_and_its_job_if_it_has_one() -> None:
    told = {f"{PREFIX}boathouse.run-id": "r", f"{PREFIX}boathouse.job": "daily"}
    assert session_settings("r", "daily") == told
    assert session_settings("r", "") == {f"{PREFIX}boathouse.run-id": "r"}


def test_a_program_knows_its_run_by_its_environment() -> None:
    assert settings_of_this_run({}) == {}
    environment = {"BOATHOUSE_RUN_ID": "r", "BOATHOUSE_RUN_JOB": "daily"}
    assert settings_of_this_run(environment) == session_settings("r", "daily")
    assert this_run({}) is None
    assert this_run({**environment, "BOATHOUSE_RUN_WORKSPACE": "power"}) == Run("r", "daily", "power")


def test_a_command_takes_the_session_that_its_run_gave_it() -> None:
    assert session_of_this_run({}) is None
    assert session_of_this_run({"BOATHOUSE_RUN_SPARK_SESSION": "an id"}) == "an id"
