"""Paths of the topics API."""

from django.urls import path

from topics.api import TopicList

urlpatterns = [
    path("kb/topics", TopicList.as_view(), name="topics"),
]
