"""A question comes in and its answer goes out: the API, the screen, follow-ups, the cache and the trace."""
