"""Paths of topics and API keys: their screens, and the API of topics."""

from django.urls import path

from topics.api import AdminTopicDetail, AdminTopicList, TopicList
from topics.screens import key_views, topic_views

urlpatterns = [
    path("topics/", topic_views.topics, name="topic-list"),
    path("topics/new/", topic_views.make, name="topic-make"),
    path("topics/<int:topic_id>/", topic_views.change, name="topic-change"),
    path("keys/", key_views.keys, name="keys"),
    path("keys/new/", key_views.make, name="key-make"),
    path("keys/<int:key_id>/revoke/", key_views.end, name="key-revoke"),
    path("kb/topics", TopicList.as_view(), name="topics"),
    path("admin/kb/topics", AdminTopicList.as_view(), name="admin-topics"),
    path("admin/kb/topics/<int:topic_id>", AdminTopicDetail.as_view(), name="admin-topic"),
]
