"""Logging in by an OpenID Connect provider: who somebody is there, and what their groups make of them here."""
