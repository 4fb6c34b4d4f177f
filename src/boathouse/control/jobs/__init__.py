"""Jobs: what is to be done, in versions that never change, with parameters, a schedule and rules for what goes wrong."""
