"""`boathouse demo-stream`: changes in Postgres arrive in ClickHouse and in the lake while you watch."""

import asyncio
import shlex
import signal
import time
from collections.abc import Callable, Coroutine, Generator
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from boathouse.cli.chapters import chapter, console, show_sql

if TYPE_CHECKING:
    from boathouse.cli.meters.comparison import Compared
    from boathouse.cli.meters.following import Followed, Follower
    from boathouse.cli.meters.run import StreamRun
    from boathouse.cli.meters.work import Work
    from boathouse.client.client import ControlClient
    from boathouse.kit.access import LakeAccess
    from boathouse.kit.settings import Settings

PROFILE = "stream"
_SEED = 7
# The generator ends with the demo, long before this.
_GENERATOR_SECONDS = 3_600
# A cold Spark on a busy machine takes most of it.
_PATIENCE = 300.0
_LOOK_EVERY = 0.5


def demo_stream(
    *,
    once: Annotated[bool, typer.Option("--once", help="Stop the lakehouse at the end, unless it ran before.")] = False,
    seconds: Annotated[int, typer.Option(min=1, help="How long to watch the stream.")] = 30,
    rate: Annotated[int, typer.Option(min=1, help="Changes a second in Postgres.")] = 200,
) -> None:
    """See changes in Postgres arrive in ClickHouse and in the lake.

    The lakehouse stays up to play with.
    """
    from boathouse.cli.stack_start import StartView
    from boathouse.kit.errors import Cancelled
    from boathouse.kit.settings import load_settings
    from boathouse.stack.lifecycle import Lakehouse

    settings = load_settings()
    _refuse_own_postgres(settings)
    lakehouse = Lakehouse(settings)
    chapter("Starting the lakehouse with Postgres, Kafka, Debezium and ClickHouse")
    started = StartView().up(lakehouse, PROFILE)
    stop = once and started
    try:
        with _interruptible():
            spec = _story(settings, seconds=seconds, rate=rate)
    except KeyboardInterrupt:
        stop = started
        raise Cancelled("The demo was interrupted.", hint="What it started is stopped; the data stays.") from None
    finally:
        if stop:
            StartView().down(lakehouse)
    if not stop:
        _farewell(spec)


def _refuse_own_postgres(settings: "Settings") -> None:
    from boathouse.kit.errors import InvalidInput

    if settings.postgres.host is not None:
        raise InvalidInput(
            f"postgres.host is {settings.postgres.host}, and the demo makes tables and changes rows in its Postgres.",
            hint="Run it without that setting, in a home of its own (BOATHOUSE_HOME): it then brings a Postgres.",
        )


def _story(settings: "Settings", *, seconds: int, rate: int) -> Path:
    from boathouse.cli.meters.clickhouse import ClickHouse
    from boathouse.cli.meters.following import Follower
    from boathouse.engines.spark.connect import open_session
    from boathouse.kit.access import LakeAccess, of_stream
    from boathouse.kit.catalog_client import CatalogClient

    access = LakeAccess.load(settings.home)
    clickhouse = ClickHouse(of_stream(access.clickhouse, "ClickHouse"))
    spec = _files(settings.home / "demo" / "meters")
    # What is left to stop is stopped by a control plane that can still be asked.
    with _control(access) as control, ExitStack() as left, open_session(access.spark) as spark:
        left.callback(clickhouse.close)
        generator = _generator(access, spec.parent, rate)
        left.callback(generator.stop)
        pipeline = _pipeline(control, spec)
        left.callback(_stopping, "pipeline", pipeline.stop)
        _await_first(pipeline, generator)
        follower = Follower(clickhouse, CatalogClient(access.catalog), spark)
        _watch(pipeline, generator, _one_change(access, follower), seconds)
        _schema_change(access, pipeline, generator, follower)
        generator.stop()
        _compare(access, pipeline, follower)
    return spec


