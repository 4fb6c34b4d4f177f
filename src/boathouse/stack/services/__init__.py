"""The services themselves, a module each."""
