"""What people watch, what happened to it, and what was told of that, also beside a notebook."""

from django.contrib.auth.models import User
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from ingest.webhooks.models import DeliveryFault, Receiver
from keeping.models.notebooks import Notebook
from keeping.models.tables import Table
from topics.models import Topic


class WatchKind(models.TextChoices):
    """What is watched."""

    TOPIC = "topic", _("Topic")
    WORK = "work", _("Document")
    PROVISION = "provision", _("Provision")
    LABEL = "label", _("Label")
    SEARCH = "search", _("Search")
    NOTEBOOK = "notebook", _("Notebook")
    TABLE = "table", _("Table")


class Channel(models.TextChoices):
    """How a person is told. What is told by mail is on the page too."""

    PAGE = "page", _("on the page")
    MAIL_NOW = "mail_now", _("by mail at once")
    MAIL_DAILY = "mail_daily", _("by mail once a day")
    MAIL_WEEKLY = "mail_weekly", _("by mail once a week")


class Sending(models.Model):
    """What is being sent to somebody, as `keeping.watches.notifications.sender` notes it.

    `sending_id` is the last event that it tells of. It stays until it is recorded, so that after a kill the same is
    sent again. Until `held_until` a process sends it, or it waits after a failure, of which there were `failures` in a
    row.
    """

    sending_id = models.BigIntegerField(null=True)
    held_until = models.DateTimeField(null=True)
    failures = models.IntegerField(default=0)

    class Meta:
        abstract = True


class Watcher(Sending):
    """A person who watches something. `language` and `service` are those of mails, as of the last change on a screen.

    `feed_nonce` makes the private address of the feed, and another one ends it. `daily_at` and `weekly_at` are the last
    turns of these mails. `sending` are the ways of telling that the mail is for that is being sent.
    """

    person = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="watcher")
    language = models.TextField()
    service = models.TextField(default="")
    feed_nonce = models.TextField()
    daily_at = models.DateTimeField(db_default=Now())
    weekly_at = models.DateTimeField(db_default=Now())
    sending = ArrayField(models.TextField(), default=list)
    mailed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "kb_watcher"

    def __str__(self) -> str:
        return str(self.person_id)


class WatchWebhook(Receiver, Sending):
    """The address to which a person has posted what their watches tell.

    After a failure `failing_since` is when the first in a row was, and `answer_status` and `fault` say what the last
    was. When they have lasted, it is not `enabled` any more.
    """

    # Whoever signs in may give an address, so what managers may call is not opened to them.
    NETWORKS = "KB_WATCH_WEBHOOK_NETWORKS"

    watcher = models.OneToOneField(Watcher, on_delete=models.CASCADE, primary_key=True, related_name="webhook")
    enabled = models.BooleanField(default=True)
    made_at = models.DateTimeField(db_default=Now())
    sent_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    answer_status = models.IntegerField(null=True)
    fault = models.CharField(max_length=20, default="")

    class Meta:
        db_table = "kb_watch_webhook"

    def __str__(self) -> str:
        return str(self.watcher_id)

    @property
    def why(self) -> str:
        """What was wrong with the last attempt, in the reader's language, empty when nothing was."""
        return str(DeliveryFault(self.fault).label) if self.fault else ""


