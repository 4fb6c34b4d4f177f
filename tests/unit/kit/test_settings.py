"""Where settings come from, and what is said when one is wrong."""

import os
from pathlib import Path

import pytest

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.settings import find_file, load_settings, variable
from boathouse.kit.settings_described import describe, describe_wrong


@pytest.fixture(autouse=True)
def nothing_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a variable nor a file of the machine the tests run on."""
    for name in os.environ:
        if name.startswith("BOATHOUSE_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def refused() -> str:
    with pytest.raises(ConfigurationError) as caught:
        load_settings()
    return str(caught.value)


def test_without_anything_set_the_defaults_hold() -> None:
    settings = load_settings()
    assert settings.home == Path.home() / ".boathouse"
    assert settings.spark.memory == "2g"


def test_a_file_is_found_from_the_working_directory_upwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "boathouse.toml").write_text('[spark]\nmemory = "3g"\n')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert find_file() == tmp_path / "boathouse.toml"
    assert load_settings().spark.memory == "3g"


def test_the_file_named_by_the_variable_comes_before_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "boathouse.toml").write_text('[spark]\nmemory = "3g"\n')
    (tmp_path / "own.toml").write_text('[spark]\nmemory = "4g"\n')
    monkeypatch.setenv("BOATHOUSE_CONFIG", "own.toml")
    assert load_settings().spark.memory == "4g"


def test_a_variable_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "boathouse.toml").write_text('[spark]\nmemory = "3g"\nmaster = "local[1]"\n')
    monkeypatch.setenv("BOATHOUSE_SPARK__MEMORY", "5g")
    settings = load_settings()
    assert (settings.spark.memory, settings.spark.master) == ("5g", "local[1]")


def test_an_empty_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOATHOUSE_SPARK__MEMORY", "")
    assert load_settings().spark.memory == "2g"


def test_further_spark_properties_come_as_a_table_or_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "boathouse.toml").write_text('[spark.conf]\n"spark.sql.shuffle.partitions" = "4"\n')
    assert load_settings().spark.conf == {"spark.sql.shuffle.partitions": "4"}
    monkeypatch.setenv("BOATHOUSE_SPARK__CONF", '{"spark.ui.enabled": "false"}')
    assert load_settings().spark.conf["spark.ui.enabled"] == "false"


def test_a_relative_directory_in_the_file_is_relative_to_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "boathouse.toml").write_text('home = "lake"\ncache = "~/jars"\n')
    below = tmp_path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    settings = load_settings()
    assert settings.home == tmp_path / "lake"
    assert settings.cache == Path.home() / "jars"


def test_so_is_the_java_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "boathouse.toml").write_text('[java]\nhome = "jdk"\n')
    below = tmp_path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    assert load_settings().java.home == tmp_path / "jdk"


def test_a_relative_directory_in_a_variable_is_relative_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "boathouse.toml").write_text('home = "lake"\n')
    below = tmp_path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    monkeypatch.setenv("BOATHOUSE_HOME", "own")
    assert load_settings().home == below / "own"


def test_a_wrong_value_names_every_place_it_was_looked_for_in(tmp_path: Path) -> None:
    (tmp_path / "boathouse.toml").write_text('[spark]\nmemory = "lots"\n')
    message = refused()
    assert "spark.memory is wrong" in message
    assert "BOATHOUSE_SPARK__MEMORY" in message
    assert str(tmp_path / "boathouse.toml") in message
    assert "the default" in message


def test_every_wrong_value_is_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "boathouse.toml").write_text('[spark]\nmemory = "lots"\nport = 0\n[artifacts]\nmirror = "ftp://x"\n')
    message = refused()
    assert all(name in message for name in ("spark.memory", "spark.port", "artifacts.mirror"))


def test_a_misspelt_setting_in_the_file_is_refused_with_the_closest_one(tmp_path: Path) -> None:
    (tmp_path / "boathouse.toml").write_text('[spark]\nmemmory = "3g"\n')
    assert "did you mean spark.memory?" in refused()


def test_a_misspelt_variable_is_refused_with_the_closest_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOATHOUSE_SPARK__MEMMORY", "3g")
    assert "did you mean BOATHOUSE_SPARK__MEMORY?" in refused()


def test_a_file_that_is_not_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "boathouse.toml").write_text("home = lake")
    message = refused()
    assert str(tmp_path / "boathouse.toml") in message
    assert "line 1" in message


def test_a_named_file_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOATHOUSE_CONFIG", "/nowhere/own.toml")
    assert "/nowhere/own.toml" in refused()


@pytest.mark.parametrize(
    "name", ["BOATHOUSE_SECRET_METERS", "BOATHOUSE_CONTROL_URL", "BOATHOUSE_CONTROL_TOKEN", "BOATHOUSE_WORKSPACE"]
)
def test_what_the_control_plane_and_its_client_read_is_no_misspelt_setting(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "x")
    load_settings()


def test_a_table_in_a_variable_that_is_not_json_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOATHOUSE_SPARK__CONF", "spark.ui=false")
    assert "The variable BOATHOUSE_SPARK__CONF is not JSON" in refused()


def test_a_wrong_form_is_told_with_an_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOATHOUSE_SPARK__MEMORY", "lots")
    assert "'lots' is not a size: write a number and m or g, such as 2g" in refused()


@pytest.mark.parametrize(("written", "text"), [("16", "16"), ("0.5", "0.5"), ("true", "true"), ('"x"', "x")])
def test_spark_properties_may_be_numbers_and_truths(tmp_path: Path, written: str, text: str) -> None:
    (tmp_path / "boathouse.toml").write_text(f'[spark.conf]\n"spark.some.property" = {written}\n')
    assert load_settings().spark.conf == {"spark.some.property": text}


def test_the_variable_of_a_wrong_property_is_one_that_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "boathouse.toml").write_text('[spark.conf]\n"spark.x" = [1]\n')
    assert "the variable BOATHOUSE_SPARK__CONF," in refused()
    monkeypatch.setenv("BOATHOUSE_SPARK__CONF", '{"spark.x": 1}')
    assert load_settings().spark.conf == {"spark.x": "1"}


def test_wrong_settings_are_described_as_they_were_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "boathouse.toml").write_text("[object_store]\nsecret_key = 12345678\n[spark]\nport = 0\n")
    monkeypatch.setenv("BOATHOUSE_SPARK__MEMORY", "lots")
    with pytest.raises(ConfigurationError) as caught:
        load_settings()
    values = {value.name: value for value in describe_wrong(caught.value)}
    assert (values["spark.memory"].value, values["spark.memory"].origin) == ("lots", "BOATHOUSE_SPARK__MEMORY")
    assert "such as 2g" in (values["spark.memory"].problem or "")
    assert values["spark.port"].problem == "must be at least 1"
    assert values["stack.profile"].problem is None
    assert "12345678" not in str(values["object_store.secret_key"].value)


def test_a_wrong_secret_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "boathouse.toml").write_text("[object_store]\nsecret_key = 12345678\n")
    assert "12345678" not in refused()


def test_every_setting_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    values = describe(load_settings())
    assert all(value.description for value in values)
    assert len({value.name for value in values}) == len(values)


def test_a_table_given_as_json_is_the_origin_of_what_it_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOATHOUSE_SPARK", '{"memory": "3g"}')
    origins = {value.name: (value.value, value.origin) for value in describe(load_settings())}
    assert origins["spark.memory"] == ("3g", "BOATHOUSE_SPARK")
    assert origins["spark.master"][1] == "default"


def test_a_settings_variable_follows_from_its_name() -> None:
    assert variable("object_store.secret_key") == "BOATHOUSE_OBJECT_STORE__SECRET_KEY"
