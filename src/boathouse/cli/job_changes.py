"""What `boathouse job apply` and `diff` make of files. Each job is a request of its own: some may be made and others not."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from boathouse.cli.errors import show
from boathouse.cli.job_files import JobFile
from boathouse.cli.output import listing, notices
from boathouse.cli.values import to_text
from boathouse.client.jobs import Difference, Jobs
from boathouse.kit.errors import BoathouseError, Conflict, InvalidInput

# Of a value in a table: a line of SQL says enough to know it by, and --json has all of it.
_LONGEST = 60
# What is wrong with one job. Anything else, such as that nobody answers, would be so of all of them.
_ABOUT_ONE = (InvalidInput, Conflict)


@dataclass(frozen=True)
class Outcome:
    file: JobFile
    was: str
    version: int | None = None
    error: BoathouseError | None = None


def apply_each(jobs: Jobs, workspace: str, files: Sequence[JobFile]) -> list[Outcome]:
    """One that is refused does not keep the others from being made."""
    outcomes: list[Outcome] = []
    for file in files:
        outcomes.append(_apply(jobs, workspace, file))
        if outcomes[-1].error is not None and not isinstance(outcomes[-1].error, _ABOUT_ONE):
            break
    return outcomes + [Outcome(file, "not tried") for file in files[len(outcomes) :]]


def refuse_unless_all_applied(outcomes: Sequence[Outcome]) -> None:
    """Say of each that was refused why, and how many that leaves."""
    errors = [one.error for one in outcomes if one.error is not None]
    if not errors:
        return
    if len(outcomes) == 1:
        raise errors[0]
    for error in errors:
        show(error, notices())
    applied = sum(one.version is not None for one in outcomes)
    raise type(errors[-1])(
        f"{applied} of {len(outcomes)} jobs are as their files say, {len(outcomes) - applied} not: "
        "each is applied by itself.",
        hint="Mend those and apply again: what is so already stays as it is.",
    )


@contextmanager
def about(file: JobFile) -> Generator[None]:
    """Have an error say which file and job it is about."""
    try:
        yield
    except BoathouseError as error:
        raise type(error)(f"{file.path}, job {file.name}: {error}", hint=error.hint) from error


def compare_each(jobs: Jobs, workspace: str, files: Sequence[JobFile]) -> Iterator[tuple[str, Difference]]:
    for file in files:
        with about(file):
            found = jobs.compare(workspace, file.name, file.definition)
        yield from ((file.name, one) for one in found)


def show_differences(found: Sequence[tuple[str, Difference]], *, nothing: str, as_json: bool) -> None:
    if not found and not as_json:
        notices().print(nothing)
        return
    rows = [(job, one.path, one.before, one.after) for job, one in found]
    listing(["job", "what", "before", "after"], rows if as_json else _for_people(found), as_json=as_json)


def _apply(jobs: Jobs, workspace: str, file: JobFile) -> Outcome:
    try:
        with about(file):
            applied = jobs.apply(workspace, file.name, file.definition)
    except BoathouseError as error:
        return Outcome(file, "refused" if isinstance(error, _ABOUT_ONE) else "failed", error=error)
    was = "unchanged" if not applied.changed else "created" if applied.job.version == 1 else "changed"
    return Outcome(file, was, applied.job.version)


def _for_people(found: Sequence[tuple[str, Difference]]) -> list[tuple[Any, ...]]:
    """With a line for a job that is new, of which everything would be a difference."""
    new = {job: one.after for job, one in found if _makes(one)}
    made = [(job, "new", None, kind) for job, kind in new.items()]
    return made + [(job, one.path, _short(one.before), _short(one.after)) for job, one in found if job not in new]


def _makes(one: Difference) -> bool:
    """Whether it is that of a job which is not there yet: every one that is has a kind."""
    return one.path == "kind" and one.before is None


def _short(value: Any) -> Any:
    if value is None:
        return None
    text = to_text(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
