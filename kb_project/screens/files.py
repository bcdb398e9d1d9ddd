"""Files that a form brings, and that a preview carries on to the step that takes them over."""

import base64

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _

from kb_project.errors import Invalid


def chosen_file(request: HttpRequest, *, largest: int) -> bytes:
    """At most `largest` + 1 bytes of the field `file`, or what `carried` has of a file. Raises Invalid for neither."""
    file = request.FILES.get("file")
    if isinstance(file, UploadedFile):
        return file.read(largest + 1)
    try:
        content = base64.b64decode(request.POST.get("carried", ""), validate=True)
    except ValueError as error:
        raise Invalid(_("Choose a file.")) from error
    if not content:
        raise Invalid(_("Choose a file."))
    return content


def carried(content: bytes) -> str:
    """The file as the field `carried` has it."""
    return base64.b64encode(content).decode()
