"""Static files under names that carry their content's hash."""

from collections.abc import Callable
from re import Match

from servestatic.storage import CompressedManifestStaticFilesStorage

VENDORED = ("vendor/", "django_htmx/")
"""Folders of other people's scripts: what looks like an import in them may be a comment or a type."""


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Rewrites the imports of the site's own ES modules too, so a module is never loaded twice under two names."""

    support_js_module_import_aggregation = True

    def url_converter(self, name: str, hashed_files: dict[str, str], template: str | None = None) -> Callable[[Match[str]], str]:
        """What replaces a reference found in the file ``name``: in vendored scripts, the reference itself."""
        if name.endswith(".js") and name.startswith(VENDORED):
            return lambda found: found["matched"]
        converter: Callable[[Match[str]], str] = super().url_converter(name, hashed_files, template)
        return converter
