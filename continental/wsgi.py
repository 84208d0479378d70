"""The Django site under WSGI, with the static files in front of it."""

import os
import re
from pathlib import Path
from wsgiref.types import WSGIApplication

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from servestatic import ServeStatic

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "continental.settings")

_HASHED_NAME = re.compile(r"\.[0-9a-f]{12}\.\w+$")


def never_changes(path: str, url: str) -> bool:
    """Whether the static file at ``url`` carries its content's hash in its name, so a browser may keep it for ever."""
    return bool(_HASHED_NAME.search(url))


def with_static(site: WSGIApplication, root: Path) -> WSGIApplication:
    """``site`` with the collected files of the folder ``root`` answered before it is asked."""
    front: WSGIApplication = ServeStatic(
        site, root=root, prefix=settings.STATIC_URL, immutable_file_test=never_changes, allow_all_origins=False
    )
    return front


site: WSGIApplication = get_wsgi_application()
application = with_static(site, settings.STATIC_ROOT)
