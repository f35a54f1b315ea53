"""What a Jira site is made of and what it remembers: records, clock, search index, visibility."""
