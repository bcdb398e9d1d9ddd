"""Settings of Celery, of its schedule and of the workers. `kb_project.settings` takes them all over."""

import os

from kb_project.configuration.environment import env
from kb_project.configuration.provider_settings import KB_CLASSIFY_CONCURRENCY, KB_TABLE_CONCURRENCY

KB_PRIORITY_HOUSEKEEPING, KB_PRIORITY_DOCUMENTS, KB_PRIORITY_IDLE = 0, 5, 9  # of tasks; the lower goes first
# Jobs that are to be classified have a queue and a worker of their own: its calls wait for a provider (docs/adr/0004).
KB_CLASSIFY_TASK, KB_CLASSIFY_QUEUE = "ingest.tasks.classify", "classify"
# So do webhooks, whose receivers are waited for in further threads of the same process.
KB_WEBHOOK_TASK, KB_WEBHOOK_QUEUE, KB_WEBHOOK_SENDERS = "ingest.webhooks.tasks.deliver", "webhooks", 2
# What watches tell by mail and to the webhooks of people waits for others in the same threads.
KB_WATCH_MAIL_TASK = "keeping.watches.tasks.send_watch_mails"
KB_WATCH_POST_TASK = "keeping.watches.tasks.post_to_watchers"
# And so do vectors, which an embedder makes that is waited for.
KB_VECTOR_TASK, KB_VECTOR_QUEUE, KB_VECTOR_FILLERS = "search.tasks.fill_vectors", "vectors", 1
# And checks of texts: models are waited for, and one text at a time takes a processor.
KB_CHECK_TASK, KB_CHECK_QUEUE, KB_CHECKERS = "answers.checking.tasks.run_checks", "checks", 4
# And cells of tables.
KB_TABLE_TASK, KB_TABLE_QUEUE = "keeping.tables.tasks.fill_cells", "tables"
KB_SURVEY_TASK = "keeping.surveys.tasks.make_surveys"
KB_CLASSIFIER_QUEUES = [KB_CLASSIFY_QUEUE, KB_WEBHOOK_QUEUE, KB_VECTOR_QUEUE, KB_CHECK_QUEUE, KB_TABLE_QUEUE]
KB_CLASSIFIER_THREADS = (
    KB_CLASSIFY_CONCURRENCY + KB_WEBHOOK_SENDERS + KB_VECTOR_FILLERS + KB_CHECKERS + KB_TABLE_CONCURRENCY
)
CELERY_TASK_ROUTES = {
    KB_CLASSIFY_TASK: {"queue": KB_CLASSIFY_QUEUE},
    KB_WEBHOOK_TASK: {"queue": KB_WEBHOOK_QUEUE},
    KB_WATCH_MAIL_TASK: {"queue": KB_WEBHOOK_QUEUE},
    KB_WATCH_POST_TASK: {"queue": KB_WEBHOOK_QUEUE},
    KB_VECTOR_TASK: {"queue": KB_VECTOR_QUEUE},
    KB_CHECK_TASK: {"queue": KB_CHECK_QUEUE},
    KB_TABLE_TASK: {"queue": KB_TABLE_QUEUE},
    KB_SURVEY_TASK: {"queue": KB_TABLE_QUEUE},
}
CELERY_TASK_IGNORE_RESULT = True  # the job's row says how it went; the broker only carries hints
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = env.int("KB_TASK_TIME_LIMIT_S", default=3600)
CELERY_TASK_SOFT_TIME_LIMIT = CELERY_TASK_TIME_LIMIT - 60
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": CELERY_TASK_TIME_LIMIT + 600,  # longer than any task, else it would run twice
    "socket_timeout": 30,
    "socket_connect_timeout": 5,
    # Lists under one queue: housekeeping must not wait behind ten thousand documents.
    "priority_steps": [KB_PRIORITY_HOUSEKEEPING, KB_PRIORITY_DOCUMENTS, KB_PRIORITY_IDLE],
    "queue_order_strategy": "priority",
    "sep": ":",
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A request waits for one try, of two seconds at most (`kb_project.celery`).
CELERY_TASK_PUBLISH_RETRY = False
# A worker keeps its connection to the database from task to task, as `kb_project.celery` looks after it. Celery itself
# closes it around every task unless a number of uses is given.
CELERY_DB_REUSE_MAX = 1_000_000_000
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 2000
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 30
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
KB_BEAT_PERIODIC = (  # name, task, seconds between two starts over all beats
    ("sweep", "ingest.tasks.sweep", env.float("KB_SWEEP_INTERVAL_S", default=15.0)),
    ("maintain-index-thoroughly", "search.tasks.maintain_index_thoroughly", 60.0),
    ("noted-work", "kb_project.tasks.look_for_work", 5.0),
    ("radar-days", "sources.tasks.look_at_days", 3600.0),
    ("notes-days", "keeping.notebooks.tasks.look_at_days_of_notes", 3600.0),
    ("watch-days", "keeping.watches.tasks.look_at_days_of_watches", 3600.0),
    ("watch-mails", "keeping.watches.tasks.look_for_watch_mails", 15.0),
    ("table-rows", "keeping.tables.tasks.look_for_rows", 30.0),
    ("tidy-watches", "keeping.watches.tasks.tidy_watches", 24 * 3600.0),
    ("tidy-webhooks", "ingest.webhooks.tasks.tidy", 3600.0),
    ("empty-trash", "ingest.tasks.empty_trash", 3600.0),
    ("let-go-of-discarded", "ingest.tasks.let_go_of_discarded", 30.0),
    ("forget-old-traces", "answers.tasks.forget_old_traces", 24 * 3600.0),
    ("forget-lost-highlights", "keeping.highlights.tasks.forget_lost_highlights", 24 * 3600.0),
    ("tidy-checks", "answers.checking.tasks.tidy_checks", 60.0),
    ("clear-sessions", "kb_project.tasks.clear_sessions", 24 * 3600.0),
    ("check-integrity", "kb_project.tasks.check_integrity", 3600.0),
)
KB_BEAT_PERIODS_S = {name: seconds for name, _, seconds in KB_BEAT_PERIODIC}
KB_BEAT_AT_MIDNIGHT = {"radar-days", "notes-days", "watch-days"}  # also once more when a day begins
_LOOKED_FOR_MIDNIGHT_S = 10.0
CELERY_BEAT_SCHEDULER = "kb_project.operations.beat_scheduler:SharedScheduler"
CELERY_BEAT_SCHEDULE = {
    name: {
        "task": task,
        # Beats remember nothing, and one may be started anew every few hours: they look oftener than once a day.
        "schedule": _LOOKED_FOR_MIDNIGHT_S if name in KB_BEAT_AT_MIDNIGHT else min(seconds, 3600.0),
        "options": {"priority": KB_PRIORITY_HOUSEKEEPING},
    }
    for name, task, seconds in KB_BEAT_PERIODIC
}
_processes = env.int("KB_WORKER_CONCURRENCY", default=None)
KB_WORKER_CONCURRENCY = (os.cpu_count() or 2) if _processes is None else _processes
KB_LOCAL_WORKER_CONCURRENCY = min(2, KB_WORKER_CONCURRENCY) if _processes is None else _processes  # of manage.py up
CELERY_WORKER_CONCURRENCY = KB_WORKER_CONCURRENCY
KB_WORKER_NICE = env.int("KB_WORKER_NICE", default=10)  # added to the worker's niceness: search goes first
# At SIGTERM a job in hand has this long to end. Then it is given back, and another worker begins it anew.
KB_WORKER_GRACE_S = env.float("KB_WORKER_GRACE_S", default=60.0)
# A running job says it is alive this often; the sweeper takes over when it has been silent for the second.
KB_HEARTBEAT_S = env.float("KB_HEARTBEAT_S", default=2.0)
KB_STALLED_AFTER_S = env.float("KB_STALLED_AFTER_S", default=60.0)
KB_HINT_AGAIN_AFTER_S = env.float("KB_HINT_AGAIN_AFTER_S", default=60.0)
