"""What clients need to reach a warehouse's storage without keys of their own: signatures, and keys that end by themselves."""
