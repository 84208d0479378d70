"""What a search may look at before it gives up."""


class TooLarge(Exception):
    """A search met its budget."""


class Budget:
    """The steps that are left; shared by all searches of one question."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Count steps.

        Raises:
            TooLarge: the budget is used up.
        """
        self.left -= steps
        if self.left < 0:
            raise TooLarge
