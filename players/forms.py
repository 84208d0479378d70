"""Forms of people: they read what is typed and hand it to ``players.people``, whose refusals they show at the field."""

import re
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from players.models import League, Membership, Player, timezones, usual_timezones
from players.names import MAX_NAME, clean_name

Role = Membership.Role

if TYPE_CHECKING:
    FormOfLeague = forms.ModelForm[League]
    FormOfPlayer = forms.ModelForm[Player]
else:
    FormOfLeague = FormOfPlayer = forms.ModelForm

_OTHER_REGION: Final = _("Other")


def _zone_choices() -> list[tuple[Any, Any]]:
    """Give the usual time zones by region, cities in order, for a list that a phone shows as its own picker."""
    regions: dict[str, list[tuple[str, str]]] = {}
    rest: list[tuple[str, str]] = [("UTC", "UTC")]
    for zone in sorted(usual_timezones()):
        region, slash, city = zone.partition("/")
        if slash and region not in {"Etc", "SystemV", "US", "posix", "right"}:
            regions.setdefault(region, []).append((zone, city.replace("_", " ").replace("/", " · ")))
    return [(_OTHER_REGION, rest), *sorted(regions.items())]


class NameInput(forms.CharField):
    """A name: cleaned as it will be stored, written in whatever direction its letters go."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", MAX_NAME)
        super().__init__(**kwargs)
        self.widget.attrs.update({"dir": "auto", "autocapitalize": "words", "spellcheck": "false"})

    def to_python(self, value: Any) -> str:
        return clean_name(super().to_python(value) or "")


class NumberInput(forms.IntegerField):
    """A whole number in the digits 0 to 9: what Python would read besides, such as ``1_0``, nobody meant by it."""

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str) and value.strip() and not re.fullmatch(r"[+-]?[0-9]{1,12}", value.strip()):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)


class ZoneList(forms.Select):
    """The list of time zones; one that is kept under an older name is offered too, lest saving the page changes it."""

    def optgroups(self, name: str, value: list[str], attrs: dict[str, Any] | None = None) -> list[Any]:
        groups = super().optgroups(name, value, attrs)
        offered = {option["value"] for _region, options, _place in groups for option in options}
        older = [zone for zone in value if zone in timezones() - offered]
        options = [self.create_option(name, zone, zone, selected=True, index=place) for place, zone in enumerate(older)]
        return [(None, options, 0), *groups] if older else groups


class ZoneInput(forms.ChoiceField):
    """A time zone; the page's script chooses the device's own where nothing was chosen yet."""

    widget = ZoneList

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=_zone_choices, **kwargs)

    def valid_value(self, value: Any) -> bool:
        return value in timezones()


class FirstAccountForm(forms.Form):
    """The first account of an installation."""

    name = NameInput(label=_("Your name"), help_text=_("You sign in with it, and it stands on the score sheet."))
    password = forms.CharField(
        label=_("Choose a password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least eight characters. Nobody else needs one to play."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autocomplete"] = "username"


class SetUpForm(FirstAccountForm):
    """The first page of an installation: the account, and its league."""

    field_order = ("league", "name", "password", "timezone")
    league = NameInput(
        label=_("What is your table called?"), help_text=_("Your family, your club, your Thursday: you can change it later.")
    )
    timezone = ZoneInput(label=_("Time zone"), initial="UTC", help_text=_("Decides when a game night and a year begin."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["league"].widget.attrs["autofocus"] = True
        self.fields["timezone"].widget.attrs["data-own-zone"] = ""


class SignInForm(AuthenticationForm):
    """Name and password; the name in any case, as typed at the table."""

    username = NameInput(label=_("Your name"))
    error_messages = {  # noqa: RUF012  (as the class above has it)
        "invalid_login": _("This name and password do not belong together. Capitals matter in the password only."),
        "inactive": _("This account is closed."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].max_length = MAX_NAME  # type: ignore[attr-defined]
        self.fields["username"].widget.attrs.update({"maxlength": MAX_NAME, "autocomplete": "username", "autofocus": True})


class PasswordForm(PasswordChangeForm):
    """The old password, and the new one twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = _("At least eight characters, not digits alone, and none that everybody uses.")
        self.fields["new_password2"].label = _("The new password once more")
        self.fields["new_password2"].help_text = ""


class LeagueForm(FormOfLeague):
    """What a league is called, where its days begin and who may look."""

    name = NameInput(label=_("Name"))
    timezone = ZoneInput(label=_("Time zone"), help_text=_("Decides when a game night and a year begin."))
    photo_days = NumberInput(
        label=_("Days that photos are kept"), required=False, min_value=1, max_value=3650, help_text=_("Then they are deleted.")
    )

    def clean_photo_days(self) -> int:
        """Leave the days as they were where none are given."""
        return self.cleaned_data["photo_days"] or self.instance.photo_days

    class Meta:
        model = League
        fields = ("name", "timezone", "photo_days", "public")
        labels = {"public": _("Everybody who has the address can look")}  # noqa: RUF012
        help_texts = {"public": _("Strangers read nicknames, or initials; nobody but members can write.")}  # noqa: RUF012


class NewLeagueForm(forms.Form):
    """A further league of somebody who has an account."""

    name = NameInput(label=_("Name"))
    timezone = ZoneInput(label=_("Time zone"), help_text=_("Decides when a game night and a year begin."))


class PlayerForm(FormOfPlayer):
    """A player's names, and whether new games offer the player."""

    name = NameInput(label=_("Name"))
    nickname = NameInput(label=_("Nickname"), required=False, help_text=_("What strangers read in a public league."))

    class Meta:
        model = Player
        fields = ("name", "nickname", "hidden")
        labels = {"hidden": _("Hide from new games")}  # noqa: RUF012
        help_texts = {"hidden": _("Old games and the standings stay as they are.")}  # noqa: RUF012


class AddPlayerForm(forms.Form):
    """One more player, by name alone."""

    name = NameInput(label=_("Name of the new player"))


class AddAccountForm(forms.Form):
    """An account for somebody who keeps score or looks on."""

    username = NameInput(label=_("Name to sign in"))
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.SCOREKEEPER)
    player = forms.ModelChoiceField(
        label=_("Which player is it?"),
        queryset=Player.objects.none(),
        required=False,
        empty_label=_("A new player of this name"),
        help_text=_("Viewers need none."),
    )

    def __init__(self, league: League, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["player"].queryset = Player.objects.filter(league=league, user=None, hidden=False)  # type: ignore[attr-defined]


class RoleForm(forms.Form):
    """The role of one member."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


def show_refusal(form: forms.BaseForm, error: ValidationError, *, other: str | None = None, **renamed: str) -> None:
    """Put each sentence of a refusal at its field.

    Args:
        other: the field that gets what is about no field; ``None`` puts it above the form.
        renamed: how the form calls a field of the model, such as ``username="name"``.
    """
    if not hasattr(error, "error_dict"):
        form.add_error(other, error)
        return
    for name, errors in error.error_dict.items():
        field = renamed.get(name, name)
        form.add_error(field if field in form.fields else other, ValidationError(errors))
