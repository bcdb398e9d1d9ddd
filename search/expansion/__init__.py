"""Other ways to say a query, in the words of its topic: asked of Claude where there is a key, else none."""
