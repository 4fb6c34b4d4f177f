"""The streaming example: a power company's customers, meters and readings, changing in Postgres. `examples/meters` leads here."""
