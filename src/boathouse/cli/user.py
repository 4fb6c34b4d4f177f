"""`boathouse user`: who may log in."""

from typing import Annotated

import typer
from pydantic import SecretStr

from boathouse.cli.answers import Columns, show_all, show_one
from boathouse.cli.asking import asked, from_stdin
from boathouse.cli.output import document, facts, notices
from boathouse.cli.servers import AsJson, At, ServerName
from boathouse.client.client import logged_in
from boathouse.client.users import User, UserChange

Name = Annotated[str, typer.Argument(metavar="USER")]
Display = Annotated[str | None, typer.Option("--display-name", help="The name to show.")]
Email = Annotated[str | None, typer.Option(help="Where mail reaches them.")]
app = typer.Typer(help="Who may log in.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command(name="list")
def list_(*, server: ServerName = None, as_json: AsJson = False) -> None:
    """List the users."""
    columns: Columns[User] = {
        "user": "name",
        "name": "display_name",
        "email": "email",
        "platform admin": "is_platform_admin",
        "disabled": "disabled_at",
    }
    show_all(At(server).control.users.all(), User, columns, as_json=as_json)


@app.command()
def show(
    user: Annotated[str | None, typer.Argument(metavar="[USER]", help="Left out: yourself.")] = None,
    *,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Show a user, or who you are."""
    users = At(server).control.users
    _show(users.get(user) if user else users.me(), as_json=as_json)


@app.command()
def create(
    user: Name,
    *,
    display_name: Display = None,
    email: Email = None,
    admin: Annotated[bool, typer.Option("--admin", help="As platform admin.")] = False,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input instead of making one.")
    ] = False,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Make a user, and show the password that is made for them this once."""
    password = from_stdin("Password") if password_stdin else None
    made = At(server).control.users.create(
        user, display_name=display_name or "", email=email, password=password, is_platform_admin=admin
    )
    _show(made, as_json=as_json, password=made.password)


@app.command()
def update(
    user: Name,
    *,
    display_name: Display = None,
    email: Email = None,
    admin: Annotated[bool | None, typer.Option("--admin/--no-admin", help="Whether they are platform admin.")] = None,
    server: ServerName = None,
    as_json: AsJson = False,
) -> None:
    """Change a user. What is left out stays as it is."""
    change = UserChange()
    if display_name is not None:
        change["display_name"] = display_name
    if email is not None:
        change["email"] = email or None
    if admin is not None:
        change["is_platform_admin"] = admin
    _show(At(server).control.users.change(user, **change), as_json=as_json)


@app.command()
def disable(user: Name, *, server: ServerName = None) -> None:
    """Keep a user out, at once. Their sessions and tokens end, also those that programs of theirs have."""
    At(server).control.users.change(user, disabled=True)
    notices().print(f"{user} is disabled.")


@app.command()
def enable(user: Name, *, server: ServerName = None) -> None:
    """Let a disabled user in again. Their tokens are to be made anew."""
    At(server).control.users.change(user, disabled=False)
    notices().print(f"{user} may log in.")


@app.command(name="reset-password")
def reset_password(user: Name, *, server: ServerName = None, as_json: AsJson = False) -> None:
    """Make a new password for a user, and show it this once. Their sessions and tokens end."""
    made = At(server).control.users.reset_password(user).password.get_secret_value()
    if as_json:
        document({"user": user, "password": made})
    else:
        facts([("user", user), ("password", made)])
    _not_again()


@app.command()
def password(*, server: ServerName = None) -> None:
    """Change your own password. Your other sessions end; tokens stay."""
    at = At(server)
    me = at.control.users.me().name
    current, new = asked("Current password"), asked("New password", again=True)
    with logged_in(at.server.url, me, current) as client:
        client.users.change_own_password(current, new)
    notices().print(f"The password of {me} is changed.")


def _show(user: User, *, as_json: bool, password: SecretStr | None = None) -> None:
    pairs = [
        ("user", user.name),
        ("name", user.display_name),
        ("email", user.email),
        ("platform admin", user.is_platform_admin),
        ("created", user.created_at),
        ("disabled", user.disabled_at),
        *([("password", password.get_secret_value())] if password else []),
    ]
    show_one(user, pairs, as_json=as_json)
    if password:
        _not_again()


def _not_again() -> None:
    notices().print("The password is not kept and cannot be shown again. It is to be changed at the first login.")
