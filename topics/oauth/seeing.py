"""Whether a person sees a topic, as `topics.access` decides it."""

from django.contrib.auth.models import User

from topics.access import visible_topics, who_asks
from topics.models import Topic


def may_see(person: User, topic: Topic) -> bool:
    return visible_topics(who_asks(person)).filter(pk=topic.pk).exists()
