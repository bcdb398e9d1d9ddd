"""Template tags of what people keep."""
