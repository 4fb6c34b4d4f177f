"""Where work is done: its members, and how much they may use at once."""
