"""Paths of the topics API."""

from django.urls import path

from topics.api import AdminTopicDetail, AdminTopicList, TopicList

urlpatterns = [
    path("kb/topics", TopicList.as_view(), name="topics"),
    path("admin/kb/topics", AdminTopicList.as_view(), name="admin-topics"),
    path("admin/kb/topics/<int:topic_id>", AdminTopicDetail.as_view(), name="admin-topic"),
]
