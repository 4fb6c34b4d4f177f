"""What holds for a run from its start to its end: the job's own rules, else the workspace's."""

from typing import Any

from boathouse.control.jobs.kinds import kind_named
from boathouse.control.jobs.schemas import Definition, Retries
from boathouse.control.workspaces.models import Workspace


def rules_of(definition: Definition, workspace: Workspace) -> dict[str, Any]:
    defaults, kind = workspace.defaults, kind_named(definition.kind)
    # A flow is tried again by its tasks.
    tries = defaults.get("retries") or 0 if kind.has_process else 0
    retries = definition.retries or Retries(count=tries)
    # What the workspace says of how long runs may take is not meant for one that goes on for ever.
    otherwise = defaults.get("timeout_seconds") if kind.ends(definition.spec) else None
    timeout = definition.timeout_seconds or otherwise
    return {
        "retries": retries.model_dump(),
        "timeout_seconds": timeout,
        "deadline_seconds": definition.deadline_seconds,
    }
