"""The foundation: settings, errors, API manners, embedded stack. It imports no app."""

from kb_project.celery import app as celery_app

__all__ = ["celery_app"]
