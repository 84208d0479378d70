"""Addresses of the pages about games and seasons."""

from django.urls import URLPattern, URLResolver, path

from players.views import people_page

app_name = "scoring"
urlpatterns: list[URLPattern | URLResolver] = [
    path("l/<slug:slug>/", people_page, name="league"),
]
