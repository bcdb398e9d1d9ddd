"""Documents on S3 and its likes: django-storages with deadlines and a copy that stays on the server."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from threading import Lock
from types import SimpleNamespace
from typing import Any, TypeVar

from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from storages.backends.s3 import S3Storage

BLOCK = 1024 * 1024
Found = TypeVar("Found")
SHOWN_AFTER_S = (0.2, 0.4, 0.8, 1.2)  # some stores take a while to show what they have taken
# Together at most 9 seconds for one call: whoever asked for a file is told within 15 that the storage hangs.
CONFIG = Config(
    connect_timeout=3,
    read_timeout=4,  # of one silence, not of a whole file, of which a call carries 8 MB at most
    retries={"total_max_attempts": 2, "mode": "standard"},  # with a pause of a second at most
    signature_version="s3v4",
    s3={"addressing_style": "path"},
    # Checksums as trailers are new: servers that do not know them refuse every upload, or keep the trailer in the file.
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)


class DocumentS3Storage(S3Storage):
    def __init__(self, **settings: Any) -> None:
        # The client tries again by itself. The transfer would do so once more for each of its tries.
        super().__init__(client_config=CONFIG, transfer_config=TransferConfig(num_download_attempts=1), **settings)
        # One connection for all threads, where django-storages makes one for each: under ASGI every request has a
        # thread of its own, and making a connection takes a quarter of a second.
        self._connections = SimpleNamespace()
        self._connecting = Lock()

    @property
    def connection(self) -> Any:
        with self._connecting:
            return super().connection

    def ensure_bucket(self) -> bool:
        """Make the bucket. Returns False when it is there already. Raises botocore's errors."""
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
        with contextlib.closing(_shown(lambda: self._body(key))) as body:
            yield from body.iter_chunks(BLOCK)

    def _body(self, key: str) -> Any:
        client = self.connection.meta.client
        try:
            return client.get_object(Bucket=self.bucket_name, Key=key)["Body"]
        except client.exceptions.NoSuchKey as error:
            raise FileNotFoundError(f"No stored file {key!r}.") from error

    def _open(self, name: str, mode: str = "rb") -> Any:
        return _shown(lambda: super(DocumentS3Storage, self)._open(name, mode))

    def copy(self, source: str, target: str) -> None:
        """Copy one object to another key of the bucket. Raises `FileNotFoundError` when there is no source."""
        _shown(lambda: self._copy(source, target))

    def _copy(self, source: str, target: str) -> None:
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


def _shown(look: Callable[[], Found]) -> Found:
    """What is looked for, which another process may have stored just now. Raises `FileNotFoundError` after 2.6 s."""
    for pause in SHOWN_AFTER_S:
        with contextlib.suppress(FileNotFoundError):
            return look()
        time.sleep(pause)
    return look()
