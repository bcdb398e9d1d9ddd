"""App configuration of the foundation."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

from kb_project.database import grants
from kb_project.django_admin.field_names import translate_names


class FoundationConfig(AppConfig):
    name = "kb_project"
    verbose_name = _("Audit")

    def ready(self) -> None:
        from kb_project import celery  # noqa: F401  its application is the one that shared tasks belong to
        from kb_project.configuration import address_checks, checks, deployment_checks  # noqa: F401  register themselves, which needs settings

        translate_names()
        post_migrate.connect(grants.grant_after_migrate, sender=self)
