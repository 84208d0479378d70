"""What is wrong with a play, as a value: a concept to cite, a code to word, and the cards concerned."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


class Fault(NamedTuple):
    """One fault of a meld or of an action.

    Attributes:
        concept: what ``citing.cite`` turns into the rule id of the rule set played.
        code: which sentence of ``wording.SENTENCES`` says it.
        cards: the cards concerned, in the two-letter form.
        params: what the sentence's ``{named}`` places are filled with; ``cards`` fills itself.
    """

    concept: str
    code: str
    cards: tuple[str, ...] = ()
    params: Mapping[str, object] = NOTHING
