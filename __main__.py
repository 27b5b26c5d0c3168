"""`python -m surajang` is the command `surajang`."""

import errno
import os
import sys

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # errors of a disk that takes no more


def main() -> None:
    """Starts a conversation with a GUI if there are no arguments, otherwise carries out a command. The
    library for arguments is not imported for a GUI, which waits."""
    if len(sys.argv) == 1 and "SURAJANG_VARIANT_FILE" not in os.environ:
        from surajang.protocol.conversation import converse

        converse()
    else:
        import signal

        from surajang.engine.garbage import collect_seldom

        collect_seldom()
        pythons = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if pythons:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # an import that is interrupted shows a traceback
        from surajang.cli import main as command

        if pythons:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            command()
        except OSError as error:
            if error.filename is not None or error.errno not in FULL:
                raise
            # Python would write what is left in its buffer at its end, and fail again
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            sys.exit(f"Error: the output cannot be written: {error.strerror}")


if __name__ == "__main__":
    main()
