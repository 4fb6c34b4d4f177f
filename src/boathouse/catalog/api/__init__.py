"""The operations of the Iceberg REST specification over HTTP, one module a resource."""
