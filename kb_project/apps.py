"""App configuration of the foundation."""

from django.apps import AppConfig


class FoundationConfig(AppConfig):
    name = "kb_project"

    def ready(self) -> None:
        from kb_project import checks  # noqa: F401  registers itself, which needs settings
