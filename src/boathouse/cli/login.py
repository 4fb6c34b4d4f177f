"""`boathouse login`, `logout` and `server`: which control planes this user works with from this machine."""

import platform
from typing import Annotated

import typer
from pydantic import SecretStr

from boathouse.cli.asking import asked, from_stdin
from boathouse.cli.output import listing, notices
from boathouse.cli.servers import AsJson
from boathouse.client.addresses import checked_url, is_loopback
from boathouse.client.client import ControlClient, logged_in
from boathouse.client.logins import LOCAL, Login, Logins
from boathouse.client.servers import find_server, local_key
from boathouse.kit.errors import BoathouseError, InvalidInput
from boathouse.kit.settings import load_settings

# Seconds for an answer from this machine: a list is not to wait for a lakehouse that hangs.
_PATIENCE = 5.0
Name = Annotated[str, typer.Argument(metavar="NAME", help="As `boathouse server list` shows it.")]
app = typer.Typer(help="The control planes you work with.", no_args_is_help=True, pretty_exceptions_enable=False)


def login(
    url: Annotated[str, typer.Argument(metavar="URL", help="Such as https://boathouse.example.org.")],
    *,
    user: Annotated[str | None, typer.Option(help="Who you are there. Left out: asked for.")] = None,
    name: Annotated[str | None, typer.Option(help="What to call the server here. Left out: its host.")] = None,
    token_stdin: Annotated[
        bool, typer.Option("--token-stdin", help="Read a token from standard input instead of asking for a password.")
    ] = False,
    role: Annotated[str, typer.Option(help="The most that this machine's token may do.")] = "admin",
    days: Annotated[int, typer.Option(min=1, max=366, help="How long this machine's token is good for.")] = 90,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Send the password although the address is not https.")
    ] = False,
) -> None:
    """Log in to a control plane. This machine gets a token of its own, and the password is forgotten."""
    address = checked_url(url)
    _refuse_open_road(address, insecure=insecure)
    called = name or address.partition("://")[2]
    if called == LOCAL:
        raise InvalidInput(f"{LOCAL!r} is the lakehouse of this machine.", hint="Give another --name.")
    made = _by_token(address) if token_stdin else _by_password(address, user, role, days)
    before = Logins.load()
    before.with_login(called, made).save()
    _revoke(before.servers.get(called))
    notices().print(f"You are {made.user} at {called}. The token is in {Logins.path()}.", soft_wrap=True)


def logout(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Left out: the server in use.")] = None,
) -> None:
    """Forget a server, and revoke the token that was made for this machine."""
    logins = Logins.load()
    called = name or logins.current
    if called == LOCAL:
        raise InvalidInput("There is no login to this machine's lakehouse to forget.", hint="`boathouse server list`.")
    login = logins.get(called)
    logins.without(next(key for key, one in logins.servers.items() if one is login)).save()
    _revoke(login)
    notices().print(f"Logged out of {called}.")


@app.command(name="list")
def list_(*, as_json: AsJson = False) -> None:
    """List the servers you are logged in to, and this machine's lakehouse."""
    logins = Logins.load()
    workspace = logins.workspaces.get(local_key(load_settings().home))
    rows: list[tuple[str, str | None, str | None, str | None, bool]] = [
        (LOCAL, *_local(), workspace, logins.current == LOCAL)
    ]
    rows += [
        (name, one.url, one.user, logins.workspaces.get(name), name == logins.current)
        for name, one in logins.servers.items()
    ]
    listing(["name", "url", "user", "workspace", "current"], rows, as_json=as_json)


@app.command()
def use(name: Name) -> None:
    """Work with this server from now on; `local` is this machine's lakehouse."""
    Logins.load().using(name).save()
    notices().print(f"Commands go to {name}.")


def _local() -> tuple[str | None, str | None]:
    """Where the lakehouse of this machine answers, and who one is there: nothing where it does not."""
    try:
        server = find_server(LOCAL)
        with ControlClient(server.url, server.token, timeout=_PATIENCE) as client:
            return server.url, client.users.me().name
    except BoathouseError:
        return None, None


def _by_password(url: str, user: str | None, role: str, days: int) -> Login:
    called = user or typer.prompt("User", err=True)
    password = from_stdin("Password")
    with logged_in(url, called, password) as client:
        me = client.users.me()
        if me.must_change_password:
            _set_own_password(client, me.name, password)
        token = client.tokens.create(f"boathouse on {platform.node()}"[:100], role=role, days=days)
    return Login(url=url, user=me.name, token=token.secret, token_id=token.id)


def _set_own_password(client: ControlClient, user: str, given: SecretStr) -> None:
    """Somebody else made the one they came with, and the server lets nobody do anything with that."""
    notices().print(f"The password of {user} was made by somebody else: choose one of your own.", markup=False)
    otherwise = "Log in once at a terminal, or set it in the browser; then log in with the new one."
    client.users.change_own_password(given, asked("New password", again=True, otherwise=otherwise))


def _by_token(url: str) -> Login:
    token = from_stdin("Token")
    with ControlClient(url, token) as client:
        return Login(url=url, user=client.users.me().name, token=token)


def _refuse_open_road(url: str, *, insecure: bool) -> None:
    if url.startswith("http://") and not is_loopback(url) and not insecure:
        raise InvalidInput(
            f"{url} is not https: whoever is on the way could read the password and the token.",
            hint="Use https, or add --insecure where the way is safe by other means.",
        )


def _revoke(login: Login | None) -> None:
    """As good as possible: who cannot reach the server any more may still forget it."""
    if login is None or login.token_id is None:
        return
    try:
        with ControlClient(login.url, login.token) as client:
            client.tokens.revoke(login.token_id)
    except BoathouseError as error:
        notices().print(
            f"The token of this machine was not revoked: {error} It ends by itself, or by `boathouse token revoke`.",
            style="yellow",
            soft_wrap=True,
            markup=False,
        )
