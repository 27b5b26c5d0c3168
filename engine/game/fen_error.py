"""The error for a FEN that cannot be set up."""


class FenError(ValueError):
    """A FEN that cannot be set up; the text names the field and the fault."""


def shown(text: object) -> str:
    """The wrong text in quotes, shortened if it is long."""
    return repr(text if len(str(text)) <= 60 else str(text)[:57] + "...")
