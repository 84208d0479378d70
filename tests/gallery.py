"""A page of all components, for tests alone: the site's addresses and one more, ``/gallery/``."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.template import RequestContext, Template
from django.urls import include, path

from continental.rules.rulesets import preset

PAGE = Path(__file__).with_suffix(".html")


class Seat:
    def __init__(self, pk: int, name: str) -> None:
        self.pk = pk
        self.name = name


def gallery(request: HttpRequest) -> HttpResponse:
    """Show every component; a posted form is given back as text, one value a line, as the server got it."""
    if request.method == "POST":
        lines = (f"{key}={value}" for key in request.POST for value in request.POST.getlist(key))
        return HttpResponse("\n".join(lines), content_type="text/plain")
    rules = preset(request.GET.get("rules", "house"))
    context = {
        "card_points": dict(rules.card_values),
        "missing_card": rules.missing_card,
        "seats": [Seat(1, "Ana"), Seat(2, "Ben"), Seat(3, "Clara"), Seat(4, "אבא")],
        "faults": ["“10+1x” is not a number of points."],
        "scores": [
            ("out", 0), ("counted", 45), ("given", 10), ("substituted", 31),
            ("absent", None), ("none", None), ("open", None), ("void", 5),
        ],
    }  # fmt: skip
    return HttpResponse(Template(PAGE.read_text()).render(RequestContext(request, context)))


urlpatterns = [path("gallery/", gallery), path("", include("continental.urls"))]
