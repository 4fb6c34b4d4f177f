"""The judge is judged: it has nothing to say about a good history, and finds each way in which one can be bad."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.chaos.catalog.checker import broken_promises
from tests.chaos.catalog.history import Commit, History, Outcome, Read, Version


def location(table: str, number: int) -> str:
    return f"s3://lake/{table}/metadata/{number:05d}-x.metadata.json"


def versions(table: str, *commits: str) -> list[Version]:
    """The table as it was created, and a version for each commit."""
    places = [location(table, number) for number in range(len(commits) + 1)]
    return [
        Version(place, commit, places[:number])
        for number, (place, commit) in enumerate(zip(places, [None, *commits], strict=True))
    ]


def applied(commit: str, start: float, end: float, number: int | None = None, tables: Sequence[str] = "t") -> Commit:
    return Commit(commit, tables, start, end, Outcome.APPLIED, location("t", number) if number else None)


def read(number: int, start: float, end: float) -> Read:
    return Read("t", start, end, location("t", number))


GOOD = History(
    commits=[
        applied("a", 1, 2, 1),
        applied("b", 3, 6, 2),
        applied("both", 4, 7, tables=["t", "u"]),
        Commit("refused", ["t"], 1, 2, Outcome.REFUSED),
        Commit("unknown, applied", ["t"], 8, 9, Outcome.UNKNOWN),
        Commit("unknown, not applied", ["t"], 8, 9, Outcome.UNKNOWN),
    ],
    reads=[
        *(read(0, 0, 0.5), read(0, 1.1, 1.8), read(1, 1.2, 2.5)),
        *(read(1, 3.5, 4), read(2, 3.5, 4), read(3, 7.5, 8), read(3, 20, 21), read(4, 30, 31)),
    ],
    versions={"t": versions("t", "a", "b", "both", "unknown, applied"), "u": versions("u", "both")},
)


def told(history: History) -> str:
    return "\n".join(broken_promises(history))


def after(*commits: str) -> History:
    return replace(GOOD, versions={**GOOD.versions, "t": versions("t", *commits)})


def test_a_good_history_breaks_no_promise() -> None:
    assert broken_promises(GOOD) == []


def test_what_cannot_be_read_is_told() -> None:
    assert broken_promises(replace(GOOD, complaints=["it is gone"])) == ["it is gone"]


def test_a_lost_commit_is_found() -> None:
    assert "commit b to t was acknowledged and is lost" in told(after("a", "both", "unknown, applied"))


@pytest.mark.parametrize("doubled", ["a", "both", "unknown, applied"])
def test_a_commit_that_was_applied_twice_is_found(doubled: str) -> None:
    history = after("a", "b", "both", "unknown, applied", doubled)
    assert f"commit {doubled} was applied 2 times to t" in told(history)


def test_a_refused_commit_that_was_applied_is_found() -> None:
    history = after("a", "b", "both", "unknown, applied", "refused")
    assert "commit refused to t was refused and yet applied" in told(history)


def test_a_version_of_nobodys_is_found() -> None:
    assert "made by ghost, which nobody sent" in told(after("a", "b", "both", "unknown, applied", "ghost"))


def test_a_transaction_that_reached_one_table_only_is_found() -> None:
    unsettled = [replace(one, outcome=Outcome.UNKNOWN) if one.id == "both" else one for one in GOOD.commits]
    history = replace(GOOD, commits=unsettled, versions={**GOOD.versions, "u": versions("u")})
    assert broken_promises(history) == ["transaction both over t, u reached only t"]


def test_a_missing_version_is_found() -> None:
    chain = GOOD.versions["t"]
    history = replace(GOOD, versions={**GOOD.versions, "t": [*chain[:2], *chain[3:]]})
    assert "version 2 of t is called" in told(history)
    assert "the log of version 2 of t is not that of the versions before it" in told(history)


def test_a_log_that_forgot_a_version_is_found() -> None:
    chain = list(GOOD.versions["t"])
    chain[3] = replace(chain[3], log=chain[3].log[1:])
    history = replace(GOOD, versions={**GOOD.versions, "t": chain})
    assert broken_promises(history) == ["the log of version 3 of t is not that of the versions before it"]


def test_an_acknowledgement_of_anothers_version_is_found() -> None:
    history = replace(GOOD, commits=[applied("a", 1, 2, 2), *GOOD.commits[1:]])
    assert "commit a was acknowledged as s3://lake/t/metadata/00002" in told(history)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (read(0, 2.5, 2.7), "read of version 0 of t began at 2.500, after commit a to t had ended at 2.000"),
        (read(1, 5, 5.5), "read of version 1 of t began at 5.000, after read of version 2 of t had ended at 4.000"),
        (read(1, 0.5, 0.9), "commit a to t began at 1.000, after read of version 1 of t had ended at 0.900"),
        (read(4, 7.1, 7.9), "commit unknown, applied to t began at 8.000, after read of version 4"),
    ],
    ids=["older than what was acknowledged", "older than what was read", "not begun yet", "not begun yet, unknown"],
)
def test_a_read_at_the_wrong_time_is_found(bad: Read, words: str) -> None:
    assert f"not linearizable: {words}" in told(replace(GOOD, reads=[*GOOD.reads, bad]))


def test_a_commit_that_took_effect_before_what_was_there_when_it_began_is_found() -> None:
    history = replace(GOOD, commits=[applied("a", 1, 2, 1), applied("b", 7.2, 7.4, 2), *GOOD.commits[2:]])
    assert "commit b to t began at 7.200, after read of version 2 of t had ended at 4.000" in told(history)


def test_a_read_of_what_was_never_committed_is_found() -> None:
    history = replace(GOOD, reads=[*GOOD.reads, read(9, 9, 10)])
    assert broken_promises(history) == [
        "a read of t gave s3://lake/t/metadata/00009-x.metadata.json, which is none of its versions"
    ]
