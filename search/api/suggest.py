"""GET /kb/suggest: what somebody may mean who is still typing."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import StrictSerializer, query_params
from kb_project.api.throttles import PublicThrottle
from kb_project.database.standbys.reading import from_standby
from search.shown.serializers import PROVISION_KINDS, LabelCardSerializer
from search.suggestions import LONGEST, MOST, suggest
from sources.scope import Scope
from topics.scoping import TopicFirst, searched


class TitleSuggestionSerializer(serializers.Serializer[Any]):
    source_id = serializers.IntegerField()
    title = serializers.CharField()
    url = serializers.CharField(help_text="The path of the document's page.")


class ProvisionSuggestionSerializer(serializers.Serializer[Any]):
    source_id = serializers.IntegerField()
    eid = serializers.CharField()
    kind = serializers.ChoiceField(PROVISION_KINDS)
    number = serializers.CharField(help_text="As printed.")
    heading = serializers.CharField()
    title = serializers.CharField(help_text="Of its document.")
    url = serializers.CharField(help_text="The path of the document's page at the provision.")


class Suggest(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    class Query(StrictSerializer):
        q = serializers.CharField(allow_blank=True, max_length=LONGEST, help_text="What was typed so far.")
        topic_id = serializers.IntegerField(required=False)

    class Output(serializers.Serializer[Any]):
        titles = TitleSuggestionSerializer(many=True, help_text=f"At most {MOST}, the best first; so are the others.")
        provisions = ProvisionSuggestionSerializer(many=True)
        labels = LabelCardSerializer(many=True)

    @extend_schema(operation_id="kb_suggest", parameters=[Query], responses=Output, filters=False)
    @from_standby
    def get(self, request: Request) -> Response:
        """Documents, provisions and labels with words that begin as those typed. Sections as they are cited."""
        typed = query_params(request, self.Query)["q"]
        found = suggest(typed, scope=Scope(**searched(request, self.topic)))
        return Response(self.Output(found).data)
