"""023 label slugs: names that shared a slug get one each; the slug that a label had becomes an alias of it."""

import hashlib
import re
import unicodedata

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# The rule as it was when this was written; `labels.slugs` may go on.
MAX_SLUG_LENGTH = 200
MARK_LENGTH = 12
HEBREW_TO_ASCII = {
    "א": "a", "ב": "b", "ג": "g", "ד": "d", "ה": "h", "ו": "v", "ז": "z", "ח": "ch", "ט": "tt", "י": "y",
    "כ": "k", "ך": "k", "ל": "l", "מ": "m", "ם": "m", "נ": "n", "ן": "n", "ס": "ss", "ע": "e", "פ": "p",
    "ף": "p", "צ": "ts", "ץ": "ts", "ק": "q", "ר": "r", "ש": "sh", "ת": "th",
}  # fmt: skip
TRANSLATION = str.maketrans(HEBREW_TO_ASCII)
INSIDE_WORD = re.compile(r"[\"'׳״’”“`]")
BREAK = re.compile(r"[^a-z0-9]+")


def slugify(name: str) -> str:
    visible = "".join(
        char if not unicodedata.category(char).startswith("C") else " " for char in unicodedata.normalize("NFC", name)
    )
    name = " ".join(visible.split())
    mark = hashlib.sha256(name.casefold().encode()).hexdigest()[:MARK_LENGTH]
    folded = unicodedata.normalize("NFKD", INSIDE_WORD.sub("", name).casefold()).translate(TRANSLATION)
    ascii_only = "".join(char if char.isascii() else ("" if unicodedata.combining(char) else "-") for char in folded)
    slug = BREAK.sub("-", ascii_only).strip("-")
    if len(slug) <= MAX_SLUG_LENGTH and not any(char.isalnum() and not char.isascii() for char in folded):
        return slug or f"label-{mark}"
    kept = slug[: MAX_SLUG_LENGTH - MARK_LENGTH - 1].strip("-") or "label"
    return f"{kept}-{mark}"


def renew(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Give labels the slug that their name has by now, where that is free, and aliases a second one likewise."""
    with editor.connection.cursor() as cursor:
        # A label goes before an alias of its slug, which leads nowhere and would be in the way of the label's own.
        cursor.execute("DELETE FROM kb_label_alias a USING kb_label l WHERE a.slug = l.slug")
        cursor.execute("SELECT slug FROM kb_label UNION SELECT slug FROM kb_label_alias")
        taken = {slug for (slug,) in cursor.fetchall()}
        cursor.execute("SELECT id, slug, name FROM kb_label ORDER BY id")
        for label_id, slug, name in cursor.fetchall():
            renewed = slugify(name)
            if renewed not in taken:
                taken.add(renewed)
                cursor.execute("UPDATE kb_label SET slug = %s WHERE id = %s", [renewed, label_id])
                cursor.execute(
                    "INSERT INTO kb_label_alias (label_id, slug, name) VALUES (%s, %s, %s)", [label_id, slug, name]
                )
        cursor.execute("SELECT label_id, name FROM kb_label_alias ORDER BY id")
        for label_id, name in cursor.fetchall():
            renewed = slugify(name)
            if renewed not in taken:
                taken.add(renewed)
                cursor.execute(
                    "INSERT INTO kb_label_alias (label_id, slug, name) VALUES (%s, %s, %s)", [label_id, renewed, name]
                )


class Migration(migrations.Migration):
    dependencies = [("labels", "006_labels")]
    operations = [migrations.RunPython(renew, migrations.RunPython.noop)]
