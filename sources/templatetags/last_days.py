"""The filter `last_day`: a period is kept until before a day, and people name the last day of it."""

from datetime import date, timedelta

from django import template

register = template.Library()


@register.filter
def last_day(until: date | None) -> date | None:
    """The day before the one that a period ends before."""
    return until - timedelta(days=1) if until and until > date.min else None
