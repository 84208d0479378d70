"""The referee: one question in, one answer out, as plain data (the protocol's ``answer``).

The Python function, the command line, HTTP and the site all come through here, so that they cannot disagree. A question
that cannot be read has an error object for its answer, never an exception.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from continental.rules import irregularities
from continental.rules.arranging import answer_arrange
from continental.rules.errors import BadQuestion
from continental.rules.reading import mapping, one_of
from continental.rules.score_answers import answer_count, answer_deal, answer_game, answer_hand, answer_resume, answer_size
from continental.rules.turn_answers import answer_turn

Answer = dict[str, Any]

ASKS: Final[dict[str, Callable[[Mapping[str, Any]], Answer]]] = {
    "turn": answer_turn,
    "arrange": answer_arrange,
    "count": answer_count,
    "hand": answer_hand,
    "game": answer_game,
    "deal": answer_deal,
    "size": answer_size,
    "resume": answer_resume,
    "ruling": irregularities.answer,
}
"""Who answers which ``ask``. Each takes the whole question, checks its keys itself, and raises :class:`BadQuestion`."""

LONGEST_LINE: Final = 1_000_000
"""Longest JSON text of one question that is read, in characters."""

MOST_QUESTIONS: Final = 1000
"""Most questions in one request."""


def answer(question: object) -> Answer:
    """Answer one question of the referee protocol.

    Args:
        question: the question as plain data, as ``json.loads`` gives it. It is not changed.

    Returns:
        The answer, or ``{"error": sentence, "at": place}`` for a question that cannot be read.
    """
    try:
        return _answer(question)
    except BadQuestion as error:
        return error.as_dict()
    except RecursionError:
        return BadQuestion("the question is nested too deeply", "").as_dict()


def _answer(question: object) -> Answer:
    asked = mapping(question, "")
    if "ask" not in asked:
        raise BadQuestion("the key “ask” is missing", "ask")
    return ASKS[one_of(asked["ask"], "ask", tuple(ASKS))](asked)


def answer_line(line: str) -> str:
    """Answer one question written as a JSON object: one line in, one line out, without line ends."""
    try:
        question = read_json(line, LONGEST_LINE)
    except BadQuestion as error:
        return write_json(error.as_dict())
    return write_json(answer(question))


def answer_body(body: str) -> str:
    """Answer a request that holds one question, or a list of at most 1,000: the list of their answers, in order."""
    try:
        asked = read_json(body, LONGEST_LINE)
    except BadQuestion as error:
        return write_json(error.as_dict())
    return answer_read(asked)


def answer_read(asked: object) -> str:
    """Answer what the JSON of a request says: the second half of :func:`answer_body`."""
    if not isinstance(asked, list):
        return write_json(answer(asked))
    if len(asked) > MOST_QUESTIONS:
        return write_json(BadQuestion(f"at most {MOST_QUESTIONS} questions are answered at once, not {len(asked)}", "").as_dict())
    return write_json([answer(question) for question in asked])


def read_json(text: str, longest: int) -> object:
    """Read a JSON text as strictly as the standard is written.

    Raises:
        BadQuestion: too long, no JSON, a key given twice, or a number that JSON does not have (``NaN``).
    """
    if len(text) > longest:
        raise BadQuestion(f"the text is too long: {len(text)} characters, at most {longest} are read", "")
    try:
        return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise BadQuestion("this is not JSON", f"character {error.pos + 1}") from None
    except RecursionError:
        raise BadQuestion("the text is nested too deeply", "") from None
    except BadQuestion:
        raise
    except ValueError:
        raise BadQuestion("a number is too large", "") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise BadQuestion(f"the key “{twice[:40]}” is given twice", twice[:40])
    return read


def _no_number(word: str) -> NoReturn:
    raise BadQuestion(f"“{word}” is not a number in JSON", "")


def write_json(value: object) -> str:
    """Write an answer in its one canonical form: no spaces, keys in the order of the protocol, ASCII only."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
