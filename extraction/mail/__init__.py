"""Messages: e-mail files, mailboxes of several and Outlook's own files, read in one way."""
