"""The metadata service: an Iceberg REST catalog on a small transactional key-value store. Imports only kit."""
