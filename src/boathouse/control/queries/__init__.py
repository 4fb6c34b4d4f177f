"""Queries: SQL that somebody asks at once, with a history of their own, and texts worth keeping."""
