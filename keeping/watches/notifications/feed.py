"""`/watches/feed/{token}/`: what is new of what a person watches, as Atom (RFC 4287), at an address of their own."""

import hashlib
from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from kb_project.web.origins import origin_of
from keeping.models import Watch, Watcher
from keeping.watches import watching
from keeping.watches.kinds import names_of
from keeping.watches.notifications.alarms import Alarm, alarms
from keeping.watches.notifications.lines import Lines
from keeping.watches.notifications.links import read_feed
from keeping.watches.notifications.news import news_of
from keeping.watches.targets import VisibleTargets
from reading.akn.elements import permitted
from reading.changes.feed import NewsFeed
from search.shown.access import counted

ENTRIES = 50


@require_safe
@counted
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """The newest `ENTRIES`, in the language of the person's mails, one for a document and its day.

    304 for who has them. The address opens it.
    """
    watcher = read_feed(token)
    if watcher is None:
        raise Http404
    with translation.override(watcher.language):
        made = _feed(request, watcher)
    response = HttpResponse(made.writeString("utf-8"), content_type=made.content_type)
    etag = quote_etag(hashlib.sha256(response.content).hexdigest())
    answer = get_conditional_response(request, etag=etag, response=response) or response
    answer["ETag"], answer["Content-Language"], answer["Cache-Control"] = etag, watcher.language, "private, no-cache"
    return answer


def _feed(request: HttpRequest, watcher: Watcher) -> NewsFeed:
    visible = VisibleTargets(watcher.person)
    mine: Mapping[int, Watch] = {one.pk: one for one in watching.watches_of(watcher.person)}
    named = names_of(visible, mine.values())
    news = [one for one in news_of(visible, since="all", each=ENTRIES) if one.watch_id in named]
    newest = sorted(news, key=lambda one: one.event_id, reverse=True)[:ENTRIES]
    root = origin_of(request)
    made = NewsFeed(
        title=f"{_('Your watches')} · {_('Legal knowledge base')}",
        link=root + reverse("watches"),
        description=None,
        language=watcher.language,
        author_name=_("Legal knowledge base"),
        feed_url=root + request.get_full_path(),
        feed_guid=f"{root}{reverse('watches')}#{watcher.pk}",
    )
    said = [(named[line.news.watch_id].name, line) for line in Lines().say(newest, mine, visible=visible)]
    for alarm in alarms(said):
        _add(made, alarm, root=root)
    return made


def _add(made: NewsFeed, alarm: Alarm, *, root: str) -> None:
    line = alarm.first
    made.add_item(
        title=permitted(f"{line.title}: {line.said}"),
        link=root + line.url,
        description=permitted(" · ".join(f"{name}: {more}" if more else name for name, more, _ in alarm.details)),
        unique_id=f"{root}{reverse('watches')}#{alarm.key}",
        pubdate=line.at,
        updateddate=line.at,
    )
