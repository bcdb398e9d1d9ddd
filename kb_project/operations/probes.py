"""The probes: `/healthz` says that the process is up, `/readyz` that all it needs is there, or what is missing."""

import logging
from collections.abc import Sequence
from typing import Any

from django.db import DatabaseError
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from kb_project.api.problem import problem_of
from kb_project.api.strict import forbid_query
from kb_project.database.standbys import configured
from kb_project.database.standbys.watching import watch
from kb_project.errors import Unavailable
from kb_project.operations import readiness
from kb_project.operations.integrity.run import summary
from kb_project.web import draining

logger = logging.getLogger(__name__)


class Health(serializers.Serializer):
    """What a probe is told when all is well."""

    status = serializers.CharField()


_TOLD_TO = "Null but to those who may read the metrics."


class Probe(APIView):
    """Open to everyone and never throttled: whoever asks may be a machine that restarts us."""

    authentication_classes: Sequence[Any] = []
    permission_classes = []
    throttle_classes = []


class LastCheck(serializers.Serializer):
    """The latest run of the integrity checks, in short."""

    checked_at = serializers.DateTimeField()
    findings = serializers.IntegerField(help_text="Objects that were found wrong and not repaired.")
    failed = serializers.IntegerField(help_text="Checks that broke off.")


class StandbyState(serializers.Serializer):
    """A standby as the process that answers knows it."""

    name = serializers.CharField()
    is_read = serializers.BooleanField()
    lag_seconds = serializers.FloatField(
        allow_null=True, help_text="For how long at most the primary had what it has not; null when nobody knows."
    )
    trouble = serializers.CharField(help_text="Why it is not read.")


class IndexState(serializers.Serializer):
    """How far an index outside the database is."""

    waiting = serializers.IntegerField(
        allow_null=True,
        help_text=f"Changes that are still to be brought in. Until then searches read the database. {_TOLD_TO}",
    )


class MeaningState(serializers.Serializer):
    """How far the vectors are that follow the documents. By its words a passage is found at once."""

    passages = serializers.IntegerField(allow_null=True, help_text=f"In all topics. {_TOLD_TO}")
    vectors = serializers.IntegerField(
        allow_null=True, help_text=f"How many of them are found by their meaning. {_TOLD_TO}"
    )
    seconds_left = serializers.FloatField(allow_null=True, help_text="At the speed of late; null when nobody knows.")
    by_words = serializers.CharField(
        allow_null=True, help_text="Why there is no model of meanings, so that passages are found by their words alone."
    )


class Readiness(Health):
    """What `/readyz` says when all that the service needs is there."""

    integrity = LastCheck(allow_null=True, help_text="Null before the first run; never a reason not to be ready.")
    standbys = StandbyState(
        many=True, required=False, help_text="Those of `DATABASE_REPLICA_URLS`; never a reason not to be ready."
    )
    meaning = MeaningState(required=False, allow_null=True, help_text="Never a reason not to be ready.")
    index = IndexState(required=False, help_text="With `KB_INDEX=qdrant`; never a reason not to be ready.")


class Healthz(Probe):
    """The web process is up. 503 once it was asked to stop: a proxy sends new requests to another."""

    @extend_schema(responses=Health)
    def get(self, request: Request) -> HttpResponse | Response:
        forbid_query(request)
        if draining.draining_seconds() is not None:
            return problem_of(Unavailable("This process is stopping."))
        return Response({"status": "ok"})


class Readyz(Probe):
    """Database, broker, storage and a worker are there. Otherwise 503, with the failing parts under `checks`."""

    authentication_classes = api_settings.DEFAULT_AUTHENTICATION_CLASSES

    def perform_authentication(self, request: Request) -> None:
        """Not yet: it asks the database, which may be what is away."""

    @extend_schema(responses=Readiness)
    def get(self, request: Request) -> HttpResponse | Response:
        forbid_query(request)
        failed = readiness.failures()
        if failed:
            sentences = " ".join(f"{name}: {sentence}" for name, sentence in failed.items())
            return problem_of(Unavailable(f"Not ready. {sentences}", checks=failed))
        told = readiness.details(request)
        standbys = {"standbys": _standbys()} if configured() else {}
        return Response(Readiness({"status": "ready", "integrity": _last_check(), **standbys, **told}).data)


def _standbys() -> list[dict[str, Any]]:
    watching = watch()
    return [
        {
            "name": standby.alias,
            "is_read": not (trouble := watching.trouble(standby)),
            "lag_seconds": watching.lag_s(standby),
            "trouble": trouble,
        }
        for standby in watching.standbys
    ]


def _last_check() -> dict[str, Any] | None:
    try:
        return summary()
    except DatabaseError:
        logger.warning("The latest integrity run could not be read", exc_info=True)
        return None
