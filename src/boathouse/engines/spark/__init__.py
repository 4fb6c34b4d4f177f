"""Spark: how its server is configured, how a client opens a session, how its errors and progress read."""
