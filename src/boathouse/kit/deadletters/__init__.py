"""Rows that a pipeline rejected, and what became of each: looked at, mended, replayed or discarded.

`T__rejects` says what was rejected and `T__mends` what was done about it. Both are only ever added to, so nothing is lost, and
whoever reads them, an engine, the command line or the control plane, comes to the same answer.
"""
