"""What can be asked about users: by platform admins about all, by each about themselves."""

from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import BaseModel

from boathouse.control.access.dependencies import Caller, PlatformAdmin
from boathouse.control.http.paging import Cursor, Limit, Page
from boathouse.control.http.requests import address_of
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import FetchRoute, Keeping, Noted, Work, WorkRoute
from boathouse.control.users import repository, service
from boathouse.control.users.schemas import CreatedUser, NewUser, PasswordChange, UserChange, UserTold

router = api_router("users", WorkRoute)
slow = api_router("users", FetchRoute)
Text = Annotated[str | None, Query(max_length=100, description="In the name, what they are called, or the address.")]


class NewPassword(BaseModel):
    password: str


@router.get("/users", name="user.list")
async def find(
    work: Work, _admin: PlatformAdmin, text: Text = None, cursor: Cursor = None, limit: Limit = 100
) -> Page[UserTold]:
    found = await repository.find(work, text=text, after=cursor, limit=limit + 1)
    items = [UserTold.model_validate(user) for user in found[:limit]]
    return Page(items=items, next=items[-1].name if len(found) > limit else None)


@router.post("/users", name="user.create", status_code=201)
async def create(work: Work, _admin: PlatformAdmin, wanted: NewUser, note: Noted) -> CreatedUser:
    note.target = f"user {wanted.name}"
    user, password = await service.create(work, wanted)
    return CreatedUser(**UserTold.model_validate(user).model_dump(), password=password)


@router.get("/users/{name}", name="user.get")
async def get(work: Work, _admin: PlatformAdmin, name: str) -> UserTold:
    return UserTold.model_validate(await service.get(work, name))


@router.patch("/users/{name}", name="user.change")
async def change(work: Work, _admin: PlatformAdmin, name: str, wanted: UserChange, note: Noted) -> UserTold:
    note.target, note.details = f"user {name}", wanted.model_dump(exclude_unset=True)
    return UserTold.model_validate(await service.change(work, name, wanted))


@router.post("/users/{name}/password", name="user.reset-password")
async def reset_password(work: Work, _admin: PlatformAdmin, name: str, note: Noted) -> NewPassword:
    note.target = f"user {name}"
    return NewPassword(password=await service.reset_password(work, name))


@router.get("/me", name="me.get")
async def me(work: Work, actor: Caller) -> UserTold:
    return UserTold.model_validate(await service.get(work, actor.name))


@slow.post("/me/password", name="me.change-password", status_code=204)
async def change_password(
    request: Request, actor: Caller, wanted: PasswordChange, keeping: Keeping, note: Noted
) -> Response:
    note.target = f"user {actor.name}"
    current, new = wanted.current.get_secret_value(), wanted.new.get_secret_value()
    database, address = request.app.state.database, address_of(request.scope)
    hashes = await service.hashes_for_change(database, actor, current, new, address)
    async with keeping() as session:
        await service.change_password(session, actor, hashes)
    return Response(status_code=204)
