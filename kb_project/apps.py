"""App configuration of the foundation, and names of models in the reader's language."""

from typing import Any

from django.apps import AppConfig, apps
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_migrate
from django.http import HttpRequest
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as _

from kb_project.database import grants


def translate_names() -> None:
    """Have the names that Django derives from the code (`created at`, `chunk`) looked up in the translations.

    Only what is shown changes: migrations read the declared names, so this asks for none.
    """
    for model in apps.get_models():
        options = model._meta
        for field in (*options.local_fields, *options.local_many_to_many):
            if isinstance(field.verbose_name, str):
                field.verbose_name = gettext_lazy(field.verbose_name)
        if isinstance(options.verbose_name, str):
            if "verbose_name_plural" not in options.original_attrs:
                options.verbose_name_plural = gettext_lazy(f"{options.verbose_name}s")
            options.verbose_name = gettext_lazy(options.verbose_name)


def note_sign_in(sender: object, request: HttpRequest, **_: Any) -> None:
    """Whatever way somebody signs in: from now on they may change what opens their account."""
    from kb_project.accounts import second_look  # what has no screens needs none of it

    second_look.note_sign_in(request)


class FoundationConfig(AppConfig):
    name = "kb_project"
    verbose_name = _("Audit")

    def ready(self) -> None:
        from kb_project.operations import checks  # noqa: F401  register themselves, which needs settings
        from kb_project.web.part_headers import read_legacy_headers

        translate_names()
        user_logged_in.connect(note_sign_in)
        read_legacy_headers()
        post_migrate.connect(grants.grant_after_migrate, sender=self)
