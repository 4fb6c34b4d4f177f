"""The kinds of connections, a module each. Whoever adds one adds it to `KINDS`, and nothing else."""

from boathouse.control.connections.kinds.clickhouse import ClickHouse
from boathouse.control.connections.kinds.iceberg_rest import IcebergRest
from boathouse.control.connections.kinds.kafka import Kafka
from boathouse.control.connections.kinds.kind import Kind
from boathouse.control.connections.kinds.openlineage import OpenLineage
from boathouse.control.connections.kinds.postgres import Postgres
from boathouse.control.connections.kinds.s3 import S3
from boathouse.control.connections.kinds.smtp import Smtp
from boathouse.control.connections.kinds.snowflake import Snowflake
from boathouse.control.connections.kinds.spark import Spark
from boathouse.control.connections.kinds.trino import Trino
from boathouse.control.connections.kinds.webhook import Webhook

_ALL = (
    *(ClickHouse(), IcebergRest(), Kafka(), OpenLineage(), Postgres(), S3()),
    *(Smtp(), Snowflake(), Spark(), Trino(), Webhook()),
)
KINDS: dict[str, Kind] = {kind.name: kind for kind in _ALL}
