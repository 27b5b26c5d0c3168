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


def random_positions(variant, count, seed, longest=120):
    """Positions of random games, each before its next move; every kind of move has an equal chance."""
    chance = random.Random(seed)
    while True:
        position = Position(variant)
        while position.result() is None and position.ply < longest:
            yield position
            count -= 1
            if not count:
                return
            kinds = {}
            for move in sorted(position.legal_moves(), key=str):
                takes = bool(move.from_square is not None and position.letter_at(move.to_square))
                kind = (move.is_drop, move.is_promotion, move.is_castling, takes)
                kinds.setdefault(kind, []).append(move)
            position.push(chance.choice(kinds[chance.choice(sorted(kinds))]))


def python_chess_san(position):
    """Move -> SAN of all legal moves; a dropped pawn has its letter, as XBoard and Fairy-Stockfish write
    it."""
    board = BOARDS[position.variant](position.fen())
    return {
        str(move): re.sub("^@", "P@", board.san(board.parse_uci(str(move))))
        for move in position.legal_moves()
    }


def fairy_san(position):
    """Move -> SAN of all legal moves by Fairy-Stockfish, in our letters."""
    configure()
    variant = FAIRY[position.variant]
    if variant == "pandemonium10" and variant not in pyffish.variants():
        pyffish.load_variant_config((DATA / "pandemonium10.ini").read_text())
    notation, found = UciNotation(position.description), {}
    fen = notation.write_fen(position.fen())
    for move in position.legal_moves():
        text = pyffish.get_san(variant, fen, notation.write_move(move), False, pyffish.NOTATION_SAN)
        found[str(move)] = _in_our_letters(position, move, text)
    return found


TRADITIONAL = {
    "hodges": pyffish.NOTATION_SHOGI_HODGES,
    "hodges-numbers": pyffish.NOTATION_SHOGI_HODGES_NUMBER,
    "hosking": pyffish.NOTATION_SHOGI_HOSKING,
    "wxf": pyffish.NOTATION_XIANGQI_WXF,
    "korean": pyffish.NOTATION_JANGGI,
}


def fairy_notation(position, notation, moves):
    """Move -> its text by Fairy-Stockfish in one of the TRADITIONAL notations."""
    configure()
    variant, spelling = FAIRY[position.variant], UciNotation(position.description)
    fen = spelling.write_fen(position.fen())
    return {
        move: pyffish.get_san(variant, fen, spelling.write_move(move), False, TRADITIONAL[notation])
        for move in moves
    }


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
