"""Failed logins make the next one wait, longer each time: by the name that is tried, and by where it comes from.

Kept in the database, so that several servers count together.
"""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database.base import now
from boathouse.control.http.errors import TooManyRequests
from boathouse.control.sessions import repository

# A person mistypes; a program tries thousands.
FREE_TRIES = {"name": 5, "address": 20}
LONGEST_WAIT = timedelta(minutes=15)
FORGOTTEN_AFTER = timedelta(days=1)


async def refuse_hasty(session: AsyncSession, name: str, address: str) -> None:
    waits = [row.blocked_until for row in await repository.failures(session, _keys(name, address))]
    latest = max(waits, default=now())
    if latest <= now():
        return
    seconds = int((latest - now()).total_seconds()) + 1
    raise TooManyRequests(
        f"Too many logins have failed; the next is possible in {seconds} seconds.",
        hint="Wait, or ask a platform admin for a new password.",
        retry_after=seconds,
    )


async def count_failure(session: AsyncSession, name: str, address: str) -> None:
    for key in _keys(name, address):
        failures = await repository.one_more_failure(session, key)
        await repository.block(session, key, now() + _wait(failures, FREE_TRIES[key.partition(":")[0]]))


async def forgive(session: AsyncSession, name: str, address: str) -> None:
    """A login that works clears the name, and takes what failed for it off the address: what others failed stays."""
    by_name, by_address = _keys(name, address)
    for row in await repository.failures(session, [by_name]):
        # No more than a person mistypes: else who has a name and two addresses could clear one by the other.
        await repository.fewer_failures(session, by_address, min(row.failures, FREE_TRIES["name"]))
        await session.delete(row)


async def forget(session: AsyncSession, name: str) -> None:
    """What was tried with the name: it was for a password that is no longer good."""
    await repository.forget_failures(session, _by_name(name))


def _wait(failures: int, free: int) -> timedelta:
    if failures < free:
        return timedelta()
    # Bounded before it is raised to a power: the count may be any number.
    return min(timedelta(seconds=2 ** min(failures - free, 20)), LONGEST_WAIT)


def _keys(name: str, address: str) -> list[str]:
    return [_by_name(name), f"address:{address}"]


def _by_name(name: str) -> str:
    return f"name:{name}"
