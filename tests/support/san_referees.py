"""SAN as other programs write it: python-chess for its games, Fairy-Stockfish for the other
games."""

import random
import re

import chess
import chess.variant
import pyffish
from surajang import Position
from surajang.protocol.uci.notation import UciNotation
from surajang.tests.support.games import DATA
from surajang.tests.support.soak_judges import (
    CANNON_SHOGI,
    EUROSHOGI,
    JANGGI,
    MAKRUK,
    MINISHOGI,
    MINIXIANGQI,
    SHOGI,
    XIANGQI,
    configure,
)

BOARDS = {
    **{"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard},
    **{"3check": chess.variant.ThreeCheckBoard, "antichess": chess.variant.AntichessBoard},
    **{"atomic": chess.variant.AtomicBoard, "horde": chess.variant.HordeBoard},
    "racingkings": chess.variant.RacingKingsBoard,
}
FAIRY = {  # our name of a game -> Fairy-Stockfish's
    **{name: name for name in ("capablanca", "capahouse", "grand", "shako", "placement")},
    **{"kingofthehill": "kingofthehill", "knightmate": "knightmate", "pandemonium": "pandemonium10"},
    **{"janggi": JANGGI, "minishogi": MINISHOGI, "shogi": SHOGI, "xiangqi": XIANGQI, "makruk": MAKRUK},
    **{"minixiangqi": MINIXIANGQI, "euroshogi": EUROSHOGI, "cannonshogi": CANNON_SHOGI},
}
# Letters of pieces that are of a kind there
ONE_KIND = {"shogi": "GTAEM", "minishogi": "GTN", "euroshogi": "GTM", "cannonshogi": "GTMEXZVYJ"}
LETTERS = {  # Fairy-Stockfish's letters of pieces -> ours
    **{"xiangqi": {"H": "N", "E": "B"}, "minixiangqi": {"H": "N"}, "janggi": {"H": "N", "B": "E"}},
}
NOTATIONS = {
    "san": pyffish.NOTATION_SAN,
    "hodges": pyffish.NOTATION_SHOGI_HODGES,
    "hodges-numbers": pyffish.NOTATION_SHOGI_HODGES_NUMBER,
    "hosking": pyffish.NOTATION_SHOGI_HOSKING,
    "wxf": pyffish.NOTATION_XIANGQI_WXF,
    "korean": pyffish.NOTATION_JANGGI,
}


def random_games(variant, count, seed, longest=120):
    """Lists of (position, its next move) of random games, with `count` moves in all; every kind of move has
    an equal chance."""
    chance = random.Random(seed)
    while count:
        position, game = Position(variant), []
        while position.result() is None and len(game) < min(count, longest):
            kinds = {}
            for move in sorted(position.legal_moves(), key=str):
                takes = bool(move.from_square is not None and position.letter_at(move.to_square))
                kind = (move.is_drop, move.is_promotion, move.is_castling, takes)
                kinds.setdefault(kind, []).append(move)
            move = chance.choice(kinds[chance.choice(sorted(kinds))])
            game.append((position.copy(), move))
            position.push(move)
        count -= len(game)
        yield game


def random_positions(variant, count, seed):
    """Positions of random games."""
    return [position for game in random_games(variant, count, seed) for position, _ in game]


def python_chess_san(position):
    """Move -> SAN of all legal moves; a dropped pawn has its letter, as XBoard and Fairy-Stockfish write
    it."""
    board = BOARDS[position.variant](position.fen())
    return {
        str(move): re.sub("^@", "P@", board.san(board.parse_uci(str(move))))
        for move in position.legal_moves()
    }


def fairy_texts(game, notation):
    """Fairy-Stockfish's text of each move of a game, in our letters. It needs two milliseconds for a game,
    and as many for a single move."""
    configure()
    start = game[0][0]
    variant, spelling = FAIRY[start.variant], UciNotation(start.description)
    if variant == "pandemonium10" and variant not in pyffish.variants():
        pyffish.load_variant_config((DATA / "pandemonium10.ini").read_text())
    moves = [spelling.write_move(move) for _, move in game]
    fen = spelling.write_fen(start.fen())
    texts = pyffish.get_san_moves(variant, fen, moves, False, NOTATIONS[notation])
    return [
        _in_our_letters(position, move, text) if notation == "san" else text
        for (position, move), text in zip(game, texts, strict=True)
    ]


def _in_our_letters(position, move, text):
    """Fairy-Stockfish writes a pass as the king's move, and its letters of a few games differ."""
    if move.is_pass:
        return "--"
    if other := LETTERS.get(position.variant, {}).get(text[0]):
        text = other + text[1:]
    return text


def comparable(position, move, text):
    """What can be compared of a move's SAN here and in Fairy-Stockfish.

    For it several promoted pieces of shogi are golds, and so are the forms of cannons one piece; they have
    letters of their own here, which distinguish them. Its `#` is a mate, ours any win on the board."""
    piece = "" if move.from_square is None else (position.letter_at(move.from_square) or "").upper()
    if piece and piece in ONE_KIND.get(position.variant, ""):
        text = re.search(r"x?[a-p]\d+(=.)?[+#]?$", text)[0]
    if move.is_promotion and position.variant in ONE_KIND:
        text = re.sub("=[A-Z]", "=", text)
    after = position.copy()
    after.push(move)
    return text if after.is_check() else text.removesuffix("#")
