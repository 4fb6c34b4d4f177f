"""Pipelines: a YAML spec and the PySpark program that carries it out. Imports only kit; runs inside Spark."""
