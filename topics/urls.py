"""Paths of topics and API keys: their screens, and the API of topics."""

from django.urls import path

from topics.api import AdminTopicDetail, AdminTopicList, AdminTopicMembers, TopicList
from topics.personal_keys import PersonalKey, PersonalKeys
from topics.screens import keys, topics

urlpatterns = [
    path("topics/", topics.topics, name="topic-list"),
    path("topics/new/", topics.make, name="topic-make"),
    path("topics/<int:topic_id>/", topics.change, name="topic-change"),
    path("topics/<int:topic_id>/members/", topics.members, name="topic-members"),
    path("account/keys/", keys.own_keys, name="account-keys"),
    path("account/keys/new/", keys.make_own, name="account-key-make"),
    path("account/keys/<int:key_id>/revoke/", keys.end_own, name="account-key-revoke"),
    path("kb/account/keys", PersonalKeys.as_view(), name="kb-account-keys"),
    path("kb/account/keys/<int:key_id>", PersonalKey.as_view(), name="kb-account-key"),
    path("keys/", keys.keys, name="keys"),
    path("keys/new/", keys.make, name="key-make"),
    path("keys/<int:key_id>/revoke/", keys.end, name="key-revoke"),
    path("kb/topics", TopicList.as_view(), name="topics"),
    path("admin/kb/topics", AdminTopicList.as_view(), name="admin-topics"),
    path("admin/kb/topics/<int:topic_id>", AdminTopicDetail.as_view(), name="admin-topic"),
    path("admin/kb/topics/<int:topic_id>/members", AdminTopicMembers.as_view(), name="admin-topic-members"),
]
