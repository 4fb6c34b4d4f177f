"""Who did what, when, from where, to what, and how it ended: appended with the change itself, chained by hashes."""
