"""What this installation runs with."""

import platform
from datetime import datetime
from importlib.metadata import version

from boathouse.control.connections.service import Connections
from boathouse.control.connections.steps import SECONDS
from boathouse.control.database import Database
from boathouse.control.database.migrate import revision_of
from boathouse.control.http.bodies import LARGEST
from boathouse.control.identities.settings import OidcSettings
from boathouse.control.installation.schemas import DatabaseTold, InstallationTold, Limits, ProviderSettings
from boathouse.control.options import ApiOptions
from boathouse.control.runs.results import Results
from boathouse.control.sessions.service import LIFETIME
from boathouse.control.ui.files import BuiltFiles
from boathouse.kit.settings import SECRET_PREFIX


async def told(
    database: Database, options: ApiOptions, connections: Connections, results: Results | None, started_at: datetime
) -> InstallationTold:
    return InstallationTold(
        version=version("boathouse"),
        python=platform.python_version(),
        started_at=started_at,
        database=DatabaseTold(kind=database.dialect, place=database.place, revision=await revision_of(database)),
        results=results.root if results else None,
        lake=str(options.lake) if options.lake else None,
        secrets_directory=str(connections.places.directory) if connections.places.directory else None,
        secret_variables=SECRET_PREFIX,
        web_application=BuiltFiles.found(options.ui) is not None,
        https=options.browsers_use_https,
        oidc=_provider(options.oidc) if options.oidc else None,
        limits=Limits(request_bytes=LARGEST, session_seconds=int(LIFETIME.total_seconds()), step_seconds=SECONDS),
    )


def _provider(oidc: OidcSettings) -> ProviderSettings:
    """Named one by one: what is added to the settings is not told by itself."""
    return ProviderSettings(**{name: getattr(oidc, name) for name in ProviderSettings.model_fields})
