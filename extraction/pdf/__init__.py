"""PDF files as pages of logical-order text, Hebrew and English."""
