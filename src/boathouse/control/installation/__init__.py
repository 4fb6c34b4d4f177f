"""What this installation runs with, told to platform admins. Never a secret."""
