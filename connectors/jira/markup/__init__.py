"""The pieces from which the text of tickets is written as Markdown."""
