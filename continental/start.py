"""What a process that serves does once, before its first page."""

import gc
from pathlib import Path

from django.template import engines
from django.template.backends.django import DjangoTemplates
from django.urls import get_resolver


def settle() -> None:
    """Load every address and every template of the site, and keep what is loaded by then out of garbage collection.

    It stays as long as the process does, and a full collection that walks through it makes some page wait ten times as long as
    one that walks through what pages leave behind.
    """
    get_resolver().reverse_dict  # noqa: B018 - read once, it imports all views
    site = engines["django"]
    assert isinstance(site, DjangoTemplates)
    for folder in map(Path, site.dirs):
        for path in sorted(folder.rglob("*.html")):
            site.get_template(path.relative_to(folder).as_posix())
    gc.collect()
    gc.freeze()
