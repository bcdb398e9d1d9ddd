"""What is like something else: documents by how they begin, provisions by what they say."""
