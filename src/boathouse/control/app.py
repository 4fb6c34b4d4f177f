"""The control plane's API as an application."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI

from boathouse.control.audit.endpoints import router as audit
from boathouse.control.connections.endpoints import outward as connection_trials
from boathouse.control.connections.endpoints import router as connections
from boathouse.control.connections.endpoints import testing as connection_tests
from boathouse.control.connections.service import Connections
from boathouse.control.database import Database
from boathouse.control.database.base import now
from boathouse.control.datasets.care import Care
from boathouse.control.datasets.care_endpoints import router as table_care
from boathouse.control.datasets.catalogs import Catalogs
from boathouse.control.datasets.endpoints import fetching as dataset_syncs
from boathouse.control.datasets.endpoints import router as datasets
from boathouse.control.datasets.grant_endpoints import outward as dataset_grant_changes
from boathouse.control.datasets.grant_endpoints import router as dataset_grants
from boathouse.control.datasets.table_endpoints import changing as dataset_changes
from boathouse.control.datasets.table_endpoints import router as dataset_tables
from boathouse.control.http import errors
from boathouse.control.http.bodies import BodyLimit
from boathouse.control.http.health import router as health
from boathouse.control.http.pages import router as pages
from boathouse.control.http.pages import unbuilt
from boathouse.control.http.requests import RequestLog
from boathouse.control.http.routers import API
from boathouse.control.identities.endpoints import arrivals, outgoing
from boathouse.control.identities.endpoints import router as ways
from boathouse.control.identities.provider import Provider
from boathouse.control.installation.endpoints import router as installation
from boathouse.control.jobs.endpoints import looking as job_comparisons
from boathouse.control.jobs.endpoints import router as jobs
from boathouse.control.lineage.endpoints import router as lineage
from boathouse.control.login_links.endpoints import router as login_links
from boathouse.control.notifications.endpoints import outward as notification_tests
from boathouse.control.notifications.endpoints import router as notifications
from boathouse.control.options import ApiOptions
from boathouse.control.pipelines.endpoints import router as pipelines
from boathouse.control.pipelines.reject_endpoints import outward as reject_decisions
from boathouse.control.pipelines.reject_endpoints import router as rejects
from boathouse.control.queries.endpoints import router as queries
from boathouse.control.runs.endpoints import router as runs
from boathouse.control.runs.results import Results
from boathouse.control.services.endpoints import router as services
from boathouse.control.services.probes import all_probes
from boathouse.control.services.watch import Watch
from boathouse.control.sessions.endpoints import router as sessions
from boathouse.control.tokens.endpoints import router as tokens
from boathouse.control.ui.files import BuiltFiles
from boathouse.control.ui.route import UiRoute
from boathouse.control.users.endpoints import router as users
from boathouse.control.users.endpoints import slow as password_changes
from boathouse.control.workers.endpoints import router as workers
from boathouse.control.workspaces.endpoints import router as workspaces
from boathouse.kit.deadletters.shelf import Shelf

_ROUTERS = (
    # They are asked one after another whose a request is: first those that are asked most.
    *(
        runs,
        jobs,
        job_comparisons,
        queries,
        datasets,
        dataset_syncs,
        dataset_tables,
        table_care,
        lineage,
        workspaces,
        sessions,
    ),
    *(dataset_changes, dataset_grants, dataset_grant_changes, pipelines, rejects, reject_decisions),
    *(connections, connection_tests, connection_trials, notifications, notification_tests),
    *(workers, services, audit, installation),
    *(users, password_changes, tokens, login_links, ways, outgoing, arrivals),
)


def create_app(
    database: Database, kept: Connections, results: Results | None = None, options: ApiOptions | None = None
) -> FastAPI:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        yield
        await database.close()

    app = FastAPI(
        title="Boathouse control plane",
        version=version("boathouse"),
        openapi_url=f"{API}/openapi.json",
        # Their pages load scripts from the internet, which may not be there.
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.database = database
    app.state.connections = kept
    app.state.results = results
    app.state.options = options = options or ApiOptions()
    app.state.catalogs = Catalogs(kept, options.lake)
    app.state.care = Care(app.state.catalogs)
    app.state.services = Watch(all_probes(database, options.lake))
    app.state.rejects = Shelf()
    app.state.provider = Provider(options.oidc) if options.oidc else None
    app.state.draining = False
    app.state.started_at = now()
    for router in _ROUTERS:
        app.router.routes.extend(router.routes)
    app.include_router(health)
    app.include_router(pages)
    _add_ui(app, BuiltFiles.found(options.ui))
    app.add_middleware(BodyLimit)
    app.add_middleware(RequestLog)
    errors.install(app)
    return app


def _add_ui(app: FastAPI, files: BuiltFiles | None) -> None:
    if files is None:
        app.include_router(unbuilt)
    else:
        # Last: whatever has a route of its own keeps it.
        app.router.routes.append(UiRoute(files))
