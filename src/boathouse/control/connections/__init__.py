"""How other systems are reached: typed configuration, sealed secrets, and a test that really connects."""
