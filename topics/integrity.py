"""Who may read what is told of all topics together: `/metrics`, and the counts of the readiness probe."""

from ipaddress import ip_address

from rest_framework.exceptions import APIException
from rest_framework.request import Request

from kb_project.operations import readiness
from topics.scoping import limits

RIGHT = "ingest.view_job"
FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


def may_read_counts(request: Request) -> bool:
    """Admin keys and staff who see the jobs of all topics, and a process of this machine that says nothing of itself.

    Raises what the authentication does.
    """
    user = request.user
    if not (user and user.is_authenticated):
        return _from_this_machine(request)
    return bool(user.is_active and user.is_staff and user.has_perm(RIGHT) and limits(request, right=RIGHT) is None)


def told_in_probe(request: Request) -> bool:
    """The same, for a probe: what is no key there is nobody, and no reason not to be ready."""
    try:
        return may_read_counts(request)
    except APIException:
        return False


def _from_this_machine(request: Request) -> bool:
    """Whether a process of this machine asks for itself. A reverse proxy here would pass on what others ask."""
    if any(name in request.META for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


readiness.may_read_counts[:] = [told_in_probe]
