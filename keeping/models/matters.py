"""What a notebook holds beside its notes, and how far each person has looked at what became of it."""

from django.contrib.auth.models import User
from django.db import models
from django.db.models.functions import Now

from keeping.models.notebooks import Notebook
from keeping.models.watches import Watch


class NotebookWatch(models.Model):
    """A watch of the notebook's owner, a watched search among them, that belongs to the matter of the notebook."""

    notebook = models.ForeignKey(Notebook, on_delete=models.DO_NOTHING, related_name="+")
    watch = models.ForeignKey(Watch, on_delete=models.DO_NOTHING, related_name="+")
    added_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kb_notebook_watch"
        ordering = ["id"]
        indexes = [models.Index(fields=["watch"], name="kb_notebook_watch_watch_idx")]
        constraints = [models.UniqueConstraint(fields=["notebook", "watch"], name="kb_notebook_watch_key")]

    def __str__(self) -> str:
        return f"{self.notebook_id}: {self.watch_id}"


class NotebookLook(models.Model):
    """When a person looked at a notebook last, up to which `NoteEvent`. What came later is new to them."""

    notebook = models.ForeignKey(Notebook, on_delete=models.DO_NOTHING, related_name="+")
    person = models.ForeignKey(User, on_delete=models.DO_NOTHING, related_name="+")
    event_id = models.BigIntegerField(default=0)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kb_notebook_look"
        indexes = [models.Index(fields=["person"], name="kb_notebook_look_person_idx")]
        constraints = [models.UniqueConstraint(fields=["notebook", "person"], name="kb_notebook_look_key")]

    def __str__(self) -> str:
        return f"{self.notebook_id}: {self.person_id}"
