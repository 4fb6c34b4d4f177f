"""Runs: one carrying out of a job, in attempts, each under a lease. Their state changes only as `states` allows."""
