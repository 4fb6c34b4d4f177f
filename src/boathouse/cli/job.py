"""`boathouse job`: what is to be done, as YAML files and in versions."""

from pathlib import Path
from typing import Annotated

import typer

from boathouse.cli.answers import Columns, show_all, show_one
from boathouse.cli.asking import Yes, sure
from boathouse.cli.job_changes import apply_each, compare_each, refuse_unless_all_applied, show_differences
from boathouse.cli.job_files import JobFile, job_text, read_jobs
from boathouse.cli.job_stays import what_stays
from boathouse.cli.output import document, listing, notices
from boathouse.cli.run import Value, show_started, values_of
from boathouse.cli.servers import AsJson, At, ServerName, WorkspaceName
from boathouse.cli.values import to_text
from boathouse.client.jobs import Job, JobKind, Version

DIFFERS = 1
Name = Annotated[str, typer.Argument(metavar="NAME")]
Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="A job's YAML file, or a directory of them.", show_default=False)
]
app = typer.Typer(help="What is to be done, and when.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command(name="list")
def list_(*, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """List the jobs of a workspace."""
    at = At(server)
    columns: Columns[Job] = {
        "name": "name",
        "kind": lambda job: job.definition["kind"],
        "version": "version",
        "schedule": _schedule,
        "due": "due_at",
        "changed": "updated_at",
    }
    show_all(at.control.jobs.all(at.workspace(workspace)), Job, columns, as_json=as_json)


@app.command()
def kinds(*, server: ServerName = None, as_json: AsJson = False) -> None:
    """List the kinds of jobs there are, and what each takes."""
    columns: Columns[JobKind] = {
        "kind": "name",
        "title": "title",
        "spec": lambda kind: ", ".join(kind.spec["properties"]),
    }
    show_all(At(server).control.jobs.kinds(), JobKind, columns, as_json=as_json)


@app.command()
def show(
    name: Name,
    *,
    version: Annotated[int | None, typer.Option(help="An older version.", min=1)] = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Show a job: how it stands, and its definition as YAML."""
    at = At(server)
    within = at.workspace(workspace)
    job = at.control.jobs.get(within, name)
    definition = job.definition if version is None else at.control.jobs.version(within, name, version).definition
    if as_json:
        document({**job.model_dump(mode="json"), "definition": definition})
        return
    pairs = [
        ("name", job.name),
        ("version", f"{version} of {job.version}" if version else job.version),
        ("schedule", _schedule(job)),
        ("due", job.due_at),
        ("changed", job.updated_at),
    ]
    show_one(job, pairs, as_json=False)
    typer.echo()
    typer.echo(job_text(name, definition), nl=False)


@app.command()
def apply(files: Files, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """Make jobs as the files say. One that is so already stays as it is; one that is refused keeps no other back."""
    # Flows last: their tasks may be jobs that are among these.
    jobs = sorted(_read(files), key=lambda job: job.definition.get("kind") == "flow")
    at = At(server)
    outcomes = apply_each(at.control.jobs, at.workspace(workspace), jobs)
    listing(["job", "was", "version"], [(one.file.name, one.was, one.version) for one in outcomes], as_json=as_json)
    refuse_unless_all_applied(outcomes)


@app.command()
def diff(files: Files, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False) -> None:
    """Show what `apply` would change. Ends with 1 if there is something."""
    jobs = _read(files)
    at = At(server)
    found = list(compare_each(at.control.jobs, at.workspace(workspace), jobs))
    show_differences(found, nothing="Nothing would change.", as_json=as_json)
    if found:
        raise typer.Exit(DIFFERS)


@app.command()
def export(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME...]", help="All of them if left out.")] = None,
    *,
    directory: Annotated[
        Path | None, typer.Option("--to", metavar="DIRECTORY", help="Write a file for each; else to the output.")
    ] = None,
    workspace: WorkspaceName = None,
    server: ServerName = None,
) -> None:
    """Write jobs as the YAML that `apply` takes."""
    at = At(server)
    within = at.workspace(workspace)
    jobs = [at.control.jobs.get(within, name) for name in names] if names else list(at.control.jobs.all(within))
    texts = {job.name: job_text(job.name, job.definition) for job in jobs}
    if directory is None:
        typer.echo("---\n".join(texts.values()), nl=False)
        return
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (directory / f"{name}.yaml").write_text(text)
    notices().print(f"{len(texts)} written to {directory}.")


@app.command()
def versions(
    name: Name, *, workspace: WorkspaceName = None, server: ServerName = None, as_json: AsJson = False
) -> None:
    """List the versions of a job, the newest first."""
    at = At(server)
    columns: Columns[Version] = {"version": "number", "made": "made_at", "by": "made_by"}
    show_all(at.control.jobs.versions(at.workspace(workspace), name), Version, columns, as_json=as_json)


@app.command()
def compare(
    name: Name,
    before: Annotated[int, typer.Argument(min=1, metavar="VERSION")],
    after: Annotated[int, typer.Argument(min=1, metavar="VERSION")],
    *,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Show what differs between two versions."""
    at = At(server)
    found = at.control.jobs.differences(at.workspace(workspace), name, before, after)
    show_differences([(name, one) for one in found], nothing="The versions are the same.", as_json=as_json)


@app.command(name="roll-back")
def roll_back(
    name: Name,
    version: Annotated[int, typer.Argument(min=1, metavar="VERSION")],
    *,
    workspace: WorkspaceName = None,
    server: ServerName = None,
) -> None:
    """Take up an old version again, as a new one."""
    at = At(server)
    applied = at.control.jobs.roll_back(at.workspace(workspace), name, version)
    said = f"is as in version {version} again" if applied.changed else f"is as in version {version} already"
    notices().print(f"{name} {said}: version {applied.job.version}.")


@app.command()
def pause(name: Name, *, workspace: WorkspaceName = None, server: ServerName = None) -> None:
    """Let the job's schedule rest."""
    at = At(server)
    at.control.jobs.pause(at.workspace(workspace), name)
    notices().print(f"The schedule of {name} rests.")


@app.command()
def resume(name: Name, *, workspace: WorkspaceName = None, server: ServerName = None) -> None:
    """Let the job's schedule go on, from now."""
    at = At(server)
    job = at.control.jobs.resume(at.workspace(workspace), name)
    notices().print(f"{name} is next due {to_text(job.due_at)}." if job.due_at else f"{name} has no schedule.")


@app.command()
def run(
    name: Name,
    *,
    value: Value = None,
    version: Annotated[int | None, typer.Option(min=1, help="An older version.")] = None,
    key: Annotated[str | None, typer.Option(help="Asking twice with the same key makes one run.")] = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Show its log until it is over.")] = True,
    workspace: WorkspaceName = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Start a run, and watch it. Ends with 1 if the run fails; Ctrl-C leaves it running."""
    at = At(server)
    within = at.workspace(workspace)
    started = at.control.runs.submit(within, name, values_of(value), version=version, key=key)
    show_started(at, within, started, wait=wait, as_json=as_json)


@app.command()
def delete(name: Name, *, yes: Yes = False, workspace: WorkspaceName = None, server: ServerName = None) -> None:
    """Delete a job with its versions, runs and logs. Of a stream, its spec is written, which ends what it holds elsewhere."""
    at = At(server)
    within = at.workspace(workspace)
    stays = what_stays(at.control.jobs.get(within, name))
    if stays is not None:
        notices().print(stays.warning, style="yellow")
    sure(f"Delete the job {name} of {within} at {at.server.name}, with all its runs?", yes=yes)
    if stays is not None:
        # Before it is gone: what is lost then is lost for good.
        typer.echo(stays.spec, nl=False)
    at.control.jobs.delete(within, name)
    notices().print(f"Job {name} is deleted.")


def _read(files: list[Path]) -> list[JobFile]:
    """With pipelines checked here, where errors can point at their place."""
    from boathouse.cli.job_checks import check_pipelines

    jobs = read_jobs(files)
    for job in jobs:
        check_pipelines(job)
    return jobs


def _schedule(job: Job) -> str:
    schedule = job.definition.get("schedule")
    if not schedule:
        return ""
    return f"{schedule['cron']} {schedule['timezone']}{' (rests)' if job.paused else ''}"
