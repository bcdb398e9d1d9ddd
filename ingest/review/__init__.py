"""The review screens: server-rendered pages that call the same verbs as the JSON API."""
