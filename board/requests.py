"""The error of a request from a page that cannot be done."""


class RequestError(ValueError):
    """A request that cannot be done; `where` is the part of the page that should show the text."""

    def __init__(self, text: str, where: str = "general") -> None:
        super().__init__(text)
        self.where = where
