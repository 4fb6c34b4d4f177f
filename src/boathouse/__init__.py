"""Boathouse: a lakehouse platform that a team can own."""
