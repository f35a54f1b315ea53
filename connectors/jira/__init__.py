"""Reads Jira: tickets come in as documents."""
