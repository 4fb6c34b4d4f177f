"""Tokens by which programs come in the name of a user."""
