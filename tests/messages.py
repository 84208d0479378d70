"""The catalogue of translations without GNU gettext: ``python -m tests.messages`` brings it up to date and compiles it."""

import datetime as dt
import io
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).parent.parent
SOURCES = ("continental", "players", "scoring")
TEMPLATES = (ROOT / "templates", *(ROOT / source / "templates" for source in SOURCES))

_CONTEXT = ((1, "c"), 2)
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "mark": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": _CONTEXT,
    "pgettext_lazy": _CONTEXT,
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
WRITTEN = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
"""The date in every catalogue's head, so that nothing changes where nothing was translated."""

FIRST_HEAD = rb"""
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"""
"""How a new catalogue begins: one form for one, and one for any other number."""


def po_path(language: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def translated_languages() -> list[str]:
    """The languages of the site that need a catalogue: all but English, which the code is written in."""
    return [code for code, _name in settings.LANGUAGES if code != "en"]


def _sources() -> Iterator[tuple[Path, str]]:
    for source in SOURCES:
        for path in sorted((ROOT / source).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            # Elsewhere a lone underscore is a value that nobody needs, and what follows it no message.
            if "migrations" not in path.parts and "gettext" in text:
                yield path, text
    for folder in TEMPLATES:
        for path in sorted((*folder.rglob("*.html"), *folder.rglob("*.txt"))):
            # Outside of the calls, templatize leaves words of X and the indents of the page, which are no Python.
            calls = templatize(path.read_text(encoding="utf-8"), origin=str(path))
            yield path, "\n".join(line.strip() for line in calls.splitlines())


def extracted() -> Catalog:
    """Every message that the code and the templates ask a translation of."""
    catalog = Catalog(project="Continental", charset="utf-8")
    for path, text in _sources():
        found = extract("python", io.BytesIO(text.encode()), keywords=KEYWORDS, options={"encoding": "utf-8"})
        for _line, message, _comments, context in found:
            catalog.add(message, locations=[(str(path.relative_to(ROOT)), 0)], context=context)
    return catalog


def read(language: str) -> Catalog:
    """The catalogue of ``language`` as it stands; an empty one where there is none yet."""
    path = po_path(language)
    if not path.exists():
        return read_po(io.BytesIO(FIRST_HEAD), locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language, charset="utf-8", abort_invalid=True)


def compiled(catalog: Catalog) -> bytes:
    """``catalog`` in the binary form that Django loads."""
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def update(language: str) -> int:
    """Bring the catalogue of ``language`` up to date with the code and compile it; how many messages still lack a translation."""
    catalog = read(language)
    catalog.update(extracted(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    catalog.creation_date = catalog.revision_date = WRITTEN
    catalog.project, catalog.version, catalog.copyright_holder = "Continental", "scorebook", "Continental contributors"
    catalog.last_translator = catalog.language_team = catalog.copyright_holder
    catalog.msgid_bugs_address = "see CONTRIBUTING.md"
    catalog.header_comment = f"# Continental in the language {language}."
    catalog.fuzzy = False
    path = po_path(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=0, no_location=True, sort_output=True)
    path.with_suffix(".mo").write_bytes(compiled(read(language)))
    return len(missing(read(language)))


def missing(catalog: Catalog) -> list[str]:
    """The messages of ``catalog`` that have no translation, or only a guessed one."""
    untranslated = []
    for message in catalog:
        forms = message.string if isinstance(message.string, tuple | list) else [message.string]
        if message.id and (message.fuzzy or not all(forms)):
            untranslated.append(message.id if isinstance(message.id, str) else message.id[0])
    return untranslated


def main() -> int:
    for language in translated_languages():
        lacking = update(language)
        path = po_path(language).relative_to(ROOT)
        print(f"{path}: {lacking} to translate" if lacking else f"{path}: complete")
    return 0


if __name__ == "__main__":
    sys.exit(main())
