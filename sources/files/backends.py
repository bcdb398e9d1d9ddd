"""Documents on S3 and its likes: django-storages with deadlines and a copy that stays on the server."""

import contextlib
from collections.abc import Iterator
from datetime import datetime
from threading import Lock
from types import SimpleNamespace
from typing import Any

from botocore.config import Config
from storages.backends.s3 import S3Storage

BLOCK = 1024 * 1024
CONFIG = Config(
    connect_timeout=5,
    read_timeout=20,  # of one silence, not of a whole file; what hangs holds a worker, a request or the probe this long
    retries={"max_attempts": 3, "mode": "standard"},
    signature_version="s3v4",
    s3={"addressing_style": "path"},
)


class DocumentS3Storage(S3Storage):
    def __init__(self, **settings: Any) -> None:
        super().__init__(client_config=CONFIG, **settings)
        # One connection for all threads, where django-storages makes one for each: under ASGI every request has a
        # thread of its own, and making a connection takes a quarter of a second.
        self._connections = SimpleNamespace()
        self._connecting = Lock()

    @property
    def connection(self) -> Any:
        with self._connecting:
            return super().connection

    def ensure_bucket(self) -> bool:
        """Make the bucket; False when it is there already. Raises botocore's errors."""
        client = self.connection.meta.client
        try:
            client.head_bucket(Bucket=self.bucket_name)
        except client.exceptions.ClientError as error:
            if error.response.get("ResponseMetadata", {}).get("HTTPStatusCode") != 404:
                raise
        else:
            return False
        region = client.meta.region_name
        elsewhere = {"CreateBucketConfiguration": {"LocationConstraint": region}} if region != "us-east-1" else {}
        client.create_bucket(Bucket=self.bucket_name, **elsewhere)
        return True

    def blocks(self, key: str) -> Iterator[bytes]:
        """An object's bytes as they come. Raises `FileNotFoundError`."""
        client = self.connection.meta.client
        try:
            body = client.get_object(Bucket=self.bucket_name, Key=key)["Body"]
        except client.exceptions.NoSuchKey as error:
            raise FileNotFoundError(f"No stored file {key!r}.") from error
        with contextlib.closing(body):
            yield from body.iter_chunks(BLOCK)

    def copy(self, source: str, target: str) -> None:
        """Copy one object to another key of the bucket. Raises `FileNotFoundError` when there is no source."""
        client = self.connection.meta.client
        try:
            client.copy({"Bucket": self.bucket_name, "Key": source}, self.bucket_name, target)
        except client.exceptions.ClientError as error:
            if error.response.get("ResponseMetadata", {}).get("HTTPStatusCode") == 404:
                raise FileNotFoundError(f"No stored file {source!r}.") from error
            raise

    def files_under(self, folder: str) -> Iterator[tuple[str, int, datetime]]:
        """Key, size and time of every object below a folder, a thousand to a request."""
        for item in self.bucket.objects.filter(Prefix=f"{folder}/"):
            if not item.key.endswith("/"):  # an object that only stands for a folder
                yield item.key, item.size, item.last_modified
