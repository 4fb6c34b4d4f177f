from boathouse.control.worker.journal import Journal

MEGABYTE = "x" * (1024 * 1024)


def test_what_is_printed_without_end_is_cut_and_said_to_be() -> None:
    journal = Journal()
    for _ in range(30):
        journal.overheard(MEGABYTE)
    lines = journal.next_lines()
    assert sum(len(text) for _, _, text in lines) < 22 * len(MEGABYTE)
    assert lines[-1][1:] == ("system", "The log is longer than 20 MiB. The rest is left out.")


def test_a_line_holds_nothing_that_a_database_cannot_keep() -> None:
    journal = Journal()
    journal.add((0, "out", "a\0b"))
    journal.overheard("c\0d")
    assert [text for _, _, text in journal.next_lines()] == ["a\ufffdb", "c\ufffdd"]


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
