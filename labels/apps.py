"""App configuration of labels."""

from django.apps import AppConfig


class LabelsConfig(AppConfig):
    name = "labels"
