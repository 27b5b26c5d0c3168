"""The tags of a game: names and values, the seven of the PGN standard first."""

import re
from collections.abc import Iterator, Mapping, MutableMapping

ROSTER = {
    **{"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"},
    "Result": "*",
}
UNKNOWN = "?"
SHOWN = 40  # characters of an offending text
_CONTROLS = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff]")
DASHES = "-\u2013\u2014:"  # between the points of a result
# A pattern: how games end
RESULT = rf"1[{DASHES}]0|0[{DASHES}]1|1/2[{DASHES}]1/2|1/2|½[{DASHES}]½|\*"
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


class Headers(MutableMapping[str, str]):
    """Tags by name, in the order of the PGN standard; others follow in the order in which they were set."""

    def __init__(self, tags: Mapping[str, str] | None = None) -> None:
        self._tags: dict[str, str] = {}
        if isinstance(tags, Headers):
            self._tags.update(tags._tags)
        else:
            self.update(tags or {})

    @classmethod
    def with_roster(cls, tags: "Mapping[str, str] | None" = None) -> "Headers":
        """The seven standard tags, with "?" if `tags` lack them, and the other ones."""
        headers = cls(tags)
        headers._tags = ROSTER | headers._tags
        return headers

    def __setitem__(self, name: str, value: object) -> None:
        if not re.fullmatch(r"[\w+#=:-]+", name):
            raise ValueError(f"{name!r} is not the name of a tag; names are like 'White'")
        self._tags[name] = str(value)

    def set_read(self, name: str, value: str) -> None:
        """Sets a tag whose name a reader has checked."""
        self._tags[name] = value

    def __getitem__(self, name: str) -> str:
        return self._tags[name]

    def __delitem__(self, name: str) -> None:
        del self._tags[name]

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in ROSTER if name in self._tags)
        yield from (name for name in list(self._tags) if name not in ROSTER)

    def __len__(self) -> int:
        return len(self._tags)

    def copy(self) -> "Headers":
        """An independent copy."""
        return Headers(self._tags)

    def __repr__(self) -> str:
        return f"Headers({dict(self)!r})"


def single_line(text: str) -> str:
    """The text on one line, with single spaces and without control characters."""
    if not text.isprintable():
        text = _CONTROLS.sub(" ", text)
    return " ".join(text.split())


def escape(value: object) -> str:
    """The value of a tag as in PGN: on one line, quotes and backslashes escaped, `?` if empty."""
    text = single_line(str(value)) or UNKNOWN
    return text.replace("\\", "\\\\").replace('"', '\\"')


def plain_result(text: str) -> str:
    """A result in the standard spelling; unknown text is unchanged."""
    if text in RESULTS:
        return text
    plain = re.sub(f"[{DASHES}]", "-", text.strip()).replace("½", "1/2")
    plain = "1/2-1/2" if plain == "1/2" else plain
    return plain if plain in RESULTS else text


def shown(text: str) -> str:
    """The wrong text in quotes, shortened if it is long."""
    text = text.strip()
    return repr(text if len(text) <= SHOWN else text[: SHOWN - 3] + "...")
