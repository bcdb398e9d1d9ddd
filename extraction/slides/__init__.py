"""Reads PPTX: slides as pages."""
