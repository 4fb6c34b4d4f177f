"""Workers: which there are, written down by themselves."""
