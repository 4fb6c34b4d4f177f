"""Trino: how a coordinator is asked, what its types are in Arrow, how its errors and progress read."""
