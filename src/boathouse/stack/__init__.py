"""Every service of the lakehouse as a supervised local process."""
