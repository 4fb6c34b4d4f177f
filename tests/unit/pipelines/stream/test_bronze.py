"""A batch of the log is written, or it fails."""

import json
from contextlib import nullcontext
from typing import Any, NoReturn, cast
from unittest.mock import Mock

import pytest

from boathouse.kit.catalog_client import TableName
from boathouse.kit.errors import Conflict, WorkFailed
from boathouse.pipelines.stream import bronze
from boathouse.pipelines.stream.beginning import Said
from boathouse.pipelines.stream.bronze import Bronze
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.judging import ChangesJudge
from boathouse.pipelines.stream.log_columns import PROPERTY as COLUMNS
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.offsets import PROPERTY, Offsets
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import parse_type


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


def test_columns_are_remembered_before_a_change_by_them_is_written_and_not_again() -> None:
    def table(kind: str) -> dict[str, SourceTable]:
        return {"t": SourceTable("public.t", {"c": parse_type(kind)}, ("c",), "f")}

    client, found = Mock(), Mock(metadata={"properties": {}})
    client.find_table.return_value = found
    followed = Followed(table("int"), lambda: table("bigint"))
    spec = Mock()
    spec.spec.bronze.table = TableName(("log",), "changes")
    log = Bronze(spec, ChangesJudge(followed), client, Meter())
    told: list[str] = []
    for _ in range(2):
        log._remember_columns()
    followed.refresh()
    log._remember_columns()
    for call in client.commit_table.call_args_list:
        (update,) = call.args[0].updates
        told.append(update["updates"][COLUMNS])
    assert [json.loads(one) for one in told] == [{"public.t": {"c": "int"}}, {"public.t": {"c": "bigint"}}]


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


class Appended(Bronze):
    """One that notes what its snapshots say."""

    said: list[dict[str, str]]

    def _judge(self, messages: Any, staging: Any, log: Any, load_id: str, said: Any) -> Any:
        self.said.append(bronze._properties(said))
        return bronze._Counted(1, 0, 0, None)


@pytest.mark.parametrize("plain", [0, 3])
def test_a_log_that_was_rolled_back_to_the_midst_of_a_batch_is_refused(
    monkeypatch: pytest.MonkeyPatch, plain: int
) -> None:
    log = Appended(Mock(), Mock(**{"columns.return_value": {}}), Mock(), Meter())
    log.said = []

    def add(*arguments: Any) -> None:
        log.said.append(arguments[-1])

    written = Mock(files=["a"] * plain, rows=plain, left=1, newest=None)
    monkeypatch.setattr(bronze, "log_files", Mock(add=add, **{"write.return_value": written}))
    log._write(Mock(), Mock(), Mock(), "l", Said({"t": {"0": 9}}, {"t": "i"}))
    before = {"snapshot-id": 1, "summary": bronze._properties(Said({"t": {"0": 5}}, {"t": "i"}))}
    wrote = [
        {"snapshot-id": number, "parent-snapshot-id": number - 1, "summary": summary}
        for number, summary in enumerate(log.said, 2)
    ]
    table: dict[str, Any] = {"snapshots": [before, *wrote]}
    assert log._said_by(table | {"current-snapshot-id": 1}) == Said({"t": {"0": 5}}, {"t": "i"})
    assert log._said_by(table | {"current-snapshot-id": len(wrote) + 1}) == Said({"t": {"0": 9}}, {"t": "i"})
    if not plain:
        assert len(wrote) == 1
        return
    with pytest.raises(WorkFailed, match="to the midst of a batch") as refused:
        log._said_by(table | {"current-snapshot-id": 2})
    assert "one snapshot further" in str(refused.value.hint)
    # Nor is it written to when that comes about between two batches, or if others have rewritten its files since.
    since = {"snapshot-id": 9, "parent-snapshot-id": 2, "summary": {"operation": "replace"}}
    with pytest.raises(WorkFailed):
        log._refuse_other({"snapshots": [before, *wrote, since], "current-snapshot-id": 9})
