"""A bucket on any S3 store."""

from collections.abc import Mapping
from typing import ClassVar

import obstore
from pydantic import Field

from boathouse.control.connections.addresses import HttpAddress, reach_address
from boathouse.control.connections.kinds.kind import Config, Kind
from boathouse.control.connections.steps import Step
from boathouse.kit.ids import new_uuid
from boathouse.kit.objects import open_store, storage_errors


class S3Config(Config):
    endpoint: HttpAddress = Field(description="Such as https://s3.example.org.")
    bucket: str = Field(min_length=3, max_length=63)
    prefix: str = Field(default="", max_length=500, description="Below which everything lies.")
    region: str = "us-east-1"
    path_style: bool = True
    access_key: str = Field(min_length=1, max_length=200)
    writable: bool = Field(default=True, description="Whether the test also writes an object and removes it.")


class S3(Kind):
    name = "s3"
    title = "S3 bucket"
    config = S3Config
    secrets: ClassVar = {"secret_key": "The secret key that goes with the access key."}
    harmless: ClassVar = frozenset({"access_key", "bucket", "path_style", "prefix", "region", "writable"})

    def steps(self, config: S3Config, secrets: Mapping[str, str]) -> list[Step]:
        url = f"s3://{config.bucket}/{config.prefix.strip('/')}".rstrip("/")
        store = open_store(
            url,
            endpoint=config.endpoint,
            region=config.region,
            access_key=config.access_key,
            secret_key=secrets.get("secret_key", ""),
            path_style=config.path_style,
        )

        async def look() -> str:
            with storage_errors(url):
                async for page in obstore.list(store, chunk_size=1):
                    return f"{url} may be listed: {page[0]['path']} is there."
            return f"{url} may be listed, and is empty."

        async def write() -> str:
            key = f"boathouse-connection-test-{new_uuid()}"
            with storage_errors(f"{url}/{key}"):
                await obstore.put_async(store, key, b"test")
                await obstore.delete_async(store, key)
            return "An object was written and removed."

        steps = [*reach_address(config.endpoint), Step("list the bucket", look)]
        return [*steps, Step("write to it", write)] if config.writable else steps
