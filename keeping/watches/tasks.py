"""Background work of watches."""

from django.conf import settings

from kb_project.celery import app
from kb_project.database.work_queue import look_for
from kb_project.hints import send_hint
from keeping.watches import background
from keeping.watches.notifications.mailing import Mails
from keeping.watches.notifications.posting import Posts
from sources.tasks import go_on

HINT_EXPIRES_S = 60


@app.task
def work_on_watches() -> int:
    """Find what happened to what is watched. Hinted at while something is noted, and goes on while there is more."""
    return go_on(work_on_watches, background.work(), is_work_left=background.is_work_left)


@app.task
def look_at_days_of_watches() -> int:
    """Have the changes told of that were known before, and whose day came."""
    return background.note_begun()


@app.task(name=settings.KB_WATCH_MAIL_TASK)
def send_watch_mails() -> int:
    """Send the digests that are due. It waits for the mail server, so it has the queue of webhooks."""
    return Mails.send()


@app.task(name=settings.KB_WATCH_POST_TASK)
def post_to_watchers() -> int:
    """Post what is due to the webhooks of people. Only classifiers consume this task's queue."""
    return Posts.send()


@app.task(expires=60)
def look_for_watch_mails() -> bool:
    """Hint where a mail, or a message to the webhook of a person, is due. Sent by beat, to any worker."""
    channels = ((settings.KB_WATCH_MAIL_TASK, Mails), (settings.KB_WATCH_POST_TASK, Posts))
    due = [task for task, channel in channels if channel.is_due()]
    for task in due:
        send_hint(task, expires=HINT_EXPIRES_S)
    return bool(due)


@app.task(expires=3600)
def tidy_watches() -> int:
    """Forget what happened long ago. Sent by beat once a day."""
    return background.forget_old()


look_for(work_on_watches.name, background.is_work_left)
