"""`/kb/account/keys`: keys that act as the person who made them, for programs and agents."""

from typing import cast

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.accounts.second_look import confirm_path, is_recent
from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.strict import StrictSerializer, body, forbid_body, query_params
from kb_project.api.throttles import PublicThrottle
from kb_project.errors import NotFound, PermissionDenied
from topics.keys import keys_of, make_personal_key, revoke
from topics.models import ApiKey

WITHOUT_LAST_DAY = "Without one it works until revoked; with rights, for `KB_ADMIN_KEY_DAYS` (365) days."


class SignedIn(BasePermission):
    """A person in a browser. No key makes or ends keys."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(request.user and request.user.is_authenticated and getattr(request.user, "key", None) is None)


def _person(request: Request) -> User:
    return cast(User, request.user)  # `SignedIn` lets nobody else come this far


class PersonalKeySerializer(serializers.ModelSerializer[ApiKey]):
    """A key that acts as its person."""

    with_rights = serializers.BooleanField(
        source="admin", help_text="Whether it may do what its person may, not only read."
    )
    state = serializers.CharField()

    class Meta:
        model = ApiKey
        fields = ["id", "name", "prefix", "with_rights", "state", "created_at", "expires_at", "last_used_at"]
        read_only_fields = fields


class NewPersonalKeySerializer(PersonalKeySerializer):
    """With the key itself, which is in no later answer."""

    key = serializers.CharField()

    class Meta(PersonalKeySerializer.Meta):
        fields = [*PersonalKeySerializer.Meta.fields, "key"]
        read_only_fields = fields


class PersonalKeyInput(StrictSerializer):
    name = serializers.CharField(max_length=200)
    with_rights = serializers.BooleanField(default=False)
    last_day = serializers.DateField(required=False, allow_null=True, help_text=WITHOUT_LAST_DAY)


class PersonalKeys(APIView):
    permission_classes = [SignedIn]
    throttle_classes = [PublicThrottle]

    @extend_schema(
        operation_id="kb_account_keys_list", parameters=[PageQuery], responses=PersonalKeySerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """The caller's own keys, the newest first."""
        query_params(request, PageQuery)
        return page_response(request, keys_of(_person(request)), serializer_class=PersonalKeySerializer)

    @extend_schema(
        operation_id="kb_account_keys_create", request=PersonalKeyInput, responses={201: NewPersonalKeySerializer}
    )
    def post(self, request: Request) -> Response:
        """Make a key that acts as the caller, who signed in some minutes ago at most. It ends with their account."""
        if not is_recent(request._request):
            path = confirm_path(then="/account/keys/")
            raise PermissionDenied(f"You signed in a while ago. Show your password again at {path}")
        given = body(request, PersonalKeyInput)
        key, plaintext = make_personal_key(
            _person(request), given["name"], with_rights=given["with_rights"], last_day=given.get("last_day")
        )
        key.key = plaintext  # type: ignore[attr-defined]  # what the answer shows once
        response = Response(NewPersonalKeySerializer(key).data, status=status.HTTP_201_CREATED)
        response["Cache-Control"] = "no-store"
        return response


class PersonalKey(APIView):
    permission_classes = [SignedIn]
    throttle_classes = [PublicThrottle]

    @extend_schema(operation_id="kb_account_keys_revoke", request=None, responses={204: None})
    def delete(self, request: Request, key_id: int) -> Response:
        """Revoke a key of one's own. It opens nothing from the next request on."""
        forbid_body(request)
        key = keys_of(_person(request)).filter(pk=key_id).first()
        if key is None:
            raise NotFound("There is no such key.")
        revoke(key, by=request.user.get_username())
        return Response(status=status.HTTP_204_NO_CONTENT)
