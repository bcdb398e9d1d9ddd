"""Documents on S3 and its likes: django-storages with deadlines and a copy that stays on the server."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import Any

from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage
from storages.backends.s3 import S3Storage

BLOCK = 1024 * 1024
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


FILE_MODE = 0o600


class DurableFileSystemStorage(FileSystemStorage):
    """Django's storage of local files, whose `save` returns when the bytes and all folders above them are on disk.

    A row that names a file may be committed only then: the database writes its log to disk, and a machine that stops
    would otherwise come back with a row whose file is empty or not there. A file that exists is written over.
    """

    def _save(self, name: str, content: File[Any]) -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, FILE_MODE), "wb") as stored:
            os.fchmod(stored.fileno(), FILE_MODE)  # a file that is written over keeps the mode that it had
            for block in content.chunks():
                stored.write(block)
            stored.flush()
            os.fsync(stored.fileno())
        # Every folder each time: another process may have made one a moment ago and not have come to sync it.
        root = Path(self.location)
        folder = path.parent
        while folder != root.parent:
            _sync_folder(folder)
            folder = folder.parent
        _sync_folder(root.parent)
        return name


def _sync_folder(folder: Path) -> None:
    """Sync a folder, so that the names in it are on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
