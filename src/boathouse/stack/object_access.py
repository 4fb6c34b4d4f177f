"""Whether an object store really takes and gives back objects."""

import secrets

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from boathouse.kit.access import ObjectStoreAccess
from boathouse.stack.service import Impaired, NotReady

# Outside the warehouse, so that no table's maintenance meets it.
PROBE = ".boathouse/probe"


def probe(access: ObjectStoreAccess) -> None:
    """Write an object and read it back, or raise NotReady; Impaired if only reading works."""
    content = secrets.token_bytes(16)
    store = object_store(access)
    try:
        obstore.put(store, PROBE, content)
    except (BaseError, OSError) as error:
        _read(store)
        raise Impaired(f"reads objects but cannot write them ({type(error).__name__}); is the disk full?") from error
    if _read(store) != content:
        raise NotReady("an object read back is not the one written")


def _read(store: S3Store) -> bytes:
    try:
        return bytes(obstore.get(store, PROBE).bytes())
    except (BaseError, OSError) as error:
        raise NotReady(f"cannot write and read an object yet ({type(error).__name__})") from error


def object_store(access: ObjectStoreAccess) -> S3Store:
    """The lake's bucket, with no patience: who asks here wants to know how it is now."""
    return S3Store(
        access.bucket,
        endpoint=access.endpoint,
        region=access.region,
        access_key_id=access.access_key.get_secret_value(),
        secret_access_key=access.secret_key.get_secret_value(),
        client_options={"allow_http": True, "timeout": "5s", "connect_timeout": "1s"},
        retry_config={"max_retries": 0},
    )
