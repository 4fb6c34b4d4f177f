from itertools import pairwise

from boathouse.control.worker.journal import Journal

MEGABYTE = "x" * (1024 * 1024)


def test_what_is_printed_without_end_is_cut_and_said_to_be() -> None:
    journal = Journal()
    for _ in range(30):
        journal.overheard(MEGABYTE)
    lines = journal.next_lines()
    assert sum(len(text) for _, _, text in lines) < 22 * len(MEGABYTE)
    assert lines[-1][1:] == ("system", "The log is longer than 20 MiB. The rest is left out.")


def test_lines_that_came_while_others_were_written_stay() -> None:
    journal = Journal()
    journal.say("one")
    journal.moved({"tasks": 1})
    told = journal.progress
    journal.say("two")
    journal.moved({"tasks": 2})
    journal.written(1, told)
    assert ([text for _, _, text in journal.next_lines()], journal.progress) == (["two"], {"tasks": 2})
    assert journal.number == 1


def test_the_line_of_a_long_attempt_goes_from_its_beginning_to_now_with_the_same_distance_between_its_points() -> None:
    journal = Journal()
    for done in range(25_000):
        journal.moved({"tasks_done": done, "tasks": 25_000})
    drawn = [int(point[1]) for point in journal.timeline]
    assert 1_000 < len(drawn) <= 2_000
    assert drawn[0] == 0
    assert {after - before for before, after in pairwise(drawn)} == {16}
    assert drawn[-1] > 25_000 - 32
