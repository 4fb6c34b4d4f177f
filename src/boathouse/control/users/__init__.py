"""People and programs that may log in."""
