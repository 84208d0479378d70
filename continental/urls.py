"""Root addresses: each app owns its own below."""

from django.urls import include, path

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("players.urls")),
    path("", include("scoring.urls")),
]
