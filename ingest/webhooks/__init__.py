"""Telling other programs what happens here: webhooks, the outbox of what they are told, and its delivery."""
