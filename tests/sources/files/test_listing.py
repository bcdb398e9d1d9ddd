"""Listing the file store: every kind, from the store itself, with sizes and times."""

import datetime as dt
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from sources.files.listing import files_by_kind
from sources.files.storage import Area
from sources.kinds import SourceKind
from tests.factories import first_topic, make_topic
from topics.edit import edit
from topics.models import Topic

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("either_storage")]


def put(*keys: str) -> None:
    for key in keys:
        default_storage.save(key, ContentFile(b"x" * len(key)))


def listed(area: Area, **options: Any) -> dict[str, list[str]]:
    return {kind: [file.key for file in files] for kind, files in files_by_kind(area, **options).items() if files}


def test_every_kind_has_a_group_also_in_an_empty_store() -> None:
    assert files_by_kind(Area.FAILED) == {kind: [] for kind in SourceKind.values}


def test_files_are_listed_with_their_sizes_and_times() -> None:
    key = "processed/general/tool/מחשבון.txt"
    put(key)
    (file,) = files_by_kind(Area.PROCESSED)["tool"]
    assert (file.key, file.size) == (key, len(key))
    assert abs(timezone.now() - file.modified_at) < dt.timedelta(minutes=2)


def test_topics_and_legacy_layout_are_told_apart_by_their_depth() -> None:
    named_like_a_kind = make_topic(slug="law")
    legacy = ["inbox/law/a.txt", "inbox/tool/b.txt"]
    first = ["inbox/general/law/c.txt"]
    other = ["inbox/law/circular/d.txt", "inbox/law/law/e.txt"]
    put(*legacy, *first, *other, "inbox/f.txt", "inbox/general/poem/g.txt", "inbox/general/law/deep/h.txt")
    assert listed(Area.INBOX) == {
        "law": ["inbox/general/law/c.txt", "inbox/law/a.txt", "inbox/law/law/e.txt"],
        "circular": ["inbox/law/circular/d.txt"],
        "tool": ["inbox/tool/b.txt"],
    }
    assert listed(Area.INBOX, topic=named_like_a_kind) == {"law": [other[1]], "circular": [other[0]]}
    assert listed(Area.INBOX, topic=first_topic()) == {"law": [*first, legacy[0]], "tool": [legacy[1]]}
    assert listed(Area.PROCESSED) == {}


def test_files_stored_under_a_former_slug_are_still_the_topic_s() -> None:
    topic = make_topic(slug="law")  # from before kinds were refused
    topic.former_slugs.create(slug="water")
    put("processed/water/law/a.txt", "processed/other/law/b.txt")
    edit(topic.pk, {"slug": "rivers"}, by="tests")
    topic.refresh_from_db()
    put("processed/law/tool/c.txt", "processed/rivers/law/d.txt", "processed/law/e.txt")
    assert listed(Area.PROCESSED, topic=topic) == {
        "law": ["processed/rivers/law/d.txt", "processed/water/law/a.txt"],
        "tool": ["processed/law/tool/c.txt"],
    }
    assert listed(Area.PROCESSED, topic=first_topic()) == {"law": ["processed/law/e.txt"]}


def test_the_initial_topic_keeps_its_legacy_files() -> None:
    put("inbox/law/a.txt", "inbox/general/law/b.txt", "inbox/law/law/c.txt")
    Topic.objects.filter(pk=1).update(slug="law")  # from before kinds were refused
    first_topic().former_slugs.create(slug="general")
    edit(1, {"slug": "renamed"}, by="tests")
    assert listed(Area.INBOX, topic=first_topic()) == {
        "law": ["inbox/general/law/b.txt", "inbox/law/a.txt", "inbox/law/law/c.txt"]
    }
