"""Names of models and fields in the reader's language, where a model gives them none of its own."""

from __future__ import annotations

from django.apps import apps
from django.utils.translation import gettext_lazy


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
