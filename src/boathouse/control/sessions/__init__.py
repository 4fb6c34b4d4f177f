"""Logging in with a browser, and out."""
