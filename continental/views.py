"""What a browser needs to install the site as an app: the manifest, and the worker that lets a page be reloaded offline."""

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe


@require_safe
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    """Describe the site as an app."""
    return JsonResponse(
        {
            "name": "Continental",
            "short_name": "Continental",
            "description": _("Keeps the score of contract rummy, and settles the arguments."),
            "start_url": reverse("players:home"),
            "scope": "/",
            "display": "standalone",
            "background_color": "#f8f4ea",
            "theme_color": "#f8f4ea",
            "icons": [{"src": static("img/icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any maskable"}],
        },
        content_type="application/manifest+json",
    )


_WORKER = (Path(settings.BASE_DIR) / "continental" / "static" / "js" / "worker.js").read_bytes()


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """Give the worker from the root: one that lay below /static/ could not answer for the pages."""
    return HttpResponse(_WORKER, content_type="text/javascript; charset=utf-8")
