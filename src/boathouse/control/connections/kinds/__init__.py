"""The kinds of connections, a module each. Whoever adds one adds it to `KINDS`, and nothing else."""

from boathouse.control.connections.kinds.iceberg_rest import IcebergRest
from boathouse.control.connections.kinds.kind import Kind
from boathouse.control.connections.kinds.postgres import Postgres
from boathouse.control.connections.kinds.s3 import S3

KINDS: dict[str, Kind] = {kind.name: kind for kind in (IcebergRest(), Postgres(), S3())}
