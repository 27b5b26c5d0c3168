"""Facts about the program at the other end of a CECP conversation, from the features that it accepts."""


class Gui:
    """XBoard, another program, or a person who types. Nothing is known of it at first."""

    def __init__(self) -> None:
        self._introduced = False
        self._accepted: set[str] = set()
        self._rejected: set[str] = set()

    def introduce(self) -> None:
        """Records that it has asked for features; people who type seldom do."""
        self._introduced = True

    def accept(self, feature: str) -> None:
        """Records that it uses a feature."""
        self._accepted.add(feature)

    def reject(self, feature: str) -> None:
        """Records that it does not know a feature."""
        self._rejected.add(feature)

    @property
    def is_program(self) -> bool:
        """Whether it has answered, which people and scripts seldom do."""
        return bool(self._accepted or self._rejected)

    @property
    def is_xboard(self) -> bool:
        """Whether it takes highlights, as only XBoard does, as far as is known."""
        return "highlight" in self._accepted

    @property
    def keeps_comments(self) -> bool:
        """Whether it accepts lines that begin with #."""
        return "debug" not in self._rejected

    @property
    def reads_status(self) -> bool:
        """Whether it reads the status of an analysis. python-chess asks for it with a dot, but does not
        accept `analyze`, and warns about the answer."""
        return "analyze" in self._accepted or not self._introduced
