"""Jobs: how an uploaded file becomes a searchable source."""
