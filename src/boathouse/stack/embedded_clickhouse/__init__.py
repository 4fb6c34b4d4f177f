"""ClickHouse's engine, embedded, behind a server that speaks ClickHouse's HTTP interface. Started as a process of its own."""
