"""What follows from what was done about a rejected row."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from boathouse.kit.deadletters.ledger import (
    Action,
    Entry,
    RejectState,
    as_rows,
    fates,
    next_moment,
    read_entries,
    reject_id,
)

START = datetime(2026, 1, 1, tzinfo=UTC)


def entry(second: int, action: Action, raw: str | None = None, note: str | None = None) -> Entry:
    return Entry("one", action, START + timedelta(seconds=second), "ada", raw, note)


def test_a_mended_row_is_open_with_its_new_text() -> None:
    fate = fates([entry(1, Action.MENDED, "1,2")])["one"]
    assert (fate.state, fate.raw, fate.by) == (RejectState.OPEN, "1,2", "ada")


def test_a_row_that_fails_again_is_open_with_its_new_reason_and_keeps_its_text() -> None:
    fate = fates([entry(1, Action.MENDED, "1,x"), entry(2, Action.FAILED, "1,x", "b is not int: x")])["one"]
    assert (fate.state, fate.raw, fate.reason) == (RejectState.OPEN, "1,x", "b is not int: x")


def test_a_discarded_row_can_be_opened_again() -> None:
    told = [entry(1, Action.DISCARDED, note="a test order")]
    assert fates(told)["one"].state is RejectState.DISCARDED
    assert fates([*told, entry(2, Action.REOPENED)])["one"].state is RejectState.OPEN


@given(st.lists(st.sampled_from(list(Action)), max_size=8), st.integers(0, 7))
def test_what_was_replayed_stays_so_whatever_comes_after(actions: list[Action], place: int) -> None:
    told = [entry(second, action) for second, action in enumerate(actions)]
    replayed = [
        *told,
        entry(place, Action.REPLAYED),
        *(entry(second + 9, action) for second, action in enumerate(actions)),
    ]
    assert fates(replayed)["one"].state is RejectState.REPLAYED


@given(
    st.permutations([entry(n, action) for n, action in enumerate((Action.MENDED, Action.DISCARDED, Action.REOPENED))])
)
def test_the_order_in_which_entries_are_read_does_not_matter(told: list[Entry]) -> None:
    assert fates(told)["one"].state is RejectState.OPEN


def test_entries_come_back_from_their_table_as_they_were() -> None:
    told = [entry(1, Action.MENDED, "1;ä\n2"), entry(2, Action.DISCARDED, note="no")]
    assert read_entries(as_rows(told)) == told


def test_the_next_entry_is_after_the_last_even_if_the_clock_is_behind() -> None:
    future = datetime.now(UTC) + timedelta(hours=1)
    known = fates([Entry("one", Action.DISCARDED, future)])
    assert next_moment(known) > future
    assert next_moment({}) <= datetime.now(UTC)


def test_a_row_is_known_by_its_place() -> None:
    assert reject_id("load", "file:///a.csv", 3) == reject_id("load", "file:///a.csv", 3)
    different = {("load", "a", 3), ("load", "a", 4), ("load", "b", 3), ("other", "a", 3), ("load", "a", None)}
    assert len({reject_id(*place) for place in different}) == len(different)
