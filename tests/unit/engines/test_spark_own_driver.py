"""What a driver of its own is told."""

from boathouse.engines.spark.own_driver import ALWAYS, AVROS_LIMITS, bounded, encryption
from boathouse.kit.settings import SparkSettings

_PREFIX = "spark.hadoop.fs.s3a.encryption"


def test_no_batch_is_refused_for_its_size() -> None:
    """It is tried again as it is, so it would be refused for ever."""
    assert ALWAYS["spark.driver.maxResultSize"] == "0"


def test_no_event_takes_more_memory_than_there_is_for_what_it_only_says_to_have() -> None:
    limits = " ".join(f"-D{name}={limit}" for name, limit in AVROS_LIMITS.items())
    driver, executor = "spark.driver.defaultJavaOptions", "spark.executor.defaultJavaOptions"
    assert bounded(SparkSettings()) == {driver: limits, executor: limits}
    # Of two that set the same, Java takes the later one.
    own = bounded(SparkSettings(conf={executor: "-Xss4m"}))
    assert own == {driver: limits, executor: f"{limits} -Xss4m"}


def test_nothing_is_encrypted_unless_that_is_wanted() -> None:
    assert encryption(SparkSettings()) == {}


def test_checkpoints_are_encrypted_by_the_stores_own_key_or_by_a_named_one() -> None:
    own = encryption(SparkSettings(checkpoint_encryption="sse-s3"))
    assert own == {f"{_PREFIX}.algorithm": "AES256"}
    named = encryption(SparkSettings(checkpoint_encryption="sse-kms", checkpoint_key="lake"))
    assert named == {f"{_PREFIX}.algorithm": "SSE-KMS", f"{_PREFIX}.key": "lake"}
