"""Addresses of the pages about games and seasons."""

from django.urls import URLPattern, URLResolver, path

from scoring.views import game, leagues

app_name = "scoring"
urlpatterns: list[URLPattern | URLResolver] = [
    path("l/<slug:slug>/", leagues.league_home, name="league"),
    path("l/<slug:slug>/new-game/", leagues.new_game, name="new-game"),
    path("l/<slug:slug>/season/", leagues.season_page, name="season"),
    path("l/<slug:slug>/season/<int:pk>/", leagues.season_page, name="season"),
    path("l/<slug:slug>/player/<int:pk>/", leagues.player_page, name="player"),
    path("g/<int:pk>/", game.show_table, name="table"),
    path("g/<int:pk>/count/", game.show_count, name="count"),
    path("g/<int:pk>/sheet/", game.show_sheet, name="sheet"),
    path("g/<int:pk>/history/", game.show_history, name="history"),
    path("g/<int:pk>/hand/<int:number>/", game.show_correct, name="correct"),
    path("g/<int:pk>/more/", game.show_manage, name="manage"),
    path("g/<int:pk>/more/reseat/", game.reseat, name="reseat"),
    path("g/<int:pk>/do/", game.do, name="do"),
]
