"""`boathouse catalog principal`: who the catalog knows, and their secrets."""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from boathouse.catalog.access.principal import Principal
from boathouse.catalog.access.principals import Issued, Principals
from boathouse.catalog.access.signing_keys import SigningKeys
from boathouse.cli.catalog_store import StoreAddress, in_store
from boathouse.cli.output import document, facts, listing, notices

app = typer.Typer(help="Who the catalog knows, and their secrets.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The principal's name, which is also its client id.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]


@app.command()
def create(name: Name, *, store: StoreAddress, as_json: AsJson = False) -> None:
    """Make a principal known, and show its secret this once. It may do nothing until it is granted something."""
    _show_secret(in_store(store, lambda opened: Principals(opened).create(name), create=True), as_json=as_json)


@app.command(name="list")
def list_(*, store: StoreAddress, as_json: AsJson = False) -> None:
    """List the principals."""
    found = in_store(store, lambda opened: Principals(opened).all())
    rows = [(one.name, _instant(one.created), len(one.grants)) for one in found]
    listing(["name", "created", "grants"], rows, as_json=as_json)


@app.command()
def show(name: Name, *, store: StoreAddress, as_json: AsJson = False) -> None:
    """Show a principal and what it was granted."""
    principal = in_store(store, lambda opened: Principals(opened).get(name))
    if as_json:
        document(_described(principal))
        return
    facts([("name", name), ("created", _instant(principal.created)), ("secrets", _secrets(principal))])
    listing(["privilege", "on"], [(one.privilege.value, one.securable.path) for one in principal.grants], as_json=False)


@app.command()
def rotate(
    name: Name,
    *,
    store: StoreAddress,
    grace: Annotated[int, typer.Option(min=0, metavar="SECONDS", help="How long the old secret is still good.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Replace a principal's secret. Tokens that were issued stay good until they expire."""
    _show_secret(in_store(store, lambda opened: Principals(opened).rotate(name, grace)), as_json=as_json)


@app.command()
def delete(name: Name, *, store: StoreAddress) -> None:
    """Forget a principal. Its tokens are refused within a second."""
    in_store(store, lambda opened: Principals(opened).delete(name))
    notices().print(f"Principal {name} is deleted.")


def rotate_key(
    *,
    store: StoreAddress,
    at_once: Annotated[
        bool, typer.Option("--at-once", help="End every token now: the key is known to others.")
    ] = False,
) -> None:
    """Sign tokens with a new key. Those that were issued stay good until they expire."""
    in_store(store, lambda opened: SigningKeys(opened).rotate(at_once=at_once))
    notices().print("Tokens are signed with a new key." + (" All that were issued have ended." if at_once else ""))


def _show_secret(issued: Issued, *, as_json: bool) -> None:
    name, secret = issued.principal.name, issued.secret
    if as_json:
        document({"client_id": name, "client_secret": secret, "credential": f"{name}:{secret}"})
    else:
        facts([("client id", name), ("client secret", secret), ("credential", f"{name}:{secret}")])
    notices().print("The secret is not kept and cannot be shown again.", style="dim")


def _described(principal: Principal) -> dict[str, Any]:
    return {
        "name": principal.name,
        "created": _instant(principal.created),
        "secrets": [{"number": one.number, "ends": _instant(one.ends)} for one in principal.secrets],
        "grants": [{"privilege": one.privilege.value, **one.securable.parts} for one in principal.grants],
    }


def _secrets(principal: Principal) -> str:
    ending = [one for one in principal.secrets_at(datetime.now(UTC).timestamp()) if one.ends is not None]
    return f"1, and {len(ending)} replaced but still good" if ending else "1"


def _instant(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
