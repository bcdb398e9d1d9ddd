"""From when the provisions of an amending act are in force."""
