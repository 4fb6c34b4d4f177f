"""Tables as they stand in the source, whatever happens between two rounds."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from boathouse.stack.artifacts import Fetcher, read_lock
from boathouse.stack.plan import artifact_cache
from tests.lakehouse_under_test import LakehouseUnderTest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def told(stack: LakehouseUnderTest) -> dict[str, Any]:
    """All is asked at once, since a Spark of its own takes long to start."""
    Fetcher(artifact_cache(stack.settings), stack.settings.artifacts).fetch(read_lock()["spark-kafka"])
    command = [sys.executable, "-m", "tests.integration.silver_rounds"]
    ran = subprocess.run(command, env=stack.env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    # Before it may come what Iceberg says of the catalogs of sessions that are gone.
    return json.loads(ran.stdout.splitlines()[-1])


def test_a_round_that_was_killed_in_the_middle_is_done_once_more(told: dict[str, Any]) -> None:
    assert told["killed_in_the_middle"] == {"emptied": [[2]], "rows": [[2, "stays"], [3, "new"]]}


def test_a_table_that_fails_keeps_no_other_from_being_merged(told: dict[str, Any]) -> None:
    found = told["one_fails"]
    assert found["failed"].startswith("public.b: The table ")
    assert "b does not take this data: id is string and cannot become int" in found["failed"]
    assert (found["events"], found["c"]) == (2, [[1]])


def test_a_deleted_key_is_kept_although_the_key_became_wider(told: dict[str, Any]) -> None:
    assert told["wider_key"] == {"rows": [[2]], "deleted": [[1], [2**40]]}


def test_a_type_that_became_another_one_is_the_lakes_also_after_a_start(told: dict[str, Any]) -> None:
    found = told["another_type"]
    assert found["rows"] == [[1, 5], [2, 6]]
    assert found["said"] == ["public.t: v has become string and stays int here; changes that do not fit are rejected"]


def test_a_table_that_is_made_later_takes_the_changes_of_before_its_columns_types_were_others(
    told: dict[str, Any],
) -> None:
    assert told["another_type_before_there_was_a_table"] == [[1, "one", "1"], [2, "2", "two"]]


def test_topics_of_another_debezium_are_merged_by_the_key_of_their_events_also_after_a_start(
    told: dict[str, Any],
) -> None:
    assert told["topics_of_another_debezium"] == [[1, "c"]]


def test_a_topic_may_be_called_as_kafka_allows_and_be_empty(told: dict[str, Any]) -> None:
    found = told["topics_with_odd_names_and_one_that_is_empty"]
    assert found == [[[1, "other.public.order-items"]], [[1, "prod.shop.public.orders"]]]


def test_a_key_that_no_event_told_at_first_is_learned_from_those_that_do(told: dict[str, Any]) -> None:
    found = told["a_key_that_comes_late"]
    assert "has no key, so its rows cannot be told apart" in found["failed"]
    assert found["rows"] == [[1, "a"], [2, "b"]]


def test_columns_of_a_key_may_be_called_as_what_they_are_merged_by(told: dict[str, Any]) -> None:
    assert told["a_key_called_last"] == [[1, 2, 3, 4, 5, 11]]


def test_keys_of_any_kind_are_merged_at_both_ends_of_what_comes(told: dict[str, Any]) -> None:
    found = told["keys_of_all_kinds"]
    assert found["string"] == [["", "new"], ["a", "new"], ["b", "old"]]
    assert found["date"] == [["2024-02-28", "new"], ["2024-02-29", "new"], ["2024-03-01", "old"]]


def test_files_without_a_key_that_could_be_meant_are_not_read(told: dict[str, Any]) -> None:
    assert sum(count for (count,) in told["far_away"]) == 3


def test_a_change_that_was_under_way_when_its_row_was_read_is_newer_than_the_row(told: dict[str, Any]) -> None:
    assert told["rows_that_were_there"] == [[1, "new"], [3, "old"]]


def test_what_was_committed_later_counts_although_it_was_written_before(told: dict[str, Any]) -> None:
    rows = [[1, "third", 25, 40], [3, "stays", 28, 40]]
    assert told["committed_later"] == {"together": rows, "apart": rows}


def test_a_table_emptied_in_a_transaction_has_what_that_wrote_afterwards(told: dict[str, Any]) -> None:
    assert told["emptied_in_a_transaction"] == [[3]]


def test_a_table_that_was_rolled_back_or_dropped_meanwhile_gets_back_what_it_lost(told: dict[str, Any]) -> None:
    assert told["rolled_back"] == {"rolled_back": [[1], [2]], "dropped": [[1], [2]]}
