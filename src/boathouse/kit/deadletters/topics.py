"""Where a rejected event stood, as the table of rejects has it: its topic and partition as the file, its offset as the line."""

SCHEME = "kafka://"


def is_topic(file: str) -> bool:
    return file.startswith(SCHEME)


def origin(file: str) -> tuple[str, int]:
    """The topic and the partition."""
    topic, _, partition = file.removeprefix(SCHEME).rpartition("/")
    return topic, int(partition)
