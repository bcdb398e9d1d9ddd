"""What lies in the file store: listing an area by kind, and taking in the legacy inbox."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingest.api.serializers import AreaSerializer, ScanSerializer
from ingest.intake.scan import scan_inbox
from kb_project.api.strict import StrictSerializer, body, query_params
from kb_project.errors import NotFound
from sources.listing import files_by_kind
from sources.storage import Area
from topics.models import INITIAL_TOPIC_ID
from topics.scoping import TopicFirst, require_topic


class StorageArea(TopicFirst, APIView):
    needs = {"GET": "ingest.view_job"}

    class Query(StrictSerializer):
        topic_id = serializers.IntegerField(required=False)

    @extend_schema(operation_id="admin_kb_storage_retrieve", parameters=[Query], responses=AreaSerializer)
    def get(self, request: Request, area: str) -> Response:
        """The files of an area (`inbox`, `processed` or `failed`), one group for each kind."""
        query_params(request, self.Query)
        if area not in list(Area):
            raise NotFound("There is no such area.")
        kinds = files_by_kind(Area(area), topic=self.topic)
        return Response(AreaSerializer({"area": area, "kinds": kinds}).data)


class ScanInbox(APIView):
    needs = {"POST": "ingest.add_job"}

    class Input(StrictSerializer):
        dry_run = serializers.BooleanField(default=False, help_text="Only say what would be done.")

    @extend_schema(operation_id="scan_inbox", request=Input, responses={202: ScanSerializer})
    def post(self, request: Request) -> Response:
        """Take the files of the legacy inbox, `inbox/<kind>/`, into topic 1, each under the kind of its folder."""
        given = body(request, self.Input)
        require_topic(request, INITIAL_TOPIC_ID)  # refuses a key that is pinned to another topic
        scan = scan_inbox(by=request.user.get_username(), dry_run=given["dry_run"])
        return Response(ScanSerializer(scan).data, status=status.HTTP_202_ACCEPTED)


@extend_schema_view(post=extend_schema(operation_id="admin_kb_scan_inbox"))
class AdminScanInbox(ScanInbox):
    """The same, below the other admin paths."""
