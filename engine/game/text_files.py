"""Decodes text files of other programs in several encodings."""

import codecs

BOM = "\ufeff"
UTF_16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
LATIN_1 = "surajang-latin-1"  # an error handler: bytes that are not UTF-8 are Latin-1, as in older files


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(LATIN_1, _as_latin_1)


def fault_of(error: Exception) -> str:
    """Why a file cannot be read or written, without its name."""
    return getattr(error, "strerror", None) or str(error)


def decode(data: bytes) -> str:
    """The decoded text, with its line ends unchanged: UTF-8, with Latin-1 for bytes that are not UTF-8, or
    UTF-16 with a byte order mark."""
    if data[:2] in UTF_16_BOMS:
        return data.decode("utf-16", errors="replace")
    return data.decode("utf-8", errors=LATIN_1).removeprefix(BOM)
