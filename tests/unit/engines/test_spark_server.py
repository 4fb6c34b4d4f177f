"""What the Spark server is started with."""

import os
from pathlib import Path

import pytest

from boathouse.engines.spark import server
from boathouse.kit.access import CatalogAccess, LakeAccess, ObjectStoreAccess, SparkAccess
from boathouse.kit.settings import SparkSettings

SECRETS = ("spark-secret", "catalog-secret", "store-key", "store-secret")
JARS = [Path("/cache/iceberg.jar"), Path("/cache/hadoop-aws.jar")]


@pytest.fixture
def lake() -> LakeAccess:
    spark, catalog, key, secret = SECRETS
    return LakeAccess.model_validate(
        {
            "object_store": ObjectStoreAccess.model_validate(
                {
                    "endpoint": "http://127.0.0.1:8333",
                    "region": "r",
                    "bucket": "b",
                    "access_key": key,
                    "secret_key": secret,
                }
            ),
            "catalog": CatalogAccess.model_validate(
                {"uri": "http://127.0.0.1:8181", "warehouse": "w", "token": catalog}
            ),
            "spark": SparkAccess.model_validate({"remote": "sc://localhost:15009", "token": spark, "catalog": "lake"}),
        }
    )


def properties(lake: LakeAccess, settings: SparkSettings | None = None, archive: Path | None = None) -> dict[str, str]:
    return server.server_properties(
        lake,
        settings=settings or SparkSettings.model_validate({}),
        jars=JARS,
        ui_port=4041,
        scratch=Path("/data/my scratch"),
        python="/venv/bin/python",
        archive=archive,
    )


def test_no_secret_is_among_the_properties(lake: LakeAccess) -> None:
    text = server.properties_text(properties(lake))
    assert not any(secret in text for secret in SECRETS)


def test_every_secret_is_in_the_environment(lake: LakeAccess) -> None:
    environment = server.server_environment(lake, java_home=Path("/java"), python="/venv/bin/python")
    assert set(SECRETS) <= set(environment.values())


def test_every_address_is_on_loopback(lake: LakeAccess) -> None:
    found = properties(lake)
    assert found["spark.driver.bindAddress"] == found["spark.connect.grpc.binding.address"] == "127.0.0.1"
    assert server.server_environment(lake, java_home=Path("/java"), python="p")["SPARK_LOCAL_IP"] == "127.0.0.1"


def test_the_port_is_the_one_clients_are_told(lake: LakeAccess) -> None:
    assert properties(lake)["spark.connect.grpc.binding.port"] == "15009"


def test_the_lake_is_the_default_catalog_and_sees_other_writers_at_once(lake: LakeAccess) -> None:
    found = properties(lake)
    assert found["spark.sql.defaultCatalog"] == "lake"
    assert found["spark.sql.catalog.lake.cache-enabled"] == "false"


def test_what_the_user_sets_wins(lake: LakeAccess) -> None:
    settings = SparkSettings.model_validate(
        {"memory": "3g", "conf": {"spark.sql.shuffle.partitions": "7", "spark.new": "x"}}
    )
    found = properties(lake, settings)
    assert found["spark.driver.memory"] == "3g"
    assert found["spark.sql.shuffle.partitions"] == "7"
    assert found["spark.new"] == "x"


@pytest.mark.parametrize(
    ("master", "cores"),
    [
        ("local", 1),
        ("local[*]", os.cpu_count()),
        ("local[*,3]", os.cpu_count()),
        ("local[6]", 6),
        ("local[6, 3]", 6),
        ("local-cluster[3,4,1024]", 12),
        ("spark://elsewhere:7077", 2),
    ],
)
def test_pipelines_are_told_how_many_cores_there_are(lake: LakeAccess, master: str, cores: int) -> None:
    for given in ({"master": master}, {"conf": {"spark.master": master}}):
        assert properties(lake, SparkSettings.model_validate(given))["spark.boathouse.cores"] == str(cores)


def test_the_user_may_say_how_many_cores_there_are(lake: LakeAccess) -> None:
    settings = SparkSettings.model_validate(
        {"master": "spark://elsewhere:7077", "conf": {"spark.boathouse.cores": "64"}}
    )
    assert properties(lake, settings)["spark.boathouse.cores"] == "64"


def test_java_writes_a_class_archive_once_and_then_uses_it(lake: LakeAccess, tmp_path: Path) -> None:
    archive = tmp_path / "spark.jsa"
    assert f"-XX:ArchiveClassesAtExit={archive}" in properties(lake, archive=archive)["spark.driver.extraJavaOptions"]
    archive.touch()
    assert f"-XX:SharedArchiveFile={archive}" in properties(lake, archive=archive)["spark.driver.extraJavaOptions"]


def test_an_archive_belongs_to_one_java_and_one_set_of_jars(tmp_path: Path) -> None:
    java = tmp_path / "java"
    (java / "lib" / "server").mkdir(parents=True)
    (java / "lib" / "server" / "classes.jsa").touch()
    (java / "release").write_text("17.0.1")
    first = server.class_archive(tmp_path, java_home=java, jars=JARS)
    assert first == server.class_archive(tmp_path, java_home=java, jars=JARS)
    assert first != server.class_archive(tmp_path, java_home=java, jars=JARS[:1])
    (java / "release").write_text("17.0.2")
    assert first != server.class_archive(tmp_path, java_home=java, jars=JARS)


def test_a_java_without_an_archive_of_its_own_keeps_none(tmp_path: Path) -> None:
    assert server.class_archive(tmp_path, java_home=tmp_path, jars=JARS) is None


def test_the_properties_file_escapes_what_java_would_read_otherwise() -> None:
    text = server.properties_text({"a b": "c=d:e#f\\g\nh"})
    assert text == "a\\ b=c\\=d\\:e\\#f\\\\g\\nh\n"


def test_the_command_needs_only_the_file() -> None:
    command = server.server_command(Path("/run/spark.properties"))
    assert Path(command[0]).is_file()
    assert command[1:3] == ["--properties-file", "/run/spark.properties"]


def test_the_log_configuration_is_shipped_with_the_package(lake: LakeAccess) -> None:
    options = properties(lake)["spark.driver.extraJavaOptions"]
    path = options.partition("-Dlog4j2.configurationFile=")[2].partition('"')[0]
    assert Path(path).is_file()
