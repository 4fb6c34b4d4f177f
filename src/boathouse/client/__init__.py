"""A small typed client of the control plane: what the command line uses, and any Python program may.

    from boathouse.client import connect

    with connect() as control:
        for workspace in control.workspaces.all():
            print(workspace.name)

`connect` finds the server as the command line does. A noun has a module, and errors are those of `boathouse.kit.errors`.
"""

from boathouse.client.client import ControlClient
from boathouse.client.runs import LogLine
from boathouse.client.servers import connect

__all__ = ["ControlClient", "LogLine", "connect"]
