"""Topics: the domains that documents belong to, and the API keys that may be pinned to one."""
