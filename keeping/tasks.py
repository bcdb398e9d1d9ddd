"""Background work of what people keep."""

import keeping.highlights.tasks
import keeping.notebooks.tasks
import keeping.surveys.tasks
import keeping.tables.tasks
import keeping.watches.tasks  # noqa: F401
