"""The manners of the API that every app shares: problems, strict parameters, pages, permissions, throttles."""
