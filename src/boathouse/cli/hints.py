"""A server's hints in the command line's words: it points into its API, and whoever typed a command wants one."""

import re
from collections.abc import Mapping

# The whole clause: that something "is at" a command would be no sentence.
_PLACE = re.compile(r"[^.;,\s][^.;,]*/api/v1/([a-z-]+(?:\.json)?)(?![\w/-])")
_LISTED = re.compile(r"Its ([a-z]+) are listed (?:there|beside it)")
# By what comes after the API's beginning in a path.
_COMMANDS: Mapping[str, str] = {
    "connection-kinds": "`boathouse connection kinds` lists what each kind takes",
    "job-kinds": "`boathouse job kinds` lists what each kind takes",
    "login": "`boathouse login URL` logs in",
    "openapi.json": "Add --help to the command to see what it takes",
    "tokens": "`boathouse token list` lists yours",
    "users": "`boathouse user list` lists them",
    "workspaces": "`boathouse workspace list` lists yours, and `boathouse workspace use NAME` takes one from now on",
}
_LISTS: Mapping[str, str] = {
    "connections": "connection list",
    "datasets": "dataset list",
    "jobs": "job list",
    "members": "workspace members",
    "notifications": "notification list",
    "runs": "run list",
}


def in_commands(hint: str) -> str:
    """The hint, with the command that does it in place of where the API has it. What is not known stays."""
    return _LISTED.sub(_list, _PLACE.sub(_command, hint))


def _command(found: re.Match[str]) -> str:
    return _COMMANDS.get(found[1], found[0])


def _list(found: re.Match[str]) -> str:
    command = _LISTS.get(found[1])
    return f"`boathouse {command}` lists them" if command else found[0]
