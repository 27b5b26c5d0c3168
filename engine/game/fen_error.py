"""The error for a FEN that cannot be set up."""


class FenError(ValueError):
    """A FEN that cannot be set up; the text names the field and what is wrong with it."""


def shown(text: object) -> str:
    """The offending text in quotes, shortened where it is long."""
    return repr(text if len(str(text)) <= 60 else str(text)[:57] + "...")
