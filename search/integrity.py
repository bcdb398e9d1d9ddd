"""Checks of the index in use, and what `/readyz` tells of it and of vectors."""

from kb_project.operations import readiness
from kb_project.operations.integrity.registry import register
from search.embedders import vector_progress
from search.index import engine, register_health

register_health()
readiness.DETAILS["meaning"] = vector_progress.told
register(*engine().check())
