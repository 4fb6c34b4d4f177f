"""What Kafka tells of topics, and what it cannot tell for a moment."""

from collections.abc import Iterator
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException
from pydantic import SecretStr

from boathouse.kit.access import KafkaAccess
from boathouse.kit.errors import Unavailable
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.topics import Topics


def topics(monkeypatch: pytest.MonkeyPatch, *answers: int | Offsets) -> Topics:
    """That are told these, one after another: a number is the error's code."""
    made = Topics(KafkaAccess(servers="127.0.0.1:1", user="nobody", password=SecretStr("none")), ["t"])
    left: Iterator[int | Offsets] = iter(answers)

    def told(_: Any) -> Offsets:
        answer = next(left)
        if isinstance(answer, int):
            raise made._away(KafkaException(KafkaError(answer)))
        return answer

    monkeypatch.setattr(made, "_told", told)
    return made


def test_a_topic_that_nobody_has_yet_is_asked_about_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = topics(monkeypatch, KafkaError.LEADER_NOT_AVAILABLE, KafkaError.NOT_LEADER_FOR_PARTITION, {"t": {"0": 7}})
    assert made.ends() == {"t": {"0": 7}}


def test_a_kafka_that_is_away_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = topics(monkeypatch, KafkaError._ALL_BROKERS_DOWN, {"t": {"0": 7}})
    with pytest.raises(Unavailable, match="does not answer"):
        made.ends()
