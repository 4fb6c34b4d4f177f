"""Streams: changes of a database, or events of a topic, to the lake exactly once and to ClickHouse within seconds."""
