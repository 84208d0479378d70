"""The referee by HTTP: the protocol's questions in, its answers out, the bytes of the Python function and the command."""

import threading
from typing import Final

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from continental.rules.errors import BadQuestion
from continental.rules.referee import LONGEST_LINE, MOST_QUESTIONS, answer_read, read_json, write_json

_AT_ONCE: Final = threading.BoundedSemaphore(2)
"""Questions answered at the same time in one process: a thousand hard ones must not take every thread from the tables."""
_PATIENCE: Final = 2.0
"""Seconds that a request waits for its turn."""

EXAMPLE: Final = (
    '{"ask": "turn", "rules": "house", "players": 4, "hand": 1, "actions": [{"do": "open", "melds": ["7H 7D 7S", "KC KD JK"]}]}'
)


# No cookie is read and nothing is written, so there is nothing that another site could make a browser do here.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def api(request: HttpRequest) -> HttpResponse:
    """Answer one question, or a list of at most 1,000; a plain look gets a short page that says how to ask."""
    if request.method != "POST":
        return render(request, "scoring/api.html", {"example": EXAMPLE, "most": MOST_QUESTIONS})
    try:
        asked = read_json(request.body.decode("utf-8"), LONGEST_LINE)
    except RequestDataTooBig:
        return _unreadable(BadQuestion(f"the text is too long: at most {LONGEST_LINE} characters are read", ""), 413)
    except UnicodeDecodeError as error:
        return _unreadable(BadQuestion("the text is not UTF-8", f"byte {error.start + 1}"), 400)
    except UnreadablePostError:
        return _unreadable(BadQuestion("the text broke off", ""), 400)
    except BadQuestion as error:
        return _unreadable(error, 400)
    if not _AT_ONCE.acquire(timeout=_PATIENCE):
        answer = _unreadable(BadQuestion("too many questions at the same time: ask again in a few seconds", ""), 503)
        answer["Retry-After"] = "5"
        return answer
    try:
        return _json(answer_read(asked), 200)
    finally:
        _AT_ONCE.release()


def _json(text: str, status: int) -> HttpResponse:
    return HttpResponse(text, content_type="application/json", status=status)


def _unreadable(error: BadQuestion, status: int) -> HttpResponse:
    return _json(write_json(error.as_dict()), status)
