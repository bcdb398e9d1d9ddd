"""The *Watch* button of documents, works, provisions, topics, labels, searches, notebooks and tables."""

from typing import Any

from django import template
from django.template import Context

from keeping.models import WatchKind
from keeping.watches import watching
from keeping.watches.screens import stored_of
from keeping.watches.targets import WatchTarget
from labels.models import Label
from search.shown.forms import SearchForm

register = template.Library()


@register.inclusion_tag("watches/_watch.html", takes_context=True)
def watch_button(
    context: Context,
    *,
    topic: int | str | None = None,
    work: int | None = None,
    label: Label | None = None,
    search: SearchForm | None = None,
    notebook: int | None = None,
    table: int | None = None,
    provision: bool = False,
) -> dict[str, Any]:
    """A form that watches one thing, or a link to the watches where it is watched. Nothing for who is not signed in.

    With `provision` it is one of the work, whose address a script of the page writes into the form.
    """
    user = context.get("user")
    if user is None or not user.is_authenticated:
        return {}
    said: dict[str, Any]
    if search is not None:
        said, target = {"search": search.address()}, WatchTarget(WatchKind.SEARCH, search=stored_of(search))
    elif label is not None:
        said, target = {"label_id": label.pk}, WatchTarget(WatchKind.LABEL, label_slug=label.slug)
    elif work:
        said, target = {"work_id": work}, WatchTarget(WatchKind.WORK, work_id=work)
    elif notebook:
        said, target = {"notebook_id": notebook}, WatchTarget(WatchKind.NOTEBOOK, notebook_id=notebook)
    elif table:
        said, target = {"table_id": table}, WatchTarget(WatchKind.TABLE, table_id=table)
    elif topic:
        said, target = {"topic_id": topic}, WatchTarget(WatchKind.TOPIC, topic_id=int(topic))
    else:
        return {}
    return {
        "said": said,
        "provision": provision,
        "is_watched": not provision and watching.same(user, target).exists(),
        "next": context["request"].get_full_path(),
        "csrf_token": context.get("csrf_token"),
    }
