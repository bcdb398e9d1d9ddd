"""Background work of notebooks."""

from kb_project.celery import app
from kb_project.database.work_queue import look_for
from keeping.notebooks import looking
from sources.tasks import go_on


@app.task
def look_at_notes() -> int:
    """Look at what notes cite of works that changed. Hinted at after a change, and while something is noted."""
    return go_on(look_at_notes, looking.work(), is_work_left=looking.QUEUE.exist)


@app.task
def look_at_days_of_notes() -> int:
    """Have the notes looked at that cite works of which a version began or ended in the last days."""
    noted = looking.note_begun()
    if noted:
        looking.hint()
    return noted


look_for(look_at_notes.name, looking.QUEUE.exist)
