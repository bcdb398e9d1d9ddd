"""The foundation: settings, errors, API manners, embedded stack. It imports no app."""
