"""The Django site under WSGI, with the static files in front of it."""

import os
import re

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from servestatic import ServeStatic

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "continental.settings")

_HASHED_NAME = re.compile(r"\.[0-9a-f]{12}\.\w+$")


def _never_changes(path: str, url: str) -> bool:
    return bool(_HASHED_NAME.search(url))


django_site = get_wsgi_application()
application = ServeStatic(
    django_site,
    root=settings.STATIC_ROOT,
    prefix=settings.STATIC_URL,
    immutable_file_test=_never_changes,
    allow_all_origins=False,
)
