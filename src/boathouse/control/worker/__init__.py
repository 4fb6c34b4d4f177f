"""The worker: claims runs, carries each out in a process of its own, and gives way to whoever takes them over."""
