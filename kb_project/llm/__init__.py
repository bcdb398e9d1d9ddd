"""Language models: Claude, and whatever speaks OpenAI's chat API, asked for JSON, counted, and held to a budget."""
