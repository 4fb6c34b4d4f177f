"""Files into tables: each file once, each row accounted for, everything visible in one commit."""
