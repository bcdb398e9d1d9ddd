"""Files that a form brings, and that a preview carries on to the step that takes them over."""

import base64
from collections.abc import Sequence
from typing import Any, Protocol

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _

from kb_project.errors import Invalid

SHOWN = 200  # changes of a preview


class Change(Protocol):
    """What a row of a file does: it changes what was there `before`, or makes what is new."""

    @property
    def before(self) -> object | None: ...


def chosen_file(request: HttpRequest, *, largest: int) -> bytes:
    """At most `largest` + 1 bytes of the field `file`, or what a preview carries. Raises Invalid for neither."""
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


def preview(changes: Sequence[Change], *, rows: int, content: bytes) -> dict[str, Any]:
    """What `import.html` shows of the changes that a file of so many rows makes, and the file for the next step."""
    return {
        "changes": changes[:SHOWN],
        "new": sum(change.before is None for change in changes),
        "changed": sum(change.before is not None for change in changes),
        "same": rows - len(changes),
        "more": max(0, len(changes) - SHOWN),
        "carried": base64.b64encode(content).decode(),
        "previewed": True,
    }