def _files(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("schema.sql", "pipeline.yaml"):
        text = files("boathouse.cli.meters").joinpath(name).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "pipeline.yaml"


def _generator(access: "LakeAccess", folder: Path, rate: int) -> "Work":
    from boathouse.cli.meters.database import prepare
    from boathouse.cli.meters.work import Work

    chapter(f"A power company in Postgres: customers, meters, and readings, {rate:,} changes a second")
    _in_postgres(access, prepare)
    module = "boathouse.cli.meters.generate"
    arguments = ("--rate", str(rate), "--seconds", str(_GENERATOR_SECONDS), "--seed", str(_SEED))
    typer.echo(f"  python -m {module} {' '.join(arguments)}")
    return Work.start("generator", module, *arguments, log=folder / "generator.log")


def _control(access: "LakeAccess") -> "ControlClient":
    from boathouse.client.client import ControlClient
    from boathouse.kit.errors import ConfigurationError

    if access.control is None:
        raise ConfigurationError("The lakehouse has no control plane.", hint="`boathouse down`, and try again.")
    return ControlClient(access.control.uri, access.control.token)


def _pipeline(control: "ControlClient", spec: Path) -> "StreamRun":
    from boathouse.cli.demo_workspace import WORKSPACE
    from boathouse.cli.meters.run import JOB, StreamRun

    chapter(f"Following it: a run of the job {JOB} in the workspace {WORKSPACE}")
    typer.echo("\n".join(f"  {line}" for line in spec.read_text(encoding="utf-8").splitlines()))
    run = StreamRun.start(control, spec)
    _invite(control, f"/w/{WORKSPACE}/pipelines/{JOB}")
    return run


def _invite(control: "ControlClient", page: str) -> None:
    from boathouse.cli.demo_workspace import LINK_SECONDS

    link = control.sessions.make_link(seconds=LINK_SECONDS, page=page)
    console().print(f"\n  [bold]Watch it in a browser[/bold], at {page} (this link works once):", soft_wrap=True)
    typer.echo(f"  {control.url.rstrip('/')}{link.path}")


def _await_first(pipeline: "StreamRun", generator: "Work") -> None:
    """Until each hop has brought something."""
    with _waiting("waiting for the first changes to arrive") as say:
        until = time.monotonic() + _PATIENCE
        while not _all_at_work(status := pipeline.status()):
            generator.require()
            _give_up(until, pipeline, "The pipeline has brought nothing yet")
            missing = [hop["title"] for hop in status["hops"] if not hop["events"]] if status else []
            said = f"to come: {', '.join(missing)}" if len(missing) > 1 or status else pipeline.said()
            say(f"starting the pipeline ({said.strip('· ')})")
            time.sleep(_LOOK_EVERY)


def _all_at_work(status: dict[str, Any] | None) -> bool:
    return status is not None and len(status["hops"]) > 1 and all(hop["events"] for hop in status["hops"])


def _one_change(access: "LakeAccess", follower: "Follower") -> "Callable[[], Followed]":
    from boathouse.cli.meters.database import prepare

    # Nobody else's: the generator changes its own, whose ids begin after the greatest.
    customer = -int(time.time())
    street = f"{-customer % 10_000} Lighthouse Road"
    statement = f"UPDATE customers SET street = '{street}' WHERE id = {customer}"  # noqa: S608 - our own

    async def come(connection: Any) -> None:
        columns = (await prepare(connection)).customers[:6]
        values = f"{customer}, 'Ada Lake', '1 Harbour Road', 'York', 'green', current_date"
        await connection.execute(f"INSERT INTO customers ({', '.join(columns)}) VALUES ({values})")  # noqa: S608 - likewise

    def begin() -> "Followed":
        _in_postgres(access, come)

        def change() -> None:
            _in_postgres(access, lambda connection: connection.execute(statement))

        return follower.follow(statement, change, "customers", f"id = {customer} AND street = '{street}'")

    return begin


def _watch(pipeline: "StreamRun", generator: "Work", one_change: "Callable[[], Followed]", seconds: int) -> None:
    from rich.console import Group
    from rich.live import Live
    from rich.text import Text

    from boathouse.cli.meters.view import alerts_text, hops_table

    chapter("Each hop, and one change on its way through them")
    until = time.monotonic() + seconds
    followed = one_change()
    over = False
    with Live(console=console(), refresh_per_second=4) as live:
        while not over:
            # Before it is shown, so that the last of it is shown too.
            over = time.monotonic() >= until and followed.over.is_set()
            generator.require()
            if status := pipeline.status():
                change = Text.assemble(("one change: ", "bold"), str(followed))
                live.update(Group(hops_table(status), alerts_text(status), change))
            time.sleep(_LOOK_EVERY)
    _require(followed)


def _schema_change(access: "LakeAccess", pipeline: "StreamRun", generator: "Work", follower: "Follower") -> None:
    """A column that no earlier run of the demo has added."""
    there = _in_postgres(access, lambda connection: connection.fetch(_CUSTOMER_COLUMNS))
    names = {row[0] for row in there}
    column = next(name for place in range(1, 1_000) if (name := f"remark_{place}") not in names)
    customer = _in_postgres(access, lambda connection: connection.fetchval("SELECT min(id) FROM customers"))
    statements = (
        f"ALTER TABLE customers ADD COLUMN {column} text",
        f"UPDATE customers SET {column} = 'likes boats' WHERE id = {customer}",  # noqa: S608 - our own
    )
    chapter("The table gets a column while everything runs")
    for statement in statements:
        show_sql(f"{statement};")

    def change() -> None:
        for statement in statements:
            _in_postgres(access, lambda connection, each=statement: connection.execute(each))

    # ClickHouse and the lake have no such column until the change has arrived.
    followed = follower.follow(f"{column} = 'likes boats'", change, "customers", f"{column} = 'likes boats'")
    with _waiting("the change is on its way") as say:
        while not followed.over.wait(_LOOK_EVERY):
            pipeline.status()
            generator.require()
            say(" ".join(str(followed).split()))
    _require(followed)
    typer.echo(str(followed))


_CUSTOMER_COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_name = 'customers'"


def _compare(access: "LakeAccess", pipeline: "StreamRun", follower: "Follower") -> None:
    """Once the generator has stopped and everything has arrived."""
    from boathouse.cli.meters.comparison import TABLES, Comparison
    from boathouse.cli.meters.view import arrived

    chapter("The generator stops; Postgres, ClickHouse and the lake, row for row")
    comparison = Comparison(follower.clickhouse, follower.spark)
    until = time.monotonic() + _PATIENCE
    with _waiting("waiting until everything has arrived") as say:
        while True:
            status = pipeline.status()
            if status is not None and arrived(status):
                say("comparing")
                found = [_in_postgres(access, lambda c, each=table: comparison.of(c, each)) for table in TABLES]
                if all(one.equal for one in found):
                    break
                _give_up(until, pipeline, "They are still not the same", found)
            _give_up(until, pipeline, "Not everything has arrived")
            time.sleep(_LOOK_EVERY)
    _show_compared(found)


def _show_compared(found: "list[Compared]") -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("table")
    for name in ("rows", "Postgres", "ClickHouse", "lake"):
        table.add_column(name, justify="right")
    table.add_column("")
    for one in found:
        sums = [f"{part.checksum:x}" if part else "-" for part in (one.postgres, one.clickhouse, one.lake)]
        verdict = "[green]the same[/green]" if one.equal else "[red]differs[/red]"
        table.add_row(one.table, f"{one.postgres.rows:,}", *sums, verdict)
    console().print(table)


def _farewell(spec: Path) -> None:
    from boathouse.cli.demo_workspace import WORKSPACE
    from boathouse.cli.meters.run import JOB

    chapter("What to try next. The lakehouse runs on; the pipeline and the generator were stopped")
    tries = {
        "Follow on": f"boathouse job run {JOB} --workspace {WORKSPACE}",
        "How it is": f"boathouse pipeline status {JOB} --workspace {WORKSPACE} --watch",
        "As a process": f"boathouse pipeline run {shlex.quote(str(spec))}",
        "Change": "python -m boathouse.cli.meters.generate --rate 500 --seconds 60 --schema-change",
        "The log": 'boathouse sql "select op, count(*) from meters_log.changes group by op"',
        "Tables": 'boathouse sql "select city, count(*) from meters.customers group by city order by 2 desc"',
        "Then": "boathouse table history meters.customers",
        "Rejects": "boathouse deadletter list meters_log.changes",
        "Stop": "boathouse down         (the data stays; boathouse up --profile stream finds it again)",
    }
    for name, command in tries.items():
        console().print(f"  [bold]{name:<12}[/bold] {command}", soft_wrap=True)


def _in_postgres(access: "LakeAccess", work: "Callable[[Any], Coroutine[Any, Any, Any]]") -> Any:
    from boathouse.cli.meters.database import connect
    from boathouse.kit.access import of_stream

    async def run() -> Any:
        connection = await connect(of_stream(access.postgres, "Postgres"))
        try:
            return await work(connection)
        finally:
            await connection.close(timeout=10)

    return asyncio.run(run())


def _require(followed: "Followed") -> None:
    from boathouse.kit.errors import WorkFailed

    if followed.error is not None:
        raise followed.error
    if followed.lake is None:
        raise WorkFailed(
            f"The change did not arrive in time: {followed}", hint="See `boathouse run logs last --workspace demo`."
        )


def _give_up(until: float, pipeline: "StreamRun", what: str, found: "list[Compared] | None" = None) -> None:
    from boathouse.kit.errors import WorkFailed

    if time.monotonic() < until:
        return
    if found is not None:
        _show_compared(found)
    status = pipeline.status()
    errors = [hop["error"] for hop in status["hops"] if hop["error"]] if status else []
    why = f": {'; '.join(errors)}" if errors else f" after {_PATIENCE:.0f} s."
    raise WorkFailed(
        f"{what}{why}",
        hint="See `boathouse run logs last --workspace demo`, `boathouse status` and `boathouse logs connect`.",
    )


def _stopping(name: str, stop: Callable[[], None]) -> None:
    with _waiting(f"stopping the {name} after the batches at hand"):
        stop()


@contextmanager
def _waiting(text: str) -> "Generator[Callable[[str], None]]":
    """A line that says what is being done; where nobody watches it, nothing."""
    from rich.console import Console

    with Console(stderr=True, highlight=False).status(text) as shown:
        yield shown.update


@contextmanager
def _interruptible() -> Generator[None]:
    """SIGTERM ends it as Ctrl-C does: with what it started."""

    def interrupt(*_: Any) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
