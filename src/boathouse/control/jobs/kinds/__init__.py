"""The kinds of jobs there are. Whoever adds one adds its module here, and nothing else changes."""

from collections.abc import Mapping

from pydantic import ValidationError

from boathouse.control.jobs.kinds.flow import Flow
from boathouse.control.jobs.kinds.kind import Kind
from boathouse.control.jobs.kinds.pipeline import Pipeline
from boathouse.control.jobs.kinds.spark import Spark
from boathouse.control.jobs.kinds.sql import Sql
from boathouse.control.jobs.kinds.stream import Stream
from boathouse.control.jobs.schemas import Definition, JobKindTold
from boathouse.kit.complaints import in_words
from boathouse.kit.errors import InvalidInput

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in (Sql(), Spark(), Pipeline(), Stream(), Flow())}
STREAMS = tuple(kind.name for kind in KINDS.values() if kind.is_stream)


def kind_named(name: str) -> Kind:
    if name not in KINDS:
        raise InvalidInput(f"{name!r} is not a kind of job.", hint=f"There are: {', '.join(KINDS)}.")
    return KINDS[name]


def checked(definition: Definition) -> Definition:
    """The definition with its spec as the kind has it, or InvalidInput."""
    kind = kind_named(definition.kind)
    try:
        spec = kind.spec.model_validate(definition.spec)
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, one['loc'])) or 'spec'}: {in_words(one)}" for one in error.errors()]
        raise InvalidInput(
            f"The spec of a job of the kind {kind.name} cannot be used. {'; '.join(problems)}.",
            hint="What it takes is at /api/v1/job-kinds.",
        ) from error
    if definition.schedule is not None:
        definition.schedule.refuse_seconds()
    whole = definition.model_copy(update={"spec": spec.model_dump(mode="json", exclude_none=True)})
    kind.check(whole)
    return whole


def kinds_told() -> list[JobKindTold]:
    return [
        JobKindTold(name=kind.name, title=kind.title, spec=kind.spec.model_json_schema()) for kind in KINDS.values()
    ]
