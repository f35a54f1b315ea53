"""The one way in which XML of a document is parsed: no entity is expanded, and nothing is loaded from outside."""

from __future__ import annotations

from lxml import etree


def xml_parser(*, encoding: str | None = None, recover: bool = False, remove_comments: bool = False) -> etree.XMLParser:
    """A new one; `encoding` is what the bytes are in, whatever they claim."""
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        encoding=encoding, recover=recover, remove_comments=remove_comments,
    )  # fmt: skip
