"""Tasks of the other kinds or other jobs, each after those it depends on."""

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, StringConstraints, model_validator

from boathouse.control.connections.needed import NeededConnection
from boathouse.control.jobs.kinds.kind import Attempt, Kind, Spec, refuse_unknown_names
from boathouse.control.jobs.schemas import Definition, JobName, Resources, Retries
from boathouse.control.jobs.stored import understood
from boathouse.control.names import told_as
from boathouse.kit.errors import InvalidInput, WorkFailed

TaskName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,58}$"),
    told_as("must be 1 to 59 lower-case letters, digits, - and _, and begin with a letter"),
]


class Task(Spec):
    name: TaskName
    kind: str | None = Field(default=None, max_length=30)
    spec: dict[str, Any] | None = Field(default=None, max_length=100)
    job: JobName | None = Field(
        default=None, description="A job of the same workspace, in place of a kind and a spec. It brings its own rules."
    )
    values: dict[str, Any] | None = Field(
        default=None, max_length=100, description="Of that job's parameters; `{{name}}` is one of the flow's."
    )
    after: list[TaskName] = Field(
        default_factory=list[str], max_length=200, description="Tasks that must succeed first."
    )
    retries: Retries | None = None
    timeout_seconds: int | None = Field(default=None, ge=1, le=2_592_000)
    resources: Resources = Field(default_factory=Resources)

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if self.job is None:
            if self.kind is None or self.spec is None:
                raise ValueError(f"{self.name} needs a kind and a spec, or a job")
            if self.values is not None:
                raise ValueError(f"{self.name} has values, which only a job takes")
        elif any((self.kind, self.spec, self.retries, self.timeout_seconds)) or self.resources != Resources():
            raise ValueError(f"{self.name} is the job {self.job}, which says the rest: it takes only values and after")
        return self


class FlowSpec(Spec):
    tasks: list[Task] = Field(min_length=1, max_length=500)

    @model_validator(mode="after")
    def _can_be_ordered(self) -> Self:
        names = [task.name for task in self.tasks]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"two tasks are called {twice}")
        for task in self.tasks:
            if unknown := sorted(set(task.after) - set(names)):
                raise ValueError(f"{task.name} is after {unknown[0]}, which is not a task")
        try:
            TopologicalSorter({task.name: task.after for task in self.tasks}).prepare()
        except CycleError as error:
            raise ValueError(f"tasks wait for each other: {' → '.join(error.args[1])}") from None
        return self


class Flow(Kind):
    name: ClassVar[str] = "flow"
    title: ClassVar[str] = "Flow"
    spec: ClassVar[type[Spec]] = FlowSpec
    has_process: ClassVar[bool] = False

    def check(self, definition: Definition) -> None:
        from boathouse.control.jobs.kinds import checked

        if definition.retries is not None:
            raise InvalidInput("A flow has no retries of its own.", hint="Give them to its tasks.")
        for task in tasks_of(definition.spec).values():
            if task.job is not None:
                refuse_unknown_names(task.values, definition)
                continue
            if task.kind == self.name:
                raise InvalidInput(f"The task {task.name} is itself a flow.", hint="Put its tasks into this one.")
            checked(task_definition(definition, task))
            refuse_endless(task.name, task.kind or "", task.spec or {})

    def needs(self, spec: Mapping[str, Any]) -> list[NeededConnection]:
        """Of the tasks in place. A job that is a task was asked when it was made."""
        from boathouse.control.jobs.kinds import kind_named

        in_place = [(task.kind, task.spec) for task in tasks_of(spec).values()]
        return [one for kind, own in in_place if kind and own for one in kind_named(kind).needs(own)]

    def execute(self, attempt: Attempt) -> None:
        raise WorkFailed(f"A flow has no process of its own: run {attempt.run_id}.")


def refuse_endless(task: str, kind: str, spec: Mapping[str, Any]) -> None:
    """A flow with such a task would never be over, nor any task after it begin."""
    from boathouse.control.jobs.kinds import kind_named

    if not kind_named(kind).ends(spec):
        raise InvalidInput(
            f"The task {task} does not end by itself.",
            hint="Run it as a job of its own, or say `once: true` in its spec.",
        )


def tasks_of(spec: Mapping[str, Any], flow: str = "the flow") -> dict[str, Task]:
    with understood(f"The spec of {flow}"):
        return {task.name: task for task in FlowSpec.model_validate(dict(spec)).tasks}


def task_definition(flow: Definition, task: Task) -> Definition:
    """A task in place as if it were a job: it has the flow's parameters, and rules of its own."""
    return Definition(
        kind=task.kind or "",
        spec=task.spec or {},
        parameters=flow.parameters,
        retries=task.retries,
        timeout_seconds=task.timeout_seconds,
        resources=task.resources,
    )
