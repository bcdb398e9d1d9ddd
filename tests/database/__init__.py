"""The tests' database backend: how a test with real transactions leaves the database."""
