"""The label screens: server-rendered pages that call the same verbs as the API."""
