"""Browsers in which people have signed in."""

from django.test import Client

from kb_project.accounts import second_look


def long_ago(client: Client) -> None:
    """The person of this browser signed in a while ago."""
    session = client.session
    session[second_look.SHOWN_AT] -= second_look.RECENT_S
    session.save()
