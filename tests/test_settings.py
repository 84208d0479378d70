"""What the environment says, and what the site makes of it."""

import runpy
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from continental import checks

SETTINGS = Path(__file__).parent.parent / "continental" / "settings.py"
SECRET = "an-example-secret-of-more-than-32-characters"

Load = Callable[..., dict[str, Any]]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Load:
    """Runs the settings file anew under the given variables, with a fresh folder to keep things in."""

    def run(**environment: str) -> dict[str, Any]:
        for name in checks.IDS:
            monkeypatch.delenv(name, raising=False)
        for name, value in {"VAR_DIR": str(tmp_path / "var"), **environment}.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(SETTINGS))

    return run


WRONG = [
    ("SECRET_KEY", "short", "continental.E001", "fewer than 32"),
    ("DATABASE_URL", "mysql://ana@localhost/scores", "continental.E002", "begins with 'mysql'"),
    ("DATABASE_URL", "scores.db", "continental.E002", "begins with 'scores.db'"),
    ("DATABASE_URL", "sqlite://:memory:", "continental.E002", "names no database"),
    ("DATABASE_URL", "postgresql://ana@localhost", "continental.E002", "names no database"),
    ("DATABASE_URL", "postgresql://ana@localhost:port/scores", "continental.E002", "port"),
    ("DATABASE_POOL_SIZE", "0", "continental.E003", "from 1 up"),
    ("DATABASE_POOL_SIZE", "many", "continental.E003", "from 1 up"),
    ("DEBUG", "maybe", "continental.E004", "neither on nor off"),
    ("HTTPS", "https", "continental.E005", "neither on nor off"),
    ("BEHIND_PROXY", "2", "continental.E006", "neither on nor off"),
    ("ALLOWED_HOSTS", "https://rummy.example.org/", "continental.E007", "leave out the scheme"),
    ("LAN_HOSTS", "my laptop", "continental.E008", "leave out the scheme"),
    ("CSRF_TRUSTED_ORIGINS", "rummy.example.org", "continental.E009", "is not an origin"),
    ("CSRF_TRUSTED_ORIGINS", "https://rummy.example.org/game", "continental.E009", "is not an origin"),
    ("LANGUAGE_CODE", "tlh", "continental.E010", "en, es"),
    ("TIME_ZONE", "Madrid", "continental.E011", "Europe/Madrid"),
    ("LOG_LEVEL", "LOUD", "continental.E012", "WARNING"),
    ("VAR_DIR", "var", "continental.E013", "absolute"),
    ("VAR_DIR", str(SETTINGS), "continental.E013", "is a file"),
]


@pytest.mark.parametrize(("name", "value", "identity", "says"), WRONG)
def test_a_wrong_value_is_a_system_check_and_the_default_stands_in(
    name: str, value: str, identity: str, says: str, load: Load, settings: Settings
) -> None:
    wrong, right = load(**{name: value}), load()
    settings.ENVIRONMENT_PROBLEMS = wrong["ENVIRONMENT_PROBLEMS"]

    (error,) = checks.environment_is_usable(None)

    assert error.id == identity
    assert name in error.msg
    assert says in error.msg
    if name in {"DEBUG", "HTTPS", "LANGUAGE_CODE", "TIME_ZONE", "ALLOWED_HOSTS", "DATABASE_POOL_SIZE", "LOG_LEVEL"}:
        assert wrong[name] == right[name]


def test_every_variable_that_can_be_wrong_has_an_id_and_a_test() -> None:
    assert {name for name, *_rest in WRONG} == set(checks.IDS)
    assert {identity for _name, _value, identity, _says in WRONG} == set(checks.IDS.values())
    assert len(set(checks.IDS.values())) == len(checks.IDS)


def test_an_empty_environment_has_no_problem_and_keeps_its_scores_in_sqlite(load: Load, tmp_path: Path) -> None:
    loaded = load()
    assert loaded["ENVIRONMENT_PROBLEMS"] == {}
    database = loaded["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.sqlite3"
    assert database["NAME"] == str(tmp_path / "var" / "continental.sqlite3")
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]
    assert not database.get("ATOMIC_REQUESTS")


def test_postgresql_gets_a_pool_and_keeps_the_options_of_its_address(load: Load) -> None:
    database = load(DATABASE_URL="postgresql://ana:pw@db:5433/scores?sslmode=require", DATABASE_POOL_SIZE="3")["DATABASES"][
        "default"
    ]
    assert (database["ENGINE"], database["NAME"], database["USER"]) == ("django.db.backends.postgresql", "scores", "ana")
    assert (database["HOST"], database["PORT"]) == ("db", 5433)
    assert database["OPTIONS"]["sslmode"] == "require"
    assert database["OPTIONS"]["pool"]["max_size"] == 3
    assert not database.get("CONN_MAX_AGE")


def test_the_secret_is_made_once_and_only_its_owner_can_read_it(load: Load, tmp_path: Path) -> None:
    first, second = load()["SECRET_KEY"], load()["SECRET_KEY"]
    kept = tmp_path / "var" / "secret-key"
    assert first == second == kept.read_text(encoding="ascii")
    assert len(first) >= 50
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_secret_of_the_environment_is_taken_and_none_is_kept(load: Load, tmp_path: Path) -> None:
    assert load(SECRET_KEY=SECRET)["SECRET_KEY"] == SECRET
    assert not (tmp_path / "var" / "secret-key").exists()


def test_cookies_are_secure_over_https_and_come_back_over_plain_http(load: Load) -> None:
    plain, secure = load(), load(HTTPS="1")
    for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "LANGUAGE_COOKIE_SECURE", "SECURE_SSL_REDIRECT"):
        assert plain[name] is False
        assert secure[name] is True
    assert plain["SECURE_HSTS_SECONDS"] == 0
    assert secure["SECURE_HSTS_SECONDS"] > 0


def test_the_forwarded_scheme_is_believed_only_behind_a_proxy(load: Load) -> None:
    assert load()["SECURE_PROXY_SSL_HEADER"] is None
    assert load(BEHIND_PROXY="yes")["SECURE_PROXY_SSL_HEADER"] == ("HTTP_X_FORWARDED_PROTO", "https")


def test_the_hosts_of_the_lan_are_added_to_the_allowed_ones(load: Load) -> None:
    hosts = load(ALLOWED_HOSTS="rummy.example.org", LAN_HOSTS="192.0.2.7, kitchen.local")["ALLOWED_HOSTS"]
    assert hosts == ["rummy.example.org", "192.0.2.7", "kitchen.local"]


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere(load: Load) -> None:
    directives = load()["CONTENT_SECURITY_POLICY"]["DIRECTIVES"]
    sources = {source for values in directives.values() for source in values}
    assert directives["default-src"] == ["'none'"]
    assert directives["script-src"] == directives["style-src"] == ["'self'"]
    assert sources == {"'none'", "'self'", "data:"}
    assert [name for name, values in directives.items() if "data:" in values] == ["img-src"]
