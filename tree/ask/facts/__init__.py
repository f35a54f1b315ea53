"""Finds in what is stated what a question asks for: one fact, a set, a history, the rows of a table."""
