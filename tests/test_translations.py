"""Whatever the site says in English it says in every other language too."""

import re

import pytest
from babel.messages.catalog import Catalog, Message

from tests import messages

PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[sd]|\{\w+\}")
REPAIR = "run `make messages`, fill in what is empty in {}, and run it again"


@pytest.fixture(scope="module", params=messages.translated_languages())
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def catalog(language: str) -> Catalog:
    return messages.read(language)


def keys(catalog: Catalog) -> set[tuple[str, str | None]]:
    """Each message by its text (the singular one) and its context."""
    return {(_texts(message.id)[0], message.context) for message in catalog if message.id}


def _texts(either: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [either] if isinstance(either, str) else list(either or ())


def _placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


def misplaced(message: Message) -> list[str]:
    """The translations of ``message`` that name other values than it does. A form of a plural may leave some out."""
    texts, forms = _texts(message.id), _texts(message.string)
    allowed = set().union(*map(_placeholders, texts))
    if len(texts) > 1:
        return [form for form in forms if not _placeholders(form) <= allowed]
    return [form for form in forms if form and _placeholders(form) != allowed]


def test_the_catalogue_holds_exactly_what_the_code_and_the_templates_say(language: str, catalog: Catalog) -> None:
    said, held = keys(messages.extracted()), keys(catalog)
    assert (said - held, held - said) == (set(), set()), REPAIR.format(messages.po_path(language))


def test_every_message_is_translated_and_none_by_a_guess(language: str, catalog: Catalog) -> None:
    assert messages.missing(catalog) == [], REPAIR.format(messages.po_path(language))


def test_every_translation_names_the_same_values_as_its_message(catalog: Catalog) -> None:
    assert {message.id: wrong for message in catalog if message.id and (wrong := misplaced(message))} == {}


def test_the_compiled_catalogue_is_that_of_the_written_one(language: str, catalog: Catalog) -> None:
    assert messages.po_path(language).with_suffix(".mo").read_bytes() == messages.compiled(catalog), "run `make messages`"


@pytest.mark.parametrize(
    ("message", "translation", "right"),
    [
        ("%(name)s wins", "Gana %(name)s", True),
        ("%(name)s wins", "Gana %(nombre)s", False),
        ("{cards} cards", "cartas", False),
        (("One card", "%(n)s cards"), ("Una carta", "%(n)s cartas"), True),
        (("One card", "%(n)s cards"), ("Una carta", "%(m)s cartas"), False),
    ],
)
def test_a_translation_that_names_another_value_is_found(
    message: str | tuple[str, str], translation: str | tuple[str, str], right: bool
) -> None:
    assert (misplaced(Message(message, translation)) == []) is right


def test_messages_are_found_in_code_and_in_templates() -> None:
    said = {text for text, _context in keys(messages.extracted())}
    assert {"English", "Spanish"} <= said
