"""Lineage: which runs read and wrote which datasets, told by our own jobs and, as OpenLineage, by those of others."""
