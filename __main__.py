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
        import signal

        pythons = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if pythons:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # an import that is interrupted shows a traceback
        from surajang.cli import main as command

        if pythons:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        command()


if __name__ == "__main__":
    main()
