"""How surely a document that is nearly the same is recognised, and what that costs."""
