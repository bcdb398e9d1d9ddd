"""Edit, reindex and delete sources: the verbs, their admin API and the screens at `/library/`."""
