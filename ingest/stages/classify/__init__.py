"""Classification: propose the metadata of a batch's file, for a person to confirm."""
