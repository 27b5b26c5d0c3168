"""Options of `surajang study` and `surajang puzzles`."""

from typing import Annotated

from ...protocol.terminal.command_options import Option
from .plan import GAMES

GAMES_HELP = f"Games at each strength up to 1,000 nodes, fewer above.  [default: {GAMES}]"
Games = Annotated[int | None, Option(GAMES_HELP, least=1)]
Hours = Annotated[float | None, Option("Hours that this call may take, after compiling.", least=0.001)]
StudySeed = Annotated[int, Option("Random seed.", least=0, most=2**32)]
Processes = Annotated[int, Option("Number of processes.", least=1, most=256)]

Count = Annotated[int, Option("Puzzles.", least=1)]
JudgeNodes = Annotated[int, Option("Nodes of each search that judges.", least=1_000)]
GameNodes = Annotated[int, Option("Average nodes of a search in the games.", least=1)]
