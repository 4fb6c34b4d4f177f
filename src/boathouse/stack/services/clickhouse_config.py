"""The configuration of a `clickhouse` server program: one HTTP port on loopback, and one user."""

import hashlib
from pathlib import Path
from xml.sax.saxutils import escape

from boathouse.stack.ports import LOOPBACK


def server_config(*, port: int, user: str, password: str, data: Path, memory: int) -> str:
    """The password is in it as a hash only. The user is not called default: that one is not there."""
    hashed = hashlib.sha256(password.encode()).hexdigest()
    where = escape(str(data))
    return f"""<clickhouse>
  <logger><level>warning</level><console>1</console></logger>
  <listen_host>{LOOPBACK}</listen_host>
  <http_port>{port}</http_port>
  <path>{where}/</path>
  <tmp_path>{where}/scratch/</tmp_path>
  <user_files_path>{where}/user_files/</user_files_path>
  <format_schema_path>{where}/format_schemas/</format_schema_path>
  <max_server_memory_usage>{memory}</max_server_memory_usage>
  <mark_cache_size>268435456</mark_cache_size>
  <query_log><database>system</database><table>query_log</table>
    <flush_interval_milliseconds>2000</flush_interval_milliseconds>
    <ttl>event_date + INTERVAL 7 DAY DELETE</ttl></query_log>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <users>
    <{user}>
      <password_sha256_hex>{hashed}</password_sha256_hex>
      <networks><ip>{LOOPBACK}</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <access_management>1</access_management>
    </{user}>
  </users>
</clickhouse>
"""
