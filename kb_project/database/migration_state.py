"""What the numbered migrations tell Django's model state, in few words, of tables that SQL has made."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

NOTHING = models.DO_NOTHING  # the database cascades by itself


def model(
    name: str, table: str, fields: Mapping[str, models.Field], *, named: tuple[str, str] | None = None, **options: Any
) -> migrations.CreateModel:
    """The model of a table. `named` are its names for people, one and many. `options` are those of `Meta`."""
    if named:
        options |= {"verbose_name": named[0], "verbose_name_plural": named[1]}
    return migrations.CreateModel(name=name, fields=list(fields.items()), options={"db_table": table, **options})


def fields(model_name: str, added: Mapping[str, models.Field]) -> list[migrations.AddField]:
    """Columns that a table got."""
    return [migrations.AddField(model_name, name, field) for name, field in added.items()]


def number() -> models.BigAutoField:
    """A primary key that counts."""
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def random_id() -> models.UUIDField:
    """A primary key that nobody can guess."""
    return models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)


def key_of(*columns: str) -> models.CompositePrimaryKey:
    """A primary key of several columns."""
    return models.CompositePrimaryKey(*columns, blank=True, editable=False, primary_key=True, serialize=False)


def to(target: str, on_delete: Any = NOTHING, *, related_name: str = "+", **options: Any) -> models.ForeignKey:
    """A reference to a row of `target`, as `app.model`."""
    return models.ForeignKey(on_delete=on_delete, related_name=related_name, to=target, **options)


def one_to(target: str, on_delete: Any = NOTHING, *, related_name: str = "+", **options: Any) -> models.OneToOneField:
    """A reference to a row of `target` that is the primary key too."""
    return models.OneToOneField(
        on_delete=on_delete, primary_key=True, related_name=related_name, serialize=False, to=target, **options
    )


def array(of: models.Field, **options: Any) -> ArrayField:
    """An array of any length."""
    return ArrayField(base_field=of, size=None, **options)
