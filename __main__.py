"""`python -m surajang` is the command `surajang`."""

import os
import sys


def main() -> None:
    """Talks to a GUI if there are no arguments, else carries out a command.

    The library that reads arguments is not imported for a GUI, which waits."""
    if len(sys.argv) == 1 and "SURAJANG_VARIANT_FILE" not in os.environ:
        from surajang.protocol.conversation import converse

        converse()
    else:
        from surajang.cli import main as command

        command()


if __name__ == "__main__":
    main()
