"""The REST API: one file for each of its areas, and the table of routes."""
