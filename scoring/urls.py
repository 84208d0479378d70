"""Addresses of the pages about games and seasons."""

from django.urls import URLPattern, URLResolver, path

from scoring.views import board, exports, game, joining, leagues, merging, seasons, sheets, statistics

app_name = "scoring"
urlpatterns: list[URLPattern | URLResolver] = [
    path("l/<slug:slug>/", leagues.league_home, name="league"),
    path("l/<slug:slug>/noted/", leagues.note_lapsed, name="note-lapsed"),
    path("l/<slug:slug>/new-game/", leagues.new_game, name="new-game"),
    path("l/<slug:slug>/season/", seasons.season_page, name="season"),
    path("l/<slug:slug>/season/<int:pk>/", seasons.season_page, name="season"),
    path("l/<slug:slug>/season/<int:pk>/edit/", seasons.plan_season, name="edit-season"),
    path("l/<slug:slug>/season/<int:pk>/close/", seasons.close_season, name="close-season"),
    path("l/<slug:slug>/season/<int:pk>/csv/", exports.season_csv, name="season-csv"),
    path("l/<slug:slug>/games.csv", exports.games_csv, name="games-csv"),
    path("l/<slug:slug>/league.json", exports.league_json, name="league-json"),
    path("l/<slug:slug>/statistics/", statistics.statistics_page, name="statistics"),
    path("l/<slug:slug>/statistics/ratings/", statistics.switch_ratings, name="switch-ratings"),
    path("l/<slug:slug>/seasons/", seasons.seasons_page, name="seasons"),
    path("l/<slug:slug>/seasons/new/", seasons.plan_season, name="new-season"),
    path("l/<slug:slug>/all-time/", seasons.all_time_page, name="all-time"),
    path("l/<slug:slug>/player/<int:pk>/", statistics.player_page, name="player"),
    path("l/<slug:slug>/rules/", sheets.sheets_page, name="rule-sheets"),
    path("l/<slug:slug>/rules/new/", sheets.new_sheet, name="new-sheet"),
    path("l/<slug:slug>/rules/compare/", sheets.compare_sheets, name="compare-sheets"),
    path("l/<slug:slug>/rules/<int:pk>/", sheets.sheet_page, name="rule-sheet"),
    path("l/<slug:slug>/rules/<int:pk>/sign/", sheets.sign_sheet, name="sign-sheet"),
    path("l/<slug:slug>/rules/<int:pk>/paper/", sheets.blank_sheet, name="blank-sheet"),
    path("rules/shared/", sheets.shared_sheet, name="shared-sheet"),
    path("g/<int:pk>/", game.show_table, name="table"),
    path("g/<int:pk>/count/", game.show_count, name="count"),
    path("g/<int:pk>/sheet/", game.show_sheet, name="sheet"),
    path("g/<int:pk>/history/", game.show_history, name="history"),
    path("g/<int:pk>/hand/<int:number>/", game.show_correct, name="correct"),
    path("g/<int:pk>/more/", game.show_manage, name="manage"),
    path("g/<int:pk>/more/reseat/", game.reseat, name="reseat"),
    path("g/<int:pk>/do/", game.do, name="do"),
    path("g/<int:pk>/phones/", joining.phones, name="phones"),
    path("g/<int:pk>/phones/leave/", joining.leave, name="leave-seat"),
    path("g/<int:pk>/board/", board.show_board, name="board"),
    path("l/<slug:slug>/people/<int:pk>/same/", merging.same_person, name="same-person"),
    path("j/", joining.join_start, name="join-start"),
    path("j/<str:code>/", joining.join, name="join"),
    path("w/<str:code>/", joining.watch, name="watch"),
]
