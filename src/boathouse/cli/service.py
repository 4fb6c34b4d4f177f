"""`boathouse service`: how the services are that a control plane can see."""

import typer

from boathouse.cli.answers import Columns, show_all
from boathouse.cli.output import notices
from boathouse.cli.servers import AsJson, At, ServerName
from boathouse.client.services import Service

FAILING = 1
app = typer.Typer(help="How the services are.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def _() -> None:
    """How the services are."""  # with one command alone Typer would leave out its name


@app.command(name="list")
def list_(*, server: ServerName = None, as_json: AsJson = False) -> None:
    """List the services that the control plane can see, as they are now. Ends with 1 if one does not answer."""
    found = At(server).control.services.all()
    columns: Columns[Service] = {
        "service": "name",
        "state": "state",
        "since": "since",
        "answered in": lambda one: f"{one.milliseconds} ms",
        "says": "message",
    }
    show_all(found, Service, columns, as_json=as_json)
    failing = [one for one in found if one.state != "well"]
    for one in failing:
        notices().print(f"{one.title}: {one.hint}", markup=False, soft_wrap=True)
    if failing:
        raise typer.Exit(FAILING)
