"""Root addresses: each app owns its own below."""

from django.urls import include, path

from continental import views

urlpatterns = [
    path("app.webmanifest", views.manifest, name="manifest"),
    path("worker.js", views.worker, name="worker"),
    path("", include("players.urls")),
    path("", include("scoring.urls")),
]
