"""Django's database backend for PostgreSQL, with a cheaper look at what its pool hands out."""
