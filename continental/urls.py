"""Root addresses: each app owns its own below."""

from django.urls import include, path

urlpatterns = [
    path("", include("players.urls")),
    path("", include("scoring.urls")),
]
