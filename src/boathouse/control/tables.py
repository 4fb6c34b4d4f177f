"""Every table of the control plane, for migrations: whoever adds a noun with tables adds it here."""

from boathouse.control.audit import models as audit
from boathouse.control.connections import models as connections
from boathouse.control.database.base import Base
from boathouse.control.datasets import models as datasets
from boathouse.control.identities import models as identities
from boathouse.control.jobs import models as jobs
from boathouse.control.lineage import models as lineage
from boathouse.control.login_links import models as login_links
from boathouse.control.notifications import models as notifications
from boathouse.control.queries import models as queries
from boathouse.control.runs import models as runs
from boathouse.control.sessions import models as sessions
from boathouse.control.tokens import models as tokens
from boathouse.control.users import models as users
from boathouse.control.workers import models as workers
from boathouse.control.workspaces import models as workspaces

NOUNS = (
    *(audit, connections, datasets, identities, jobs, lineage, login_links, notifications),
    *(queries, runs, sessions, tokens, users, workers, workspaces),
)
METADATA = Base.metadata
