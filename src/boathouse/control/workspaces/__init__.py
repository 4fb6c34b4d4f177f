"""Where work is done: its members, and how much they may have under way at once."""
