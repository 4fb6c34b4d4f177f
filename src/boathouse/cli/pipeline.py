"""`boathouse pipeline`: check a spec, run it (a stream until it is stopped), see how it fares, end it for good."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boathouse.cli.asking import Yes, sure
from boathouse.cli.servers import ServerName, WorkspaceName
from boathouse.kit.errors import InvalidInput

if TYPE_CHECKING:
    from boathouse.pipelines.spec import PipelineSpec
    from boathouse.pipelines.stream.spec import StreamSpec

app = typer.Typer(help="Load files into tables as a YAML spec says.", no_args_is_help=True)

Spec = Annotated[Path, typer.Argument(help="The pipeline's YAML file.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


@app.command()
def check(spec: Spec, *, as_json: AsJson = False) -> None:
    """Read the spec and say what is wrong with it; nothing is loaded.

    Its expressions are judged by Spark, if the lakehouse runs and the spec has a schema.
    """
    from boathouse.cli.output import document
    from boathouse.pipelines.spec import PipelineSpec
    from boathouse.pipelines.specs import load_any

    read = load_any(spec)
    if not isinstance(read, PipelineSpec):
        _say_stream(read, spec, as_json=as_json)
        return
    unchecked = _check_expressions(read)
    if as_json:
        told = {"pipeline": read.pipeline, "table": str(read.target.table), "ok": True}
        document({**told, "expressions_unchecked": unchecked})
        return
    typer.echo(f"{spec} is in order: {read.pipeline} loads {read.source.format} files into {read.target.table}.")
    if unchecked:
        typer.echo(f"Its expressions were not looked at: {unchecked}.")


def _say_stream(read: "StreamSpec", spec: Path, *, as_json: bool) -> None:
    from boathouse.cli.output import document

    if as_json:
        document({"pipeline": read.pipeline, "table": str(read.bronze.table), "ok": True})
    else:
        typer.echo(f"{spec} is in order: {read.pipeline} follows {', '.join(read.topics)} into {read.bronze.table}.")


def _check_expressions(spec: "PipelineSpec") -> str | None:
    """Ask Spark about the spec's expressions, or say why that could not be done."""
    from boathouse.kit.access import LakeAccess
    from boathouse.kit.errors import BoathouseError
    from boathouse.kit.settings import load_settings

    if not spec.derive and not spec.expectations:
        return None
    if spec.columns is None:
        return "the spec has no schema, so the columns are known only from the files"
    try:
        access = LakeAccess.load(load_settings().home)
        from boathouse.engines.spark.connect import open_session
        from boathouse.pipelines.ingest.expressions import check_expressions

        with open_session(access.spark) as session:
            check_expressions(session, spec, spec.columns)
    except InvalidInput:
        raise
    except BoathouseError:
        return "the lakehouse is not running (`boathouse up`)"
    return None


@app.command()
def keys(
    *,
    stream: Annotated[bool, typer.Option("--stream", help="Of a streaming pipeline.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """List every key that a spec may have, with its default and its meaning."""
    from boathouse.cli.output import listing
    from boathouse.pipelines.spec import PipelineSpec
    from boathouse.pipelines.spec_keys import keys as known
    from boathouse.pipelines.stream.spec import StreamSpec

    model = StreamSpec if stream else PipelineSpec
    rows = [(key.name, "(must be given)" if key.required else key.default, key.meaning) for key in known(model)]
    listing(["key", "default", "meaning"], rows, as_json=as_json)


@app.command()
def status(
    which: Annotated[
        str | None,
        typer.Argument(metavar="[JOB|SPEC]", help="A job, or the YAML file of its pipeline; all streams if left out."),
    ] = None,
    *,
    watch: Annotated[bool, typer.Option("--watch", help="Go on, each second, until Ctrl-C.")] = False,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Show how streaming pipelines fare, hop by hop: state, rate, lag, freshness, alerts, rejects."""
    from boathouse.cli.servers import At
    from boathouse.cli.stream_status import show, show_again, told

    at = At(server)
    within = at.workspace(workspace)
    if watch:
        show_again(lambda: told(at, within, which), as_json=as_json)
    else:
        show(told(at, within, which), as_json=as_json)


@app.command()
def run(
    spec: Spec,
    *,
    again: Annotated[
        bool, typer.Option("--again", help="Also load files that were loaded before; append adds their rows once more.")
    ] = False,
    once: Annotated[bool, typer.Option("--once", help="Of a stream: take in what there is by now, and end.")] = False,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Of a stream: although it belongs to a job of the control plane.")
    ] = False,
    status: Annotated[Path | None, typer.Option(help="Of a stream: write what it is doing to this file.")] = None,
    report: Annotated[Path | None, typer.Option(help="Also write the report to this file, as JSON.")] = None,
    as_json: AsJson = False,
) -> None:
    """Load the files that have not been loaded yet, and report what became of every row; follow a stream until stopped."""
    from boathouse.cli.output import document
    from boathouse.cli.pipelines import run_pipeline, show_report, tell
    from boathouse.cli.streams import run_stream, show
    from boathouse.pipelines.spec import PipelineSpec
    from boathouse.pipelines.specs import load_any

    read = load_any(spec)
    if isinstance(read, PipelineSpec):
        _refuse_stream_options(given=once or take_over or status is not None)
        tell(run_pipeline(read, spec.resolve().parent, again=again), show_report, report, as_json=as_json)
        return
    if again:
        raise InvalidInput("--again is for files.", hint="A stream goes on where it stopped.")
    last = run_stream(read, once=once, take_over=take_over, status=status, report=report)
    document(last) if as_json else show(last, str(spec))


@app.command()
def remove(spec: Spec, *, yes: Yes = False) -> None:
    """End a stream for good: its connector, its slot in Postgres and its checkpoints go; tables and topics stay."""
    from boathouse.cli.output import notices
    from boathouse.kit.access import LakeAccess
    from boathouse.kit.settings import load_settings
    from boathouse.pipelines.spec import PipelineSpec
    from boathouse.pipelines.specs import load_any
    from boathouse.pipelines.stream.removal import remove as remove_stream

    read = load_any(spec)
    if isinstance(read, PipelineSpec):
        raise InvalidInput("Only a stream leaves anything to remove, and this pipeline loads files.")
    access = LakeAccess.load(load_settings().home)
    sure(f"Remove the stream {read.pipeline!r}? What it follows is no longer kept for it.", yes=yes)
    console = notices()
    remove_stream(read, access, lambda what: console.print(f"· {what}", style="dim"))
    typer.echo(f"The stream {read.pipeline!r} is removed. Its tables and the topics {', '.join(read.topics)} stay.")


def _refuse_stream_options(*, given: bool) -> None:
    if given:
        raise InvalidInput(
            "--once, --take-over and --status are for streams, and this pipeline loads files.", hint="Leave them out."
        )
