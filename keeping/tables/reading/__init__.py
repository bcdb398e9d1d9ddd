"""Reading documents for questions: claims of cells, the readers by words and by a model."""
