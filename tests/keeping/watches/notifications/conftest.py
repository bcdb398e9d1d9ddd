"""The process that receives webhooks, for those of people."""

from tests.ingest.webhooks.conftest import receiver, receiving_process

__all__ = ["receiver", "receiving_process"]
