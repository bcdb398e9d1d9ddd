"""Reading provisions for surveys: the ways of search, patterns and models, and how each is judged."""
