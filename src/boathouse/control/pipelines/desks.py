"""Where a request finds the rejects of a pipeline."""

from typing import Annotated

from fastapi import Depends, Request

from boathouse.control.access.actor import Scope
from boathouse.control.datasets.catalogs import Catalogs
from boathouse.control.http.work import Work
from boathouse.control.jobs import service as jobs
from boathouse.control.pipelines import service
from boathouse.kit.deadletters.desk import Desk
from boathouse.kit.deadletters.shelf import Shelf


async def _kept(request: Request) -> Shelf:
    return request.app.state.rejects


Desks = Annotated[Shelf, Depends(_kept)]


async def desk(work: Work, scope: Scope, catalogs: Catalogs, shelf: Shelf, name: str) -> Desk:
    """Of the pipeline with this name. Our connection to the database is free for others from then on."""
    _, version = await service.get(work, scope, name)
    definition = jobs.definition_of(version)
    table, form = service.table_of(definition), service.form_of(definition)
    await work.close()
    return service.desk_of(catalogs, shelf, table, form)
