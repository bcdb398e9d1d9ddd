"""Logs, metrics and traces."""

METRICS_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"  # of the environment: where the processes add up what they count
