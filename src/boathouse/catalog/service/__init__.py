"""What each operation of the catalog means. Knows nothing of HTTP, and of the store only its protocol."""
