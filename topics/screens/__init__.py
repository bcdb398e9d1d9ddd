"""The screens of topics and of API keys: server-rendered pages that call the same verbs as the API."""
