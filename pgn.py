"""Games of any variant in PGN: read, changed and written, with variations, comments and glyphs.

The names are those of python-chess's `chess.pgn` where the meaning is the same.

>>> import io, surajang.pgn
>>> game = surajang.pgn.read_game(io.StringIO("1. e4 e5 (1... c5 {Sicilian}) 2. Nf3! *"))
>>> [node.san() for node in game.mainline()]
['e4', 'e5', 'Nf3']
>>> game.variation(0).variation(1).comment
'Sicilian'
>>> game.end().position().fen()
'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'

A game with an illegal move is loaded up to it, and `errors` says where reading stopped.

>>> game = surajang.pgn.read_game(io.StringIO("1. e4 e5 2. Ke3 Nc6 *"))
>>> [str(error) for error in game.errors]
["line 1: move 'Ke3': the King on e1 cannot go to e3"]
>>> len(list(game.mainline()))
2

Games of other variants name theirs by the tag Variant.

>>> game = surajang.pgn.Game("crazyhouse")
>>> node = game.add_line(["e4", "d5", "exd5", "Nf6"])
>>> print(game.accept(surajang.pgn.StringExporter(headers=False)))
1. e4 d5 2. exd5 Nf6 *
"""

from .engine.notation.comments import WhiteScore
from .engine.notation.game_tree import Game, GameNode
from .engine.notation.headers import Headers
from .engine.notation.lines import open_pgn as open
from .engine.notation.nulls import NULL
from .engine.notation.reading import parse_game, read_game, read_games, read_headers, scan_games, skip_game
from .engine.notation.scanning import GameText, PgnError
from .engine.notation.writing import FileExporter, StringExporter

__all__ = [
    "NULL",
    "FileExporter",
    "Game",
    "GameNode",
    "GameText",
    "Headers",
    "PgnError",
    "StringExporter",
    "WhiteScore",
    "open",
    "parse_game",
    "read_game",
    "read_games",
    "read_headers",
    "scan_games",
    "skip_game",
]
