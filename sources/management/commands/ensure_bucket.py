"""`manage.py ensure_bucket`: the bucket KB_S3_BUCKET, so that a storage that is new can be used."""

from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.core.files.storage import default_storage
from django.core.management.base import CommandError

from kb_project.configuration.startup import ServiceCommand


class Command(ServiceCommand):
    help = "Make the bucket KB_S3_BUCKET unless it is there. Safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.KB_STORAGE != "s3":
            raise CommandError("KB_STORAGE is not s3: there is no bucket to make.")
        try:
            made = default_storage.ensure_bucket()  # type: ignore[attr-defined]  # DocumentS3Storage
        except (BotoCoreError, ClientError) as error:
            raise CommandError(f"The bucket cannot be used: {error}") from error
        self.stdout.write(f"bucket: {default_storage.bucket_name}, {'made' if made else 'there'}")  # type: ignore[attr-defined]
