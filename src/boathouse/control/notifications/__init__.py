"""Notifications: who is told what of runs, by webhook or mail. What is to be told is written with the change that causes it."""
