"""What can be done with users."""

from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Actor
from boathouse.control.access.passwords import hashed, matches, new_password, refuse_weak
from boathouse.control.audit.chain import append, done_at_the_machine
from boathouse.control.database import Database
from boathouse.control.database.base import now
from boathouse.control.sessions import repository as sessions
from boathouse.control.sessions import throttle
from boathouse.control.tokens import repository as tokens
from boathouse.control.users import repository
from boathouse.control.users.models import User
from boathouse.control.users.schemas import NewUser, UserChange
from boathouse.kit.errors import Conflict, Forbidden, InvalidInput, NotFound

FIRST_ADMIN = "admin"


async def create(session: AsyncSession, wanted: NewUser) -> tuple[User, str | None]:
    """The user, and the password that was made for them if none was given."""
    made = None if wanted.password else new_password()
    password = made or (wanted.password.get_secret_value() if wanted.password else "")
    refuse_weak(password, wanted.name)
    user = User(
        name=wanted.name,
        display_name=wanted.display_name,
        email=wanted.email,
        password_hash=await hashed(password),
        must_change_password=made is not None,
        is_platform_admin=wanted.is_platform_admin,
    )
    session.add(user)
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(f"There is a user {wanted.name!r} already.", hint="Choose another name.") from None
    return user, made


async def get(session: AsyncSession, name: str) -> User:
    user = await repository.by_name(session, name)
    if user is None:
        raise NotFound(f"There is no user {name!r}.", hint="The users are at /api/v1/users.")
    return user


async def change(session: AsyncSession, name: str, wanted: UserChange) -> User:
    user = await get(session, name)
    given = wanted.model_dump(exclude_unset=True)
    leaves = wanted.disabled or wanted.is_platform_admin is False
    if user.is_platform_admin and leaves and not await repository.other_admins(session, user.id):
        raise Conflict(
            f"{user.name} is the only platform admin.",
            hint="Make another one first: somebody must be able to mend things.",
        )
    disabled = given.pop("disabled", None)
    if disabled is not None and disabled != (user.disabled_at is not None):
        user.disabled_at = now() if disabled else None
        # Also when they come back: of what they had before, nothing is good again.
        await _end_all(session, user)
    for field, value in given.items():
        if value is not None or field == "email":
            setattr(user, field, value)
    await session.flush()
    return user


@dataclass(frozen=True)
class PasswordHashes:
    before: str | None
    after: str


async def hashes_for_change(database: Database, actor: Actor, current: str, new: str, address: str) -> PasswordHashes:
    """Compared and made before anything is changed: it takes long by design, and nobody waits for it on SQLite.

    Who does not know the password is counted, as at a login: whoever finds a browser open cannot try thousands.
    """
    if actor.session_id is None:
        raise Forbidden("A token may not change its user's password.", hint="Log in with the password.")
    async with database.reading() as session:
        await throttle.refuse_hasty(session, actor.name, address)
        user = await get(session, actor.name)
    if not await matches(current, user.password_hash):
        async with database.changing() as session:
            # Again: of many tries at once, most would have come before the first failure was counted.
            await throttle.refuse_hasty(session, actor.name, address)
            await throttle.count_failure(session, actor.name, address)
        raise Forbidden(
            "The current password is not that.", hint="Ask a platform admin to set a new one if it is lost."
        )
    if new == current:
        raise InvalidInput("The new password is the old one.", hint="Choose another.")
    refuse_weak(new, user.name)
    return PasswordHashes(user.password_hash, await hashed(new))


async def change_password(session: AsyncSession, actor: Actor, hashes: PasswordHashes) -> None:
    """Ends every other session of theirs: whoever had the old password is out."""
    user = await get(session, actor.name)
    if user.password_hash != hashes.before:
        raise Conflict("The password was changed meanwhile.", hint="Log in with the new one.")
    user.password_hash = hashes.after
    user.must_change_password = False
    await sessions.end_all(session, user.id, but=actor.session_id)


async def reset_password(session: AsyncSession, name: str) -> str:
    """A new one, to be changed at the next login. Whoever is logged in with the old one no longer is.

    Tokens end too: one is made with the password in a moment, by whoever else may have had it.
    Who had none comes by a provider or a link, and would be shut out by a password that they were never told.
    """
    user = await get(session, name)
    password = new_password()
    user.must_change_password = user.password_hash is not None
    user.password_hash = await hashed(password)
    await _end_all(session, user)
    # Else whoever guesses keeps them waiting, also with the new one.
    await throttle.forget(session, user.name)
    return password


async def _end_all(session: AsyncSession, user: User) -> None:
    """Whatever they and their programs came in with."""
    await sessions.end_all(session, user.id)
    await tokens.end_all(session, user.id)


async def first_admin(database: Database, *, with_password: bool = True) -> str | None:
    """Make the first admin where nobody is there yet, and say the password; None where there is nothing to say."""
    try:
        async with database.changing() as session:
            if await repository.any_user(session):
                return None
            made, password = await create(session, NewUser(name=FIRST_ADMIN, is_platform_admin=True))
            if not with_password:
                # One that nobody is told would be of no use, but to who finds it out.
                made.password_hash, made.must_change_password, password = None, False, None
            await append(session, done_at_the_machine("user.create-first", f"user {FIRST_ADMIN}"))
    except Conflict:
        # Another server that started at the same moment was first, and tells the password.
        return None
    return password
