"""Characters of Hebrew and English print: classes, order, brackets and spelling."""
