"""Who may do what: principals and their secrets, the tokens they are given, and what they were granted.

Nothing here knows of HTTP: `api/` asks, the command line manages, and both meet in the store.
"""
