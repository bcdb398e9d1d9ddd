"""`/documents/{id}/beside/`: two provisions side by side, of one document or of two."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from law.citations.provision_names import citation
from search.shown.access import of_source
from search.shown.law_day import law_day
from sources import provisions
from sources.citations import find_provisions
from sources.models import Provision, Source
from sources.provisions import MAX_EID_LENGTH, address
from sources.scope import Scope
from topics.scoping import searched, within_topics

MAX_CITATION_LENGTH = 500  # characters


class BesideForm(forms.Form):
    """One provision by its `eid`, and the `other` with `other_eid`, or the words `q` that cite it."""

    eid = forms.CharField(max_length=MAX_EID_LENGTH)
    other = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    other_eid = forms.CharField(required=False, max_length=MAX_EID_LENGTH)
    q = forms.CharField(required=False, max_length=MAX_CITATION_LENGTH)


@dataclass(frozen=True)
class ProvisionBeside:
    """A provision in its column."""

    source: Source
    provision: Provision
    text: str
    is_cut: bool

    @property
    def url(self) -> str:
        return address(self.source.pk, self.provision.eid)

    @property
    def cited(self) -> str:
        return citation(self.provision, source=self.source) or str(self.source)


@of_source
def beside(request: HttpRequest, source: Source) -> HttpResponse:
    """Two columns, and a field for a citation of what is to stand in the second."""
    form = BesideForm(request.GET)
    given: dict[str, Any] = form.cleaned_data if form.is_valid() else {}
    first = _column(source, given.get("eid", "")) if given else None
    if first is None:
        return render(request, "search/document_gone.html", status=404)
    second, refused = None, ""
    if given["q"].strip():
        place = _cited(request, source, given["q"])
        if place is not None:
            asked = {"eid": given["eid"], "other": place[0], "other_eid": place[1]}
            return redirect(f"{reverse('document-beside', args=[source.pk])}?{urlencode(asked)}")
        refused = _("No single provision here is meant by that. Say its number and its law.")
    elif given["other"]:
        other = within_topics(Source.objects.select_related("topic"), request).filter(pk=given["other"]).first()
        second = _column(other, given["other_eid"]) if other else None
        refused = "" if second else _("That provision is not here any more.")
    context = {
        "section": "documents",
        "source": source,
        "columns": [first, *([second] if second else [])],
        "second": second,
        "eid": given["eid"],
        "q": given["q"],
        "refused": refused,
    }
    return render(request, "search/beside.html", context)


def _column(source: Source, eid: str) -> ProvisionBeside | None:
    read = provisions.read(source.pk, eid)
    return ProvisionBeside(source, read.provision, read.text, read.truncated) if read else None


def _cited(request: HttpRequest, source: Source, words: str) -> tuple[int, str] | None:
    """The one provision that is cited, of this document where the words name no other."""
    scope = Scope(**searched(request, None), as_of=law_day(request) or timezone.localdate())
    for text in (words, f"{words} {source.title}"):
        found = [one for one in find_provisions(text, scope=scope).found if one.eid]
        if len(found) == 1:
            return found[0].source.pk, found[0].eid
    return None
