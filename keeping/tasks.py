"""Background work of what people keep."""

import keeping.notebooks.tasks  # noqa: F401
