"""What the home page shows below its question: examples made of what is here, the latest changes, the topics."""

from collections.abc import Sequence
from dataclasses import dataclass

from law.citations.provision_names import citation
from law.structure.provisions import ProvisionKind
from search.screens.filters import Choices
from search.screens.forms import SearchForm
from sources.changes.listing import changes_in
from sources.kinds import SourceKind
from sources.models import Change, Provision, Source
from topics.models import Topic

MOST_CHANGES = 3
MOST_TOPICS = 8
MOST_CITATIONS = 2


@dataclass(frozen=True, slots=True)
class StartPage:
    """`examples` are queries that find something: citations of sections that are here, and a label."""

    examples: Sequence[str]
    changes: Sequence[Change]
    topics: Sequence[Topic]


def start_page(form: SearchForm, choices: Choices) -> StartPage:
    """Of the topics of a form without a query."""
    topics = list(form.topics)
    changes = changes_in(topics).select_related("source__topic")[:MOST_CHANGES]
    labels = [label.name for label in choices.labels[:1]]
    examples = dict.fromkeys([*_citations(topics), *labels])  # two versions of a law are cited alike
    return StartPage(list(examples), list(changes), topics[:MOST_TOPICS])


def _citations(topics: Sequence[Topic]) -> list[str]:
    """One of a section of each of the latest laws and regulations."""
    latest = Source.objects.filter(topic__in=topics, kind__in=[SourceKind.LAW, SourceKind.REGULATION]).order_by("-pk")
    return [citation(one, source=source) for source in latest[:MOST_CITATIONS] if (one := _first_section(source))]


def _first_section(source: Source) -> Provision | None:
    sections = Provision.objects.filter(source=source, kind=ProvisionKind.SECTION).exclude(heading="")
    return sections.order_by("position").first()
