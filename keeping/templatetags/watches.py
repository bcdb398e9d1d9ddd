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
    label: Label | None = None,
    search: SearchForm | None = None,
    provision: bool = False,
    **ids: int | str | None,
) -> dict[str, Any]:
    """A form that watches one thing, or a link to the watches where it is watched. Nothing for who is not signed in.

    `ids` are those of other things by their kinds, the topic only where nothing else is given. With `provision` it is
    one of the work, whose address a script of the page writes into the form.
    """
    user = context.get("user")
    if user is None or not user.is_authenticated:
        return {}
    said: dict[str, Any]
    if search is not None:
        said, target = {"search": search.address()}, WatchTarget(WatchKind.SEARCH, search=stored_of(search))
    elif label is not None:
        said, target = {"label_id": label.pk}, WatchTarget(WatchKind.LABEL, label_slug=label.slug)
    elif kind := max((name for name, value in ids.items() if value), key=lambda name: name != "topic", default=None):
        said = {f"{kind}_id": int(ids[kind] or 0)}
        target = WatchTarget(WatchKind(kind), **said)
    else:
        return {}
    return {
        "said": said,
        "provision": provision,
        "is_watched": not provision and watching.same(user, target).exists(),
        "next": context["request"].get_full_path(),
        "csrf_token": context.get("csrf_token"),
    }
