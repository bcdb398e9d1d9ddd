"""List the file store by kind. Every kind has its group, also an empty one."""

from dataclasses import replace

from sources.files import storage
from sources.files.storage import Area, StoredFile
from sources.kinds import SourceKind
from topics.models import INITIAL_TOPIC_ID, Topic


def files_by_kind(area: Area, *, topic: Topic | None = None) -> dict[str, list[StoredFile]]:
    """The files of an area by kind, in the order of their keys. With `topic`, its own alone.

    Files stay in the folder of the slug that the topic had when they came, so its former slugs are looked at too.
    Files of the legacy layout, `<area>/<kind>/<file>`, are those of the initial topic.
    """
    groups: dict[str, list[StoredFile]] = {kind: [] for kind in SourceKind.values}
    folders, slugs = [str(area)], set[str]()
    if topic is not None:
        slugs = set(topic.slugs())
        folders = [f"{area}/{slug}" for slug in slugs]
        if topic.pk == INITIAL_TOPIC_ID:
            folders += [f"{area}/{kind}" for kind in SourceKind.values if kind not in slugs]
    for folder in folders:
        for file in storage.files_under(folder):
            slug, kind = _place(file.key)
            legacy = slug is None and (topic is None or topic.pk == INITIAL_TOPIC_ID)
            if kind in groups and (legacy or (slug is not None and (topic is None or slug in slugs))):
                groups[kind].append(replace(file, key=storage.printable(file.key)))
    return {kind: sorted(files, key=lambda file: file.key) for kind, files in groups.items()}


def _place(key: str) -> tuple[str | None, str]:
    """The topic's slug, None in the legacy layout, and the kind that a key names. No kind for any other key."""
    parts = key.split("/")
    if len(parts) == 4:
        return parts[1], parts[2]
    return None, parts[1] if len(parts) == 3 else ""
