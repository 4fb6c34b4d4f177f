"""Pipelines: jobs that move rows, told by their figures, and the rows that they rejected."""
