"""`python -m surajang` is the command `surajang`."""

from surajang.protocol.cli import main

if __name__ == "__main__":
    main()
