"""Other ways to say a query, in the words of its topic: asked of a model where there is one, else none."""
