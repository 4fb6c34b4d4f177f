"""The control plane: who works here, in which workspace, on what. An HTTP API over a database.

A noun has a folder, and in it the same files: `endpoints` (what can be asked), `service` (what it means), `repository`
(the only place with SQL), `schemas` (what goes in and out), `models` (the tables). Services never commit: the request does.
"""