class Watch(models.Model):
    """What a person watches, by its kind: a topic, a work, `eid` of a work, a label, a search, a notebook,
    a table.

    `eid` is the address in the version `source_id`, where that is known, and both follow the provision. A label is kept
    by its slug, which still leads to it when it is renamed or merged. `search` is what
    `keeping.watches.saved_searches` reads. Works may be gone. `key` says what is watched, once for each person.

    The events up to `read_id` were marked as read, those up to `mailed_id` were mailed, and those up to `posted_id`
    were posted to the webhook of the person. Those up to `looked_id` were looked at for what newly matches a search.
    `seen` are the works that matched it, and with `is_wide` more match than are looked at.
    """

    watcher = models.ForeignKey(Watcher, on_delete=models.CASCADE, related_name="watches")
    kind = models.CharField(max_length=20, choices=WatchKind.choices)
    key = models.TextField()
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, null=True, related_name="+")
    work_id = models.BigIntegerField(null=True)
    eid = models.TextField(default="")
    source_id = models.BigIntegerField(null=True)
    label_slug = models.TextField(default="")
    search = models.JSONField(null=True)
    notebook = models.ForeignKey(Notebook, on_delete=models.CASCADE, null=True, related_name="+")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, related_name="+")
    how = models.CharField(max_length=20, choices=Channel.choices, default=Channel.PAGE)
    made_at = models.DateTimeField(db_default=Now())
    read_id = models.BigIntegerField(default=0)
    mailed_id = models.BigIntegerField(default=0)
    posted_id = models.BigIntegerField(default=0, db_default=0)
    looked_id = models.BigIntegerField(default=0)
    seen = ArrayField(models.BigIntegerField(), default=list)
    is_wide = models.BooleanField(default=False)

    class Meta:
        db_table = "kb_watch"
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["topic"], name="kb_watch_topic_idx"),
            models.Index(fields=["notebook"], name="kb_watch_notebook_idx"),
            models.Index(fields=["table"], name="kb_watch_table_idx"),
            models.Index(fields=["work_id"], name="kb_watch_work_idx", condition=models.Q(work_id__isnull=False)),
        ]
        constraints = [
            models.UniqueConstraint(fields=["watcher", "key"], name="kb_watch_once"),
            models.CheckConstraint(condition=models.Q(kind__in=WatchKind.values), name="kb_watch_kind_check"),
            models.CheckConstraint(condition=models.Q(how__in=Channel.values), name="kb_watch_how_check"),
        ]

    def __str__(self) -> str:
        return f"{self.watcher_id}: {self.key}"


class EventType(models.TextChoices):
    """What happened to what may be watched."""

    DOCUMENT = "document", _("New document")
    LABELLED = "labelled", _("New with this label")
    CHANGE = "change", _("Change")
    MATCH = "match", _("New match")
    NOTE = "note", _("A note does not stand as it did")
    LOOK = "look", _("To be looked at")  # by searches; nobody is told of it


class WatchEvent(models.Model):
    """What happened to a document, found once. Ids rise in the order in which events can be read.

    `key` says what it is, so that it is told once. Of a change `ends` says whether the version begins or ends on `day`,
    `eids` are the provisions that differ, by their addresses before and since, and they are all only if `is_whole`.
    A match is for one `watch` alone, what became of a note for its `notebook`. The document may be gone.
    """

    key = models.TextField(null=True, unique=True)  # noqa: DJ001  what is not told has none
    what = models.CharField(max_length=20, choices=EventType.choices)
    at = models.DateTimeField(db_default=Now())
    work_id = models.BigIntegerField()
    source_id = models.BigIntegerField()
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="+")
    ends = models.BooleanField(default=False)
    day = models.DateField(null=True)
    eids = ArrayField(models.TextField(), default=list)
    is_whole = models.BooleanField(default=True)
    label_id = models.BigIntegerField(null=True)
    watch = models.ForeignKey(Watch, on_delete=models.CASCADE, null=True, related_name="+")
    notebook = models.ForeignKey(Notebook, on_delete=models.CASCADE, null=True, related_name="+")
    note_id = models.BigIntegerField(null=True)
    became = models.TextField(default="")

    class Meta:
        db_table = "kb_watch_event"
        ordering = ["id"]
        indexes = [
            models.Index(fields=["work_id", "id"], name="kb_watch_event_work_idx"),
            models.Index(fields=["topic", "id"], name="kb_watch_event_topic_idx"),
            models.Index(fields=["watch", "id"], name="kb_watch_event_watch_idx"),
            models.Index(fields=["notebook", "id"], name="kb_watch_event_notebook_idx"),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(what__in=EventType.values), name="kb_watch_event_what_check")
        ]

    def __str__(self) -> str:
        return f"{self.what}: {self.source_id}"


class WatchWork(models.Model):
    """Something that happened to a work, and is not an event yet. Triggers write these rows.

    `what` is a `EventType`. `source_id` is the document that is new, that has a label, or of which a change was found
    or begins. Of a look it is the one that has another text, or values by which searches are narrowed.
    """

    work_id = models.BigIntegerField()
    what = models.CharField(max_length=20)
    source_id = models.BigIntegerField(null=True)
    label_id = models.BigIntegerField(null=True)
    note_event_id = models.BigIntegerField(null=True)

    class Meta:
        db_table = "kb_watch_work"
        ordering = ["id"]
        indexes = [models.Index(fields=["work_id"], name="kb_watch_work_noted_idx")]

    def __str__(self) -> str:
        return f"{self.what}: {self.work_id}"


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
