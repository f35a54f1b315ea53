"""JQL: reading a query, and saying which issues it selects."""
