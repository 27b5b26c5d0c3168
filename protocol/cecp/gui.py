"""What is known of the program at the other end of a CECP conversation, by the features that it accepts."""


class Gui:
    """XBoard, a program that speaks like it, or a person who types. Nothing is known of it at first."""

    def __init__(self) -> None:
        self._introduced = False
        self._accepted: set[str] = set()
        self._rejected: set[str] = set()

    def introduce(self) -> None:
        """Notes that it has asked for features; a person who types seldom does."""
        self._introduced = True

    def accept(self, feature: str) -> None:
        """Notes that it uses a feature."""
        self._accepted.add(feature)

    def reject(self, feature: str) -> None:
        """Notes that it does not know a feature."""
        self._rejected.add(feature)

    @property
    def is_program(self) -> bool:
        """Whether it has answered: a person or a script seldom does."""
        return bool(self._accepted or self._rejected)

    @property
    def is_xboard(self) -> bool:
        """Whether it takes highlights, as only XBoard does, as far as is known."""
        return "highlight" in self._accepted

    @property
    def keeps_comments(self) -> bool:
        """Whether lines that begin with # may be told."""
        return "debug" not in self._rejected

    @property
    def reads_status(self) -> bool:
        """Whether it reads the status of an analysis. python-chess asks for that with a dot, but does not
        accept `analyze`, and warns of the answer."""
        return "analyze" in self._accepted or not self._introduced
