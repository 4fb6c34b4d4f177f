"""The command line: thin commands over all the rooms. Nothing imports it."""
