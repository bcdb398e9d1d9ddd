"""What pages of rooms below show of the proposals, without knowing this room."""

from typing import Any

from django import template

from ingest.review.proposal_weeks import proposal_weeks
from kb_project.screens.pictures import bars
from topics.models import Topic
from topics.scoping import limits

register = template.Library()


@register.inclusion_tag("review/_proposal_weeks.html", takes_context=True)
def proposals_by_week(context: dict[str, Any], topic: Topic | None) -> dict[str, Any]:
    """A picture and a table, of the topics in which the reader may see jobs, of these one if it is named."""
    within = limits(context["request"], right="ingest.view_job")
    chosen = within if topic is None else frozenset({topic.pk} if within is None or topic.pk in within else ())
    weeks = proposal_weeks(chosen)
    columns = {
        f"{one.begins.day}.{one.begins.month}": {"s2": one.unchanged, "s1": one.changed} for one in reversed(weeks)
    }
    return {"weeks": weeks, "picture": bars(columns)}
