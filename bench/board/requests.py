"""What a page asks that makes no sense."""


class RequestError(ValueError):
    """A request that cannot be done; `where` is the part of the page that should show the text."""

    def __init__(self, text, where="general"):
        super().__init__(text)
        self.where = where
