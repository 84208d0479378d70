"""Columns for names: cleaned and folded wherever a row is written, so that no form, import or shell can forget it."""

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from players.names import MAX_NAME, clean_name, fold_name

if TYPE_CHECKING:
    CharOfStr = models.CharField[str, str]
    TextOfStr = models.TextField[str, str]
else:
    CharOfStr = models.CharField
    TextOfStr = models.TextField


def validate_name(value: str) -> None:
    """Refuse a name in which nothing can be seen."""
    if not clean_name(value):
        raise ValidationError(_("Enter a name with at least one visible letter, digit or sign."), code="blank")


class NameField(CharOfStr):
    """A name of a person or a league, cleaned wherever it is written."""

    default_validators = (*models.CharField.default_validators, validate_name)  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", MAX_NAME)
        super().__init__(*args, **kwargs)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return clean_name(text) if isinstance(text, str) else text

    def get_prep_value(self, value: Any) -> Any:
        text = super().get_prep_value(value)
        return clean_name(text) if isinstance(text, str) else text

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = super().pre_save(model_instance, add)
        if isinstance(value, str):
            value = clean_name(value)
            setattr(model_instance, self.attname, value)
        return value


class FoldedField(TextOfStr):
    """The folded form of another field of the row, kept by the row itself, in bulk too. SQLite folds ASCII only."""

    def __init__(self, *args: Any, of: str = "name", **kwargs: Any) -> None:
        self.of = of
        kwargs["editable"] = False
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        del kwargs["editable"]
        return name, path, args, {**kwargs, "of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        folded = fold_name(getattr(model_instance, self.of))
        setattr(model_instance, self.attname, folded)
        return folded
