"""Who computes: Spark and Trino; ClickHouse and Snowflake behind the same door later. Imports only kit."""
