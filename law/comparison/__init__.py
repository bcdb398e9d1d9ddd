"""What two texts have in common, provision by provision and word by word."""
