"""Files that a job names, brought to where the attempt is."""

from pathlib import Path, PurePosixPath

import obstore

from boathouse.control.jobs.kinds.kind import Attempt
from boathouse.kit.errors import InvalidInput
from boathouse.kit.objects import canonical_url, open_store, storage_errors

# A package is some megabytes; what is larger is data.
_LARGEST = 512 * 1024 * 1024


def fetched(url: str, attempt: Attempt) -> Path:
    """A copy in the attempt's own directory, under the file's own name."""
    place, _, name = canonical_url(url).rpartition("/")
    if not place.startswith("s3://") or not PurePosixPath(name).name:
        raise InvalidInput(f"{url} is not a file that a job may name.", hint="Put it into the lake: s3://bucket/file.")
    lake = attempt.lake().object_store
    store = open_store(
        place,
        endpoint=lake.endpoint,
        region=lake.region,
        access_key=lake.access_key.get_secret_value(),
        secret_key=lake.secret_key.get_secret_value(),
    )
    with storage_errors(url):
        found = obstore.get(store, name)
        if found.meta["size"] > _LARGEST:
            raise InvalidInput(f"{url} is larger than {_LARGEST >> 20} MiB.", hint="A program's files are smaller.")
        copy = Path(attempt.scratch) / name
        copy.write_bytes(bytes(found.bytes()))
    attempt.log(f"Fetched {url}", stream="system")
    return copy
