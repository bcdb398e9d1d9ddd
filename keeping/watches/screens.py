"""`/watches/`: what a person watches and what is new of it. Watching and ending, also of mails by their links."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kb_project.errors import ApiError, Invalid
from kb_project.isolates import safe_message
from kb_project.screens.access import signed_in
from kb_project.screens.dialogs import next_url
from kb_project.web.origins import origin_of
from keeping.models import Channel, Watch, Watcher
from keeping.watches import saved_searches, watching
from keeping.watches.kinds import KINDS, names_of, resolve_target
from keeping.watches.notifications.lines import Lines, NewsLine
from keeping.watches.notifications.links import feed_path, read_stop
from keeping.watches.notifications.news import news_of
from keeping.watches.targets import TargetLabel, VisibleTargets, WatchTarget
from search.shown.forms import SearchForm
from topics.scoping import searched, topics_to_choose

LINES = 5  # of one watch in sight
NUMBERS = {one.given for one in KINDS.values() if one.given.endswith("_id")}


@dataclass(frozen=True, slots=True)
class ShownWatch:
    """A watch as the page lists it. `named` is None where what is watched is not seen any more."""

    watch: Watch
    named: TargetLabel | None
    lines: list[NewsLine]

    @property
    def unread(self) -> int:
        return self.lines[0].news.unread if self.lines else 0

    @property
    def more(self) -> int:
        return self.lines[0].news.total - len(self.lines) if self.lines else 0


@require_safe
@signed_in
def watches(request: Any) -> HttpResponse:
    """The watches, those with news first."""
    visible = VisibleTargets(request.user)
    mine = {one.pk: one for one in watching.watches_of(request.user)}
    named = names_of(visible, mine.values())
    news = [one for one in news_of(visible, since="all", each=LINES) if one.watch_id in named]
    told: dict[int, list[NewsLine]] = {}
    for line in Lines().say(news, mine, visible=visible):
        told.setdefault(line.news.watch_id, []).append(line)
    shown = [ShownWatch(one, named.get(pk), told.get(pk, [])) for pk, one in mine.items()]
    watcher = Watcher.objects.filter(person=request.user).select_related("webhook").first()
    context = {
        "section": "watches",
        "shown": sorted(shown, key=lambda one: not one.unread),
        "newest": max((one.event_id for one in news), default=0),
        "ways": watching.ways(request.user),
        "feed": request.build_absolute_uri(feed_path(watcher)) if watcher else "",
        "webhook": getattr(watcher, "webhook", None),
        "has_unread": any(one.is_unread for one in news),
    }
    return render(request, "watches/watches.html", context)


@require_POST
@signed_in
def add(request: Any) -> HttpResponse:
    """Watch what the form names, and go back to the page that it stands on."""
    back = redirect(next_url(request, default="/watches/"))
    try:
        watch, is_new = watching.begin(watcher_at(request), target_of(request), _how(request))
    except ApiError as refusal:
        messages.error(request, refusal.detail)
        return back
    name = names_of(VisibleTargets(request.user), [watch]).get(watch.pk)
    sentence = _("You watch %(name)s now.") if is_new else _("You watch %(name)s already.")
    messages.success(request, safe_message(sentence, name=name.name if name else ""))
    return back


@require_POST
@signed_in
def change(request: Any, watch_id: int) -> HttpResponse:
    """Have a watch told otherwise."""
    watcher_at(request)
    watching.change(request.user, watch_id, _how(request))
    messages.success(request, _("You are told %(how)s.") % {"how": Channel(_how(request)).label})
    return redirect("watches")


@require_POST
@signed_in
def end(request: Any, watch_id: int) -> HttpResponse:
    """End a watch."""
    watching.end(request.user, watch_id)
    messages.success(request, _("The watch is ended."))
    return redirect(next_url(request, default="/watches/"))


@require_POST
@signed_in
def read(request: Any) -> HttpResponse:
    """Mark as read what the page showed: not what came since."""
    upto = request.POST.get("upto", "")
    if upto.isascii() and upto.isdecimal() and len(upto) < 19:
        watching.mark_read(request.user, int(upto))
    return redirect("watches")


@require_POST
@signed_in
def renew(request: Any) -> HttpResponse:
    """Give the feed another address."""
    watching.renew_feed(request.user)
    messages.success(request, _("The feed has another address. The one before leads nowhere."))
    return redirect("watches")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """End mails without signing in (RFC 8058): the address itself is the right to it, and gives no other.

    A program that only looks at links ends nothing.
    """
    read_token = read_stop(token)
    watcher = Watcher.objects.filter(person=read_token[0]).first() if read_token else None
    if read_token is None or watcher is None:
        return render(request, "watches/stop.html", {"section": "sign-in", "gone": True}, status=404)
    ended = request.method == "POST"
    if ended:
        watching.end_mails(*read_token)
    with translation.override(watcher.language):
        context = {"section": "sign-in", "ended": ended, "one": read_token[1] is not None}
        return render(request, "watches/stop.html", context)


def watcher_at(request: Any) -> Watcher:
    """Whoever is signed in, who is told in the language of this page."""
    return watching.note_watcher(request.user, language=get_language() or "en", service=f"{origin_of(request)}/")


def _how(request: HttpRequest) -> Channel:
    given = request.POST.get("how", Channel.PAGE)
    if given not in Channel.values:
        raise Invalid(_("There is no such way to be told."))
    return Channel(given)


def target_of(request: Any) -> WatchTarget:
    """What a form names. Raises ApiError for what is not there for its sender."""
    values: dict[str, Any] = {name: _number(request.POST[name]) for name in NUMBERS if request.POST.get(name)}
    values["eid"] = request.POST.get("eid", "")
    if asked := request.POST.get("search"):
        values["search"] = _search(request, asked)
    return resolve_target(VisibleTargets(request.user), values)


def stored_of(form: SearchForm) -> saved_searches.Stored:
    """The search of a valid form, as a watch keeps it."""
    values = form.cleaned_data
    return saved_searches.stored(
        query=form.query,
        topic_id=form.chosen_topic.pk if form.chosen_topic else None,
        label_slugs=[label.slug for label in form.chosen_labels],
        kinds=values["kind"],
        published_from=values["published_from"],
        published_to=values["published_to"],
        all_versions=values["versions"] == "all",
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Invalid(_("That cannot be watched."))
    return int(text)


def _search(request: Any, asked: str) -> saved_searches.Stored:
    """The search of a page, by the query of its address."""
    try:
        form = SearchForm(
            QueryDict(asked.removeprefix("?")), topics=topics_to_choose(request), searched=partial(searched, request)
        )
    except TooManyFieldsSent as error:
        raise Invalid(_("That cannot be watched.")) from error
    if not form.is_valid() or not form.query.strip():
        raise Invalid(_("That cannot be watched."))
    return stored_of(form)
