"""Whom the readiness probe tells counts."""

from kb_project.operations import readiness
from topics.counts import told_in_probe

readiness.may_read_counts[:] = [told_in_probe]
