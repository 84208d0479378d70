"""The site's settings, with what a test run needs: quick passwords, plain static names, a database file of its own."""

from continental.settings import *  # noqa: F403
from continental.settings import DATABASES, STORAGES, VAR_DIR

STATIC_ROOT = VAR_DIR / "test-static"
STATIC_ROOT.mkdir(exist_ok=True)  # a server looks into it when it is made
MEDIA_ROOT = VAR_DIR / "test-media"
PHOTO_DIR = VAR_DIR / "test-photos"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file and not memory: the server of the browser tests runs in threads of its own.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
