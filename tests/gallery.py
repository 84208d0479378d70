"""A page of all components, for tests alone: the site's addresses and one more, ``/gallery/``."""

from django.http import HttpRequest, HttpResponse
from django.template import RequestContext, Template
from django.urls import include, path

from continental.rules.rulesets import preset

PAGE = """
{% extends "base.html" %}
{% load static table %}
{% block title %}Gallery{% endblock %}
{% block head %}
  <link rel="stylesheet" href="{% static 'css/table.css' %}">
  <script type="module" src="{% static 'js/keypad.js' %}"></script>
{% endblock %}
{% block content %}
  <h1>Gallery</h1>
  <form method="post" action="/gallery/">
    {% csrf_token %}
    <section class="sheet">{% include "components/_keypad.html" with prefix="seat1" name="Ana" missing=0 %}</section>
    <section class="sheet">{% include "components/_keypad.html" with prefix="seat2" name="Ben" kind="points" points="10+1x" missing=1 faults=faults %}</section>
    {% include "components/_keypad_page.html" %}
    <section class="sheet"><h2>Seats</h2>{% include "components/_sortable.html" with id="seats" label="Seats" items=seats %}</section>
    <button class="btn btn-primary" data-confirm="Close the hand?" data-confirm-yes="Close it">Close the hand</button>
  </form>
  <section class="sheet">
    <h2>Cards</h2>
    {% fan "AS 2H 3D 4C TS JH QD KC JK JK=9H 2S=7H 5H 6H 7H" "Fourteen cards" %}
    <div class="four-colour">{% fan "AS AH AD AC" "Four aces" %}</div>
  </section>
  <section class="sheet">
    <h2>Scores</h2>
    <table class="table">
      <thead><tr><th scope="col">Player</th><th scope="col" class="text-end">Score</th><th scope="col">Place</th></tr></thead>
      <tbody>
        {% for how, points in scores %}
          <tr><th scope="row">{{ how }}</th><td class="number">{% include "components/_score.html" %}</td><td>{% include "components/_place.html" with place=forloop.counter leads=forloop.first %}</td></tr>
        {% endfor %}
      </tbody>
    </table>
  </section>
{% endblock %}
"""


class Seat:
    def __init__(self, pk: int, name: str) -> None:
        self.pk = pk
        self.name = name


def gallery(request: HttpRequest) -> HttpResponse:
    """Show every component; a posted form is given back as text, one value a line, as the server got it."""
    if request.method == "POST":
        lines = (f"{key}={value}" for key in request.POST for value in request.POST.getlist(key))
        return HttpResponse("\n".join(lines), content_type="text/plain")
    context = {
        "card_points": dict(preset(request.GET.get("rules", "house")).card_values),
        "seats": [Seat(1, "Ana"), Seat(2, "Ben"), Seat(3, "Clara"), Seat(4, "אבא")],
        "faults": ["“10+1x” is not a number of points."],
        "scores": [
            ("out", 0), ("counted", 45), ("given", 10), ("substituted", 31), ("absent", None), ("none", None), ("open", None), ("void", 5),
        ],
    }  # fmt: skip
    return HttpResponse(Template(PAGE).render(RequestContext(request, context)))


urlpatterns = [path("gallery/", gallery), path("", include("continental.urls"))]
