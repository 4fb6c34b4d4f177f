"""A connection to Spark, tested on the lakehouse's own."""

import pytest

from boathouse.control.connections import steps
from boathouse.control.connections.kinds import KINDS
from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.stack


async def outcome_of(address: str, token: str | None) -> steps.Tested:
    spark = KINDS["spark"]
    config = spark.config.model_validate({"address": address})
    return await steps.take_all(spark.steps(config, {"token": token} if token else {}))


async def test_it_says_its_version_to_who_has_the_token(stack: LakehouseUnderTest) -> None:
    spark = stack.access.spark
    outcome = await outcome_of(spark.remote, spark.token.get_secret_value())
    assert outcome.ok, outcome
    assert [step.name for step in outcome.steps] == ["find the host", "reach it", "ask its version"]
    assert outcome.steps[-1].message.startswith("It is Spark 4.")


async def test_it_refuses_who_has_another_or_none(stack: LakehouseUnderTest) -> None:
    for token in ("a-wrong-one", None):
        outcome = await outcome_of(stack.access.spark.remote, token)
        assert not outcome.ok
        assert "login is refused" in outcome.steps[-1].message
        assert "a-wrong-one" not in outcome.steps[-1].message
