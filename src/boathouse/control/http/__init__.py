"""What every request goes through: its id and log line, its transaction and audit entry, and errors in one shape."""
