"""What a button or a list of a page sends: one of a few words, and nothing else is guessed to be one of them."""

from collections.abc import Container

from django.http import QueryDict


class NotOffered(Exception):
    """A form held a word that its page does not offer; ``players.middleware`` turns it into a page that says so.

    Attributes:
        name: the field.
        typed: what it held.
    """

    def __init__(self, name: str, typed: str) -> None:
        super().__init__(name, typed)
        self.name, self.typed = name, typed


def chosen(form: QueryDict, name: str, offered: Container[str], default: str = "") -> str:
    """Give the word that was chosen.

    Args:
        default: what stands for it where the form does not have the field at all.

    Raises:
        NotOffered: it is none of the words offered.
    """
    if name not in form:
        return default
    said = str(form[name])
    if said not in offered:
        raise NotOffered(name, said)
    return said
