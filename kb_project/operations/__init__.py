"""What operators see: start on one machine, probes, checks of the settings, and whether stored data is sound."""
