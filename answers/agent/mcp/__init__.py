"""The agent tools over the Model Context Protocol: on standard input and output, and over HTTP."""
