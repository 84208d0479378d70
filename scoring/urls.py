"""Addresses of the pages about games and seasons."""

from django.urls import URLPattern, URLResolver, path

from scoring.views import board, game, joining, leagues, sheets

app_name = "scoring"
urlpatterns: list[URLPattern | URLResolver] = [
    path("l/<slug:slug>/", leagues.league_home, name="league"),
    path("l/<slug:slug>/new-game/", leagues.new_game, name="new-game"),
    path("l/<slug:slug>/season/", leagues.season_page, name="season"),
    path("l/<slug:slug>/season/<int:pk>/", leagues.season_page, name="season"),
    path("l/<slug:slug>/player/<int:pk>/", leagues.player_page, name="player"),
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
    path("j/", joining.join_start, name="join-start"),
    path("j/<str:code>/", joining.join, name="join"),
    path("w/<str:code>/", joining.watch, name="watch"),
]
