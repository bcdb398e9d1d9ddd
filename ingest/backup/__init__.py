"""Backup and restore: everything that the database holds and the files that it names, in a directory or a .tar.

The rows are copied in Postgres' own text format over the connection that the service has anyway, so neither end needs
`pg_dump`, and the two servers may be of different versions. The schema is not copied: a restore has the migrations make
the one that the rows come from, and then brings it up to date.
"""
