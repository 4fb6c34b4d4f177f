"""A session on the Spark Connect server, for the command line and for pipelines."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from urllib.parse import quote

from pyspark.logger import PySparkLogger
from pyspark.sql.connect.client import DefaultChannelBuilder
from pyspark.sql.connect.client.reattach import ExecutePlanResponseReattachableIterator
from pyspark.sql.connect.client.retries import DefaultPolicy
from pyspark.sql.connect.session import SparkSession

from boathouse.engines.spark.errors import translated
from boathouse.kit.access import SparkAccess

# pyspark tells these loggers of every failed statement, with its Java stack, though it raises the error as well.
_CHATTY = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


@contextmanager
def open_session(access: SparkAccess) -> Generator[SparkSession]:
    """A session that is released on the server when the block ends. Errors inside are translated."""
    _quieten()
    # With it `pyspark.sql.functions` builds expressions for this kind of session.
    os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
    with translated():
        session = SparkSession.builder.channelBuilder(_channel(access)).create()
        try:
            # A server of this machine answers at once or is not there: five tries take two seconds, not ten minutes.
            session.client.set_retry_policies([DefaultPolicy(max_retries=5, initial_backoff=100, max_backoff=800)])
            yield session
        finally:
            # Finished statements are released in the background, which must not reach a session that is gone.
            ExecutePlanResponseReattachableIterator.shutdown()
            session.stop()


def _channel(access: SparkAccess) -> DefaultChannelBuilder:
    url = f"{access.remote}/;token={quote(access.token.get_secret_value(), safe='')}"
    # The server is on loopback, which a proxy named by the environment cannot reach.
    return DefaultChannelBuilder(url, [("grpc.enable_http_proxy", 0)])


def _quieten() -> None:
    for name in _CHATTY:
        PySparkLogger.getLogger(name).disabled = True
