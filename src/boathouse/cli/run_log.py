"""A run's log on the screen: what it wrote goes where it wrote it, and what became of it beside that."""

from collections.abc import Iterator

import typer

from boathouse.cli.output import notices
from boathouse.cli.servers import At
from boathouse.cli.waiting import waiting
from boathouse.client.flow_log import FlowLog, TaskSaid
from boathouse.client.runs import ENDED, Became, LogLine, Run, RunInFull
from boathouse.kit.errors import InvalidInput, NotFound

FLOW = "flow"


def show_log(at: At, workspace: str, run: RunInFull, *, attempt: int | None = None) -> None:
    """What there is by now; of a flow, that of its tasks."""
    empty = True
    for task, line in _log(at, workspace, run, attempt):
        _print(line, task)
        empty = False
    if empty:
        why = run.waits_for or f"`boathouse run show {run.id}` says more."
        _notice(f"Nothing was written so far: the run is {run.state}. {why}")


def follow_log(at: At, workspace: str, run: Run, *, attempt: int | None = None, quiet: bool = False) -> None:
    """As it comes, until the run is over; of a flow, what becomes of its tasks too."""
    with waiting(notices(), f"the run waits; `boathouse run show {run.id}` says for what") as begun:
        if run.kind == FLOW and not quiet:
            for one in FlowLog(at.control.runs, workspace, run.id).watch():
                begun()
                _print_task(one)
            return
        for said in at.control.runs.watch(workspace, run.id):
            if not isinstance(said, Became) or said.state != "pending":
                begun()
            if isinstance(said, LogLine) and not quiet and attempt in {None, said.attempt}:
                _print(said)


def refuse_unless_attempted(run: RunInFull, attempt: int | None) -> None:
    """The log of an attempt that is not there would be empty, as that of one that wrote nothing is."""
    if attempt is None:
        return
    if run.kind == FLOW:
        raise InvalidInput(
            f"The run {run.id} is of a flow, whose tasks have attempts of their own.",
            hint=f"`boathouse run show {run.id}` lists their runs, whose logs take --attempt.",
        )
    if attempt > run.attempt:
        there = {0: "None has begun yet.", 1: "It has only the first."}
        raise NotFound(
            f"The run {run.id} has no attempt {attempt}.", hint=there.get(run.attempt, f"It has 1 to {run.attempt}.")
        )


def _log(at: At, workspace: str, run: Run, attempt: int | None) -> Iterator[tuple[str | None, LogLine]]:
    if run.kind == FLOW:
        yield from FlowLog(at.control.runs, workspace, run.id).by_now()
    else:
        yield from ((None, line) for line in at.control.runs.log(workspace, run.id, attempt=attempt))


def _print(line: LogLine, task: str | None = None) -> None:
    text = line.text if task is None else f"[{task}] {line.text}"
    if line.stream == "system":
        _notice(text)
    else:
        typer.echo(text, err=line.stream == "err")


def _print_task(one: TaskSaid) -> None:
    if isinstance(one.said, LogLine):
        _print(one.said, one.task)
    elif one.said.state == "running" or one.said.state in ENDED:
        # That it waits for its turn is no news.
        _notice(f"[{one.task}] {_became(one.said)}")


def _became(said: Became) -> str:
    again = f", attempt {said.attempt}" if said.attempt > 1 else ""
    why = f": {said.error}" if said.error and said.state in ENDED else ""
    return f"{said.state}{again}{why}"


def _notice(text: str) -> None:
    notices().print(text, style="dim", markup=False, highlight=False, soft_wrap=True)
