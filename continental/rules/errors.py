"""The one exception of the rules: a question that cannot be read."""


class BadQuestion(ValueError):
    """A question, a card list or a rule set that cannot be read.

    Args:
        message: what is wrong, in one sentence, naming the offending token.
        at: where it is, as a path into the question such as ``melds[1]`` or ``rules.hands[2].deal``.
    """

    def __init__(self, message: str, at: str) -> None:
        super().__init__(message)
        self.message = message
        self.at = at

    def as_dict(self) -> dict[str, str]:
        """Give the error object of the referee protocol."""
        return {"error": self.message, "at": self.at}
