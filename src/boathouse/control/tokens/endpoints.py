"""What can be asked about tokens: by each about their own, by platform admins about all."""

from fastapi import Response

from boathouse.control.access.dependencies import Caller, PlatformAdmin
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Noted, Work, WorkRoute
from boathouse.control.tokens import repository, service
from boathouse.control.tokens.schemas import CreatedToken, NewToken, TokenTold
from boathouse.control.users import service as users

router = api_router("tokens", WorkRoute)


@router.get("/tokens", name="token.list")
async def find(work: Work, actor: Caller) -> list[TokenTold]:
    return [TokenTold.model_validate(token) for token in await repository.of_user(work, actor.user_id)]


@router.post("/tokens", name="token.create", status_code=201)
async def create(work: Work, actor: Caller, wanted: NewToken, note: Noted) -> CreatedToken:
    note.target, note.details = f"token {wanted.name}", wanted.model_dump(mode="json")
    token, secret = await service.create(work, actor, wanted)
    return CreatedToken(**TokenTold.model_validate(token).model_dump(), secret=secret)


@router.delete("/tokens/{token_id}", name="token.revoke", status_code=204)
async def revoke(work: Work, actor: Caller, token_id: str, note: Noted) -> Response:
    note.target = f"token {token_id}"
    note.details = {"name": (await service.revoke(work, actor, token_id)).name}
    return Response(status_code=204)


@router.get("/users/{name}/tokens", name="token.list-of-user")
async def find_of_user(work: Work, _admin: PlatformAdmin, name: str) -> list[TokenTold]:
    user = await users.get(work, name)
    return [TokenTold.model_validate(token) for token in await repository.of_user(work, user.id)]


@router.delete("/users/{name}/tokens/{token_id}", name="token.revoke-of-user", status_code=204)
async def revoke_of_user(work: Work, _admin: PlatformAdmin, name: str, token_id: str, note: Noted) -> Response:
    note.target, note.details = f"token {token_id}", {"user": name}
    user = await users.get(work, name)
    note.details |= {"name": (await service.revoke_of(work, user, token_id)).name}
    return Response(status_code=204)
