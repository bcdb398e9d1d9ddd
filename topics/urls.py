"""Paths of the topics API."""

from django.urls import path

from topics.admin_api import AdminTopicDetail, AdminTopicList
from topics.api import TopicList

urlpatterns = [
    path("kb/topics", TopicList.as_view(), name="topics"),
    path("admin/kb/topics", AdminTopicList.as_view(), name="admin-topics"),
    path("admin/kb/topics/<int:topic_id>", AdminTopicDetail.as_view(), name="admin-topic"),
]
