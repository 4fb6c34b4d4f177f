"""Datasets: which tables there are, whose they are, and how they are. What people write of them is never overwritten."""
