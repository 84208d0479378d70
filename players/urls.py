"""Addresses of people: the front door, signing in, leagues and those in them."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from players import membership_views, views
from players.views import ChangePassword, SignIn

app_name = "players"
urlpatterns = [
    path("", views.home, name="home"),
    path("sign-in/", SignIn.as_view(), name="sign-in"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("password/", ChangePassword.as_view(), name="password"),
    path("language/", views.language, name="language"),
    path("colours/", views.theme, name="theme"),
    path("suits/", views.suits, name="suits"),
    path("new-league/", views.new_league, name="new-league"),
    path("l/<slug:slug>/settings/", views.league_settings, name="league-settings"),
    path("l/<slug:slug>/people/", views.people_page, name="people"),
    path("l/<slug:slug>/people/add/", views.add_player, name="add-player"),
    path("l/<slug:slug>/people/<int:pk>/edit/", views.edit_player, name="edit-player"),
    path("l/<slug:slug>/members/add/", views.add_account, name="add-account"),
    path("l/<slug:slug>/members/<int:pk>/", views.edit_member, name="edit-member"),
    path("l/<slug:slug>/members/<int:pk>/remove/", views.remove_member, name="remove-member"),
    path("l/<slug:slug>/members/<int:pk>/password/", views.reset_password, name="reset-password"),
    path("l/<slug:slug>/members/invite/", membership_views.invite, name="invite"),
    path("l/<slug:slug>/members/invite/<int:pk>/revoke/", membership_views.revoke, name="revoke-invitation"),
    path("l/<slug:slug>/leave/", membership_views.leave, name="leave"),
    path("l/<slug:slug>/people/<int:pk>/anonymise/", membership_views.anonymise, name="anonymise"),
    path("invitation/<str:token>/", membership_views.invitation, name="invitation"),
]
