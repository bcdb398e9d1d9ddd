"""Making and editing topics. A slug that is given up stays the topic's: files lie in the folders it names."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.errors import Invalid, NotFound, UnknownParameter
from topics.models import FormerSlug, OpenTo, Topic

RESERVED_SLUGS: set[str] = set()
"""Names of other folders among those of files, which no topic may take. The apps above tell theirs."""
EDITABLE = ("name", "slug", "system_prompt_addendum", "open_to")


@transaction.atomic
def create(
    *, name: str, slug: str, system_prompt_addendum: str = "", open_to: str = OpenTo.EVERYBODY, by: str
) -> Topic:
    """Make a topic. Raises Invalid for a name or slug that cannot be, also for a slug that another has or had."""
    _hold_slugs()
    topic = Topic(name=name, slug=slug, system_prompt_addendum=system_prompt_addendum, open_to=open_to)
    _require_valid(topic)
    _require_good_slug(topic.slug)
    topic.save()
    audit.record(by=by, action="topic.create", thing=topic, after=_values(topic), topic_id=topic.pk)
    return topic


@transaction.atomic
def edit(topic_id: int, changes: Mapping[str, Any], *, by: str) -> Topic:
    """Change any of name, slug, system_prompt_addendum and open_to. What is not named stays as it is.

    The topic may take back a slug that it once had. Raises NotFound, UnknownParameter, and Invalid as `create` does.
    """
    unknown = sorted(set(changes) - set(EDITABLE))
    if unknown:
        raise UnknownParameter(f"A topic has no field {unknown[0]} that can be edited.")
    _hold_slugs()
    topic = Topic.objects.select_for_update(no_key=True).filter(pk=topic_id).first()
    if topic is None:
        raise NotFound("There is no such topic.")
    before = _values(topic)
    for name, value in changes.items():
        setattr(topic, name, value)
    _require_valid(topic)
    if topic.slug != before["slug"]:
        _require_good_slug(topic.slug)
        topic.former_slugs.filter(slug=topic.slug).delete()
        topic.former_slugs.create(slug=before["slug"])
    topic.save(update_fields=EDITABLE)
    audit.record(by=by, action="topic.edit", thing=topic, before=before, after=_values(topic), topic_id=topic.pk)
    return topic


def raise_if_former_slug(slug: str, *, topic_id: int | None) -> None:
    """Raise Invalid when the slug once was that of a topic other than this one."""
    former = FormerSlug.objects.filter(slug=slug).first()
    if former is not None and former.topic_id != topic_id:
        sentence = _("Another topic once had this slug, and its files still lie under it.")
        raise Invalid(sentence, errors={"slug": [sentence]})


def _hold_slugs() -> None:
    """Until the transaction ends nobody else gives a slug up or takes one: two tables cannot share a unique index."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE kb_topic_slug IN SHARE ROW EXCLUSIVE MODE")


def _require_valid(topic: Topic) -> None:
    try:
        topic.full_clean()
    except ValidationError as error:
        errors = error.message_dict
        field, sentences = next(iter(errors.items()))
        raise Invalid(f"{field}: {sentences[0]}", errors=errors) from error
    raise_if_former_slug(topic.slug, topic_id=topic.pk)


def _require_good_slug(slug: str) -> None:
    """Raise Invalid for a slug that can be read as another one's, or as something else. A slug from before may stay."""
    sentence = ""
    if slug != slug.lower():
        sentence = _("Small letters only.")
    elif slug in RESERVED_SLUGS:
        sentence = _("This is the name of a kind of document.")
    if sentence:
        raise Invalid(f"slug: {sentence}", errors={"slug": [sentence]})


def _values(topic: Topic) -> dict[str, Any]:
    return {name: getattr(topic, name) for name in EDITABLE}
