"""`GET /metrics`: all metrics for Prometheus, to admin keys, to staff who may see jobs, and to this machine."""

from __future__ import annotations

from ipaddress import ip_address

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from kb_project.api.strict import refuse_query
from kb_project.errors import PermissionDenied
from kb_project.observability.metrics import exposition
from topics.scoping import pinned_topic_id

FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


class MayReadMetrics(BasePermission):
    """403 for everyone else: they tell of every topic, so a key that is pinned to one may not read them."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        user = request.user
        staff = user and user.is_authenticated and user.is_active and user.is_staff
        if staff and user.has_perm("ingest.view_job") and pinned_topic_id(request) is None:
            return True
        if not (user and user.is_authenticated) and _from_this_machine(request):
            return True
        raise PermissionDenied("Metrics are for admin keys, for staff who may see jobs, and for this machine itself.")


class Metrics(APIView):
    permission_classes = [MayReadMetrics]
    throttle_classes = []

    @extend_schema(exclude=True)  # its form is that of Prometheus
    def get(self, request: Request) -> HttpResponse:
        refuse_query(request)
        content, content_type = exposition(request.headers.get("Accept", ""))
        return HttpResponse(content, content_type=content_type, headers={"Cache-Control": "no-store"})


def _from_this_machine(request: Request) -> bool:
    """Whether a process of this machine asks for itself; a reverse proxy here would pass on what others ask."""
    if any(name in request.META for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
