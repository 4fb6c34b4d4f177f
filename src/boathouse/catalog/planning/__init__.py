"""Scan planning: which files of a table an engine must read to answer a query.

Everything but `planner` and `manifests` is pure. What is left out here is never read by anybody, so every doubt is
decided for reading: a predicate that cannot be judged might match.
"""
