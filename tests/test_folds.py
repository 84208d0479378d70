"""What opens shows that it opens: the marker of a fold, the icon of a menu, or the colour of a link."""

import re
from pathlib import Path

import pytest
from django.conf import settings

PAGES = [path for path in Path(settings.BASE_DIR, "templates").rglob("*.html") if "<details" in path.read_text()]
SHOWN_BY = {"fold", "menu", "about"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_fold_looks_like_a_heading_with_nothing_below_it(page: Path) -> None:
    for tag in re.findall(r"<details\b[^>]*>", page.read_text()):
        classes = re.findall(r'class="([^"]*)"', tag)
        assert SHOWN_BY & set(" ".join(classes).split()), tag
