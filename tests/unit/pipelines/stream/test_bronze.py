"""A batch of the log is written, or it fails."""

import json
from contextlib import nullcontext
from typing import Any, NoReturn, cast
from unittest.mock import Mock

import pytest

from boathouse.kit.errors import Conflict, WorkFailed
from boathouse.pipelines.stream import bronze
from boathouse.pipelines.stream.beginning import Said
from boathouse.pipelines.stream.bronze import Bronze
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.offsets import PROPERTY, Offsets


class Restless(Bronze):
    """One whose tables change each time that it judges."""

    def _commit(self, messages: Any, batch: int, done: Offsets, end: Offsets) -> NoReturn:
        raise bronze._Learned


def test_a_batch_that_could_not_be_judged_is_not_taken_for_done() -> None:
    nobody = cast("Any", None)
    log = Restless(nobody, nobody, nobody, Meter(), _done={})
    vars(log)["beginning"] = beginning = Mock()
    beginning.checkpoint.end_of.return_value = {"t": {"0": 1}}
    with pytest.raises(WorkFailed, match="changed each time"):
        log.take(nobody, 0)


class Written(Bronze):
    """One that notes how the rejected events of its batches are called."""

    loads: list[str]

    def _write(self, messages: Any, staging: Any, log: Any, load_id: str, said: Any) -> Any:
        self.loads.append(load_id)


def test_rejected_events_of_two_batches_never_share_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bronze, "Staging", Mock())
    monkeypatch.setattr(Bronze, "create_request", Mock())
    monkeypatch.setattr(Bronze, "_refuse_other", Mock())
    log = Written(Mock(), Mock(), Mock(), Meter())
    vars(log)["beginning"] = Mock(ids={})
    log.loads = []
    # The same batch, at the same moment: of two topics, say, of which one was made anew.
    for _ in range(100):
        log._commit(Mock(), 0, {}, {})
    assert len(set(log.loads)) == 100


def _table(*said: Offsets | None) -> dict[str, Any]:
    """With a snapshot for each, the last of which is the current one."""
    snapshots = [
        {
            "snapshot-id": number,
            "parent-snapshot-id": number - 1,
            "summary": {} if one is None else {PROPERTY: json.dumps(one)},
        }
        for number, one in enumerate(said, 1)
    ]
    return {"current-snapshot-id": len(said) or -1, "snapshots": snapshots}


@pytest.mark.parametrize(
    ("base", "is_other"),
    [
        (_table({"t": {"0": 5}}, {"t": {"0": 9}}), False),
        (_table({"t": {"0": 9}}, None), False),
        (_table({"t": {"0": 5}}), True),
        (_table(), True),
    ],
    ids=["as it was left", "with a replay since", "rolled back", "made anew"],
)
def test_nothing_is_added_to_a_table_that_has_lost_what_it_had(base: dict[str, Any], is_other: bool) -> None:  # noqa: FBT001
    log = Bronze(Mock(), Mock(), Mock(), Meter(), _said=Said({"t": {"0": 9}}))
    with pytest.raises(Conflict) if is_other else nullcontext():
        log._refuse_other(base)
