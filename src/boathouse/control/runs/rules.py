"""What holds for a run from its start to its end: the job's own rules, else the workspace's."""

from typing import Any

from boathouse.control.jobs.kinds import kind_named
from boathouse.control.jobs.schemas import Definition, Retries
from boathouse.control.workspaces.models import Workspace


def rules_of(definition: Definition, workspace: Workspace) -> dict[str, Any]:
    defaults = workspace.defaults
    # A flow is tried again by its tasks.
    otherwise = defaults.get("retries") or 0 if kind_named(definition.kind).has_process else 0
    retries = definition.retries or Retries(count=otherwise)
    timeout = definition.timeout_seconds or defaults.get("timeout_seconds")
    return {
        "retries": retries.model_dump(),
        "timeout_seconds": timeout,
        "deadline_seconds": definition.deadline_seconds,
    }
