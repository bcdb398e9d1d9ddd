"""`/changes/feed/`: the news of what changed in the law, as Atom (RFC 4287)."""

import hashlib
from datetime import UTC, datetime

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.http import quote_etag
from django.utils.translation import gettext as _

from kb_project.api.openapi_files import describe
from kb_project.web.origins import origin_of
from reading.akn.elements import permitted
from reading.changes.screens import ChangesForm
from reading.changes.shown import WorkChange, shown
from search.shown.access import counted, public_feed
from sources.changes.listing import NO_NEWS, feed_entries
from topics.scoping import limits, topics_to_choose

ENTRIES = 50
LANGUAGE = forms.ChoiceField(required=False, choices=settings.LANGUAGES)
describe(
    name="changes-feed",
    media_type="application/atom+xml",
    description="What changed in the law, the newest first, as Atom. With `If-None-Match` 304 where nothing is new. A "
    "`language` that is not spoken is the one of the service.",
    fields=lambda: {**ChangesForm.base_fields, "language": LANGUAGE},
    takes_keys=True,
)
LAST_DAY = datetime(1970, 1, 1, tzinfo=UTC)  # when a feed without entries was updated


class NewsFeed(Atom1Feed):
    """Without entries it says the same each time, so that it is not sent again."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else LAST_DAY


@public_feed
@counted
def feed(request: HttpRequest) -> HttpResponseBase:
    """The newest `ENTRIES` of what the query asks for, in its `language`. 304 for who has them."""
    form = ChangesForm(
        request.GET,
        topics=topics_to_choose(request),
        labels_within=limits(request),
    )
    if not form.is_valid():
        return render(request, "search/changes.html", {"section": "changes", "form": form}, status=400)
    asked = request.GET.get("language", "")
    language = asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with translation.override(language):
        made = _feed(request, form, language=language)
    response = HttpResponse(made.writeString("utf-8"), content_type=made.content_type)
    etag = quote_etag(hashlib.sha256(response.content).hexdigest())
    response = get_conditional_response(request, etag=etag, response=response) or response
    response.headers["ETag"] = etag
    response.headers["Content-Language"] = language
    response.headers["Cache-Control"] = "private, no-cache"  # a key sees more than others: asked again each time
    patch_vary_headers(response, ("Authorization", "Cookie"))
    return response


def _feed(request: HttpRequest, form: ChangesForm, *, language: str) -> NewsFeed:
    today = timezone.localdate()
    found = feed_entries(form.rows(), today=today).select_related("source__topic").prefetch_related("source__labels")
    entries = shown(found[:ENTRIES], today=today)
    root = origin_of(request)
    address = root + reverse("changes-feed") + form.address(language=language)
    narrowed = " · ".join(str(value) for value in form.chosen)
    feed = NewsFeed(
        title=permitted(f"{_('What changed')} · {narrowed or _('Legal knowledge base')}"),
        link=root + reverse("changes") + form.address(),
        description=None,
        subtitle=None if entries else str(NO_NEWS),
        language=language,
        author_name=_("Legal knowledge base"),
        feed_url=address,
        feed_guid=address,
    )
    for one in entries:
        _add(feed, one, root=root)
    return feed


def _add(feed: NewsFeed, one: WorkChange, *, root: str) -> None:
    change, source = one.change, one.source
    day = date_format(change.day)
    feed.add_item(
        title=permitted(f"{source}: {one.name}, {day}"),
        link=root + one.url,
        description=permitted(render_to_string("search/_change_entry.html", {"one": one, "root": root})),
        unique_id=change.pk.urn,
        pubdate=change.noted_at,
        updateddate=change.updated_at,  # type: ignore[attr-defined]  # of `feed_entries`
        categories=[permitted(str(name)) for name in (source.get_kind_display(), source.topic, *source.labels.all())],
    )
