"""Who computes: Spark now; Trino, ClickHouse and Snowflake behind the same door later. Imports only kit."""
