"""Answers without a walk: facts, sets, records, folders, names, changes, small talk."""
