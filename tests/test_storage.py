"""Static files under names that carry their hash."""

import re
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from pytest_django.fixtures import Settings

from continental.storage import StaticStorage
from continental.wsgi import never_changes

STATIC = Path(__file__).parent.parent / "continental" / "static"


@pytest.fixture
def collected(tmp_path: Path, settings: Settings) -> StaticStorage:
    """A module that imports two others, and a vendored script whose comment looks like an import."""
    settings.STATIC_ROOT = tmp_path / "static"
    source = FileSystemStorage(location=str(tmp_path / "source"))
    storage = StaticStorage()
    files = {
        "js/table.js": 'import { sum } from "./sum.js";\nimport {\n  bell,\n} from "./live/bell.js";\nsum(bell);\n',
        "js/sum.js": "export const sum = (values) => values;\n" * 20,
        "js/live/bell.js": 'import { sum } from "../sum.js";\nexport const bell = sum;\n',
        "vendor/typed.js": '/** @type {import("../nowhere").Type} */\nexport const typed = 1;\n',
    }
    for name, text in files.items():
        source.save(name, ContentFile(text.encode()))
        storage.save(name, ContentFile(text.encode()))
    for name, _hashed, processed in storage.post_process({name: (source, name) for name in files}):
        assert not isinstance(processed, Exception), (name, processed)
    return storage


def text(collected: StaticStorage, name: str) -> str:
    """What stands in the file ``name`` under its hashed name."""
    return Path(collected.path(collected.stored_name(name))).read_text(encoding="utf-8")


def test_a_module_imports_the_others_under_their_hashed_names(collected: StaticStorage) -> None:
    table = text(collected, "js/table.js")
    bell = text(collected, "js/live/bell.js")
    sum_name, bell_name = collected.stored_name("js/sum.js"), collected.stored_name("js/live/bell.js")
    assert f'"./{Path(sum_name).name}"' in table
    assert f'"./live/{Path(bell_name).name}"' in table
    assert f'"../{Path(sum_name).name}"' in bell


def test_a_type_in_the_comment_of_a_vendored_script_is_left_alone(collected: StaticStorage) -> None:
    name = collected.stored_name("vendor/typed.js")
    assert re.fullmatch(r"vendor/typed\.[0-9a-f]{12}\.js", name)
    assert 'import("../nowhere")' in text(collected, "vendor/typed.js")


def test_a_large_file_is_compressed_once_when_it_is_collected(collected: StaticStorage) -> None:
    assert collected.exists(collected.stored_name("js/sum.js") + ".gz")


def test_only_a_name_with_a_hash_is_kept_for_ever(collected: StaticStorage) -> None:
    assert never_changes("", "/static/" + collected.stored_name("js/sum.js"))
    assert not never_changes("", "/static/js/sum.js")
    assert not never_changes("", "/static/css/site.css")


def test_no_static_file_points_at_a_source_map_or_at_another_site() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix in {".css", ".js"}:
            text = path.read_text(encoding="utf-8")
            assert "sourceMappingURL" not in text, path
            assert not re.search(r"(?:url\(|from |import )['\"]?(?:https?:)?//", text), path


def test_everything_vendored_has_its_licence_beside_it() -> None:
    for folder in (STATIC / "vendor").iterdir():
        assert (folder / "LICENSE").is_file(), folder
