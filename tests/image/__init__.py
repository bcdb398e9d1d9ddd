"""`python -m tests.image`: image and compose file, run for real with Docker or Podman, and broken on purpose."""
