"""How streaming pipelines fare, as people and programs read it."""

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.filesize import decimal
from rich.live import Live
from rich.table import Table
from rich.text import Text

from boathouse.cli.output import answers, document
from boathouse.cli.servers import At
from boathouse.cli.values import visible
from boathouse.client.pipelines import Hop, Pipeline, Stream, StreamStatus
from boathouse.client.runs import ENDED
from boathouse.kit.errors import InvalidInput, NotFound
from boathouse.pipelines.yaml_text import read_yaml

_EVERY = 1.0
_NOTHING = "-"
_STYLES = {
    "running": "green",
    "waiting": "yellow",
    "silent": "red",
    "failing": "red",
    "failed": "red",
    "timed-out": "red",
}
_COLUMNS = ("hop", "to", "state", "events", "events/s", "of", "lag", "behind", "batch", "took")
_FIGURES = frozenset(_COLUMNS[3:])


def told(at: At, workspace: str, which: str | None) -> list[Pipeline]:
    """All streams, or the one that is meant."""
    pipelines = at.control.pipelines
    if which is None:
        return list(pipelines.streams(workspace))
    job = _job_of(at, workspace, Path(which)) if which.endswith((".yaml", ".yml")) else which
    found = pipelines.get(workspace, job)
    if found.kind != "stream":
        raise InvalidInput(f"{job} loads files, and follows no stream.", hint=f"See `boathouse run list --job {job}`.")
    return [found]


def _job_of(at: At, workspace: str, file: Path) -> str:
    """The job that a file is of, or the one that follows the pipeline that it is of."""
    try:
        spec: Any = read_yaml(file.read_text(), str(file)).value
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} cannot be read: {error}.") from error
    known: dict[str, Any] = spec if isinstance(spec, dict) else {}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(job := known.get("job"), str):
        return job
    for one in at.control.pipelines.streams(workspace):
        pipeline: Any = at.control.jobs.get(workspace, one.job).definition["spec"]["pipeline"]
        if pipeline.get("pipeline") == known.get("pipeline"):
            return one.job
    raise NotFound(
        f"No job of {workspace} follows the pipeline of {file}.",
        hint="`boathouse job apply` makes one of the kind stream. A pipeline that runs as a process tells how it fares "
        f"with `boathouse pipeline run {shlex.quote(str(file))} --status FILE`.",
    )


def show(found: Sequence[Pipeline], *, as_json: bool) -> None:
    if as_json:
        document([one.model_dump(mode="json") for one in found])
    else:
        answers().print(_all(found))


def show_again(look: Callable[[], Sequence[Pipeline]], *, as_json: bool) -> None:
    """Until whoever looks has seen enough: on a terminal in place, else one after another."""
    console = answers()
    if as_json or not console.is_terminal:
        while True:
            show(look(), as_json=as_json)
            time.sleep(_EVERY)
    with Live(console=console, auto_refresh=False, screen=False) as live:
        while True:
            live.update(_all(look()), refresh=True)
            time.sleep(_EVERY)


def _all(found: Sequence[Pipeline]) -> RenderableType:
    if not found:
        return Text("No streaming pipeline is there. A job of the kind stream makes one.")
    return Group(*(part for one in found for part in _one(one)))


def _one(pipeline: Pipeline) -> Iterator[RenderableType]:
    stream = pipeline.stream
    if stream is None:
        yield Text.assemble((pipeline.job, "bold"), "  was never started: ", f"boathouse job run {pipeline.job}")
        yield Text()
        return
    yield _headline(pipeline.job, stream)
    if stream.error and stream.state != "running":
        yield Text(f"  {visible(stream.error)}", style="red")
    if (status := stream.status) is not None:
        yield from _aged(status, stream)
        old = _instead(stream)
        yield _hops(status, old)
        if old is None:
            yield from (Text(f"! {visible(alert.text)}", style="red") for alert in status.alerts)
        yield Text(f"{status.rejected:,} rejected", style="yellow" if status.rejected else "dim")
    yield Text()


def _aged(status: StreamStatus, stream: Stream) -> Iterator[Text]:
    if stream.state == "pending":
        yield Text(f"  It waits for its next try: these figures are of {status.at:%Y-%m-%d %H:%M:%SZ}.", style="yellow")
    elif stream.silent_seconds is not None:
        told = f"  It has told nothing for {stream.silent_seconds:,.0f} s: these figures are as old as that."
        yield Text(told, style="red")


def _instead(stream: Stream) -> str | None:
    """In the place of what its hops told last, where that is so no longer, or nobody knows."""
    if stream.state in ENDED:
        return "stopped"
    if stream.state == "pending":
        return "waiting"
    return "silent" if stream.silent_seconds is not None else None


def _headline(job: str, stream: Stream) -> Text:
    state = "stopping" if stream.stop_by and stream.state not in ENDED else stream.state
    since = stream.ended_at or stream.started_at or stream.created_at
    when = f"since {since:%Y-%m-%d %H:%M:%SZ}"
    return Text.assemble(
        (job, "bold"), "  ", (state, _STYLES.get(state, "")), f"  {when}  attempt {stream.attempt}  run {stream.run_id}"
    )


def _hops(status: StreamStatus, old: str | None) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in _COLUMNS:
        table.add_column(name, justify="right" if name in _FIGURES else "left", overflow="fold")
    for hop in status.hops:
        table.add_row(*_hop(hop, status, old), style="dim" if old else None)
    return table


def _hop(hop: Hop, status: StreamStatus, old: str | None) -> Iterator[Text]:
    state = old or hop.state
    broken = {alert.what for alert in status.alerts if alert.hop == hop.name and old is None}
    yield Text(visible(hop.title))
    yield Text(visible(hop.to))
    yield Text(state if hop.error is None else f"{state}: {visible(hop.error)}", style=_STYLES.get(state, ""))
    yield _figure(hop.events)
    yield _figure(None if old else hop.rate, "rate" in broken)
    yield _figure(status.aims.events_per_second)
    yield _figure(hop.lag, "lag" in broken) if hop.lag_bytes is None else Text(decimal(hop.lag_bytes))
    yield _behind(hop, "freshness" in broken)
    yield _figure(hop.batch)
    yield _seconds(hop.batch_seconds)


def _behind(hop: Hop, broken: bool) -> Text:  # noqa: FBT001 - whether an aim is
    """Where nothing is left to take, the age of the newest event says nothing of how it fares."""
    left = hop.lag_bytes if hop.lag is None else hop.lag
    return Text("caught up") if left == 0 else _seconds(hop.freshness, broken)


def _figure(value: float | None, broken: bool = False) -> Text:  # noqa: FBT001, FBT002 - whether an aim is
    return Text(_NOTHING, style="dim") if value is None else Text(f"{value:,.0f}", style="bold red" if broken else "")


def _seconds(value: float | None, broken: bool = False) -> Text:  # noqa: FBT001, FBT002
    return Text(_NOTHING, style="dim") if value is None else Text(f"{value:,.1f} s", style="bold red" if broken else "")
