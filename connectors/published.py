"""Where the files of a folder can be opened in a browser: below the address of a repository, or on the site made of them.

Then a citation leads there, and a link to such an address in any document is a link to the file.
"""

from __future__ import annotations

import os
from urllib.parse import quote, urlsplit

from connectors.listing import decode_id

PATH, PAGE = "{path}", "{page}"  # in an address: the file's path, or the same without its ending, and empty for an index page
INDEX = ("index", "_index", "readme")  # names of files that a site shows at the address of their folder


def check_address(address: str) -> str:
    """The address, which may be empty. Raises ValueError for what a browser would not open."""
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
    except ValueError:  # brackets that hold no address
        is_web = False
    if not is_web or any(character.isspace() for character in address):
        raise ValueError("it is no web address: write https://, the host, and the path of the folder there")
    return address


def address_of(id: str, published_at: str) -> str:
    """The address of the file with this id (its path below the folder). Without a placeholder in it the path is appended."""
    path = decode_id(id).replace(os.sep, "/")
    if PAGE not in published_at:
        template = published_at if PATH in published_at else f"{published_at.rstrip('/')}/{PATH}"
        return template.replace(PATH, _quoted(path))
    folder, _, name = path.rpartition("/")
    stem = os.path.splitext(name)[0]
    ends_there = published_at.rpartition(PAGE)[2] in ("", "/")  # else the name of an index page is in its address: index.html
    page = folder if ends_there and stem.casefold() in INDEX else path[: len(path) - len(name)] + stem
    return published_at.replace(f"{PAGE}/" if not page else PAGE, _quoted(page))


def _quoted(path: str) -> str:
    return quote(os.fsencode(path), safe="/")
