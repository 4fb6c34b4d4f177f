"""What every room uses. Imports no other room."""
