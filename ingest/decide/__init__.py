"""What a person decides of a job: commit, discard, reopen, retry."""
