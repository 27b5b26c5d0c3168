"""The engine against slow models of games without another program."""

import random
from collections import Counter

import pytest
import surajang
from surajang.tests.support import referee_chaotic as chaotic
from surajang.tests.support import referee_vchess as vchess
from surajang.tests.support import referee_xxl as xxl
from surajang.tests.support.games import setup, texts

pytestmark = pytest.mark.compiled


def compare(position, referee):
    """Asserts that the engine and the model agree on a position; returns the model's replies."""
    fen, children = referee.fen(), referee.replies(referee.state)
    assert position.fen() == fen
    assert texts(position) == sorted(children), fen
    assert position.is_check() == referee.is_check(), fen
    assert position.key == position.fresh_key(), fen
    assert position.repetition_key == position.fresh_repetition_key(), fen
    result = position.result()
    assert (result and result.score) == referee.result(), fen
    return children


def play(generator, variant, referee, kind_of, chances, longest):
    """Plays a random game on both sides and yields its positions, kinds of moves, checks and end. The kind of
    a move is drawn first, with the probabilities `chances`, so that rare kinds occur."""
    position = surajang.Position(variant, referee.fen())
    children = compare(position, referee)
    while position.ply < longest and position.result() is None:
        yield "position"
        kinds = {}
        for text, child in sorted(children.items()):
            kinds.setdefault(kind_of(referee.state, text, child), []).append(text)
        kind = generator.choices(sorted(kinds), [chances[kind] for kind in sorted(kinds)])[0]
        text = generator.choice(kinds[kind])
        position.push(text)
        referee.states.append(children[text])
        children = compare(position, referee)
        yield kind
        if position.is_check():
            yield "check"
    yield referee.result()


def is_more_to_play(met, wanted, times, positions=400, most=3000):
    """Whether fewer than `positions` were compared, or what is `wanted` was met fewer than so many `times`;
    no more than `most` positions."""
    enough = met["position"] >= positions and all(met[kind] >= times for kind in wanted)
    return not enough and met["position"] < most


# Pandemonium, vchess edition

VCHESS_STARTS = [
    None,
    "r3k4r/p1p1p1p1p1/10/1P1P1P1P1P/10/10/p1p1p1p1p1/10/1P1P1P1P1P/R3K4R[QMCBNqmcbn] w KQkq - 0 1",
    "r3k4r/4p5/3pP5/10/3p6/5P4/6p3/4P5/2PP4P1/R3K4R[] w Qk - 7 9",
    "2r2km3/4c1p3/2h7/10/5D4/1w8/3PN5/4P3s1/1B1K3P2/R7R1[BPnpp] b - - 3 20",
    "4k5/10/10/3p1r4/10/10/2R2b1P2/10/4B5/4K5[Nq] w - - 0 1",
    "10/1k4n3/10/7P2/10/3p1p4/10/5D4/2r6Q/7K2[] b - - 9 30",
]
VCHESS_CHANCES = {
    **dict.fromkeys(["choice", "castling", "long step", "en passant", "promotion"], 4),
    **{"capture": 5, "drop": 5, "quiet": 5, "kings exposed": 10},
}


def vchess_kind(state, text, child):
    """The kind of a move in the vchess edition."""
    if set("Ss") & set(state.rights) != set("Ss") & set(child.rights):
        return "choice"
    if vchess.kings_face(child.board):
        return "kings exposed"
    if "@" in text:
        return "drop"
    if vchess.castling_right(state, text):
        return "castling"
    if text[-1].isalpha():
        return "promotion"
    if child.crossed:
        return "long step"
    if child.hands[state.turn] != state.hands[state.turn]:
        target = text[1:].lstrip("0123456789")
        return "capture" if state.board[vchess.SQUARE_NAMES.index(target)] else "en passant"
    return "quiet"


def test_engine_and_referee_play_the_same_vchess_games():
    generator = random.Random(1)
    met = Counter()
    wanted = [*VCHESS_CHANCES, "check", "1-0", "0-1"]
    while is_more_to_play(met, wanted, 4, positions=200):
        referee = vchess.VchessReferee(generator.choice(VCHESS_STARTS))
        met.update(play(generator, "pandemonium-vchess", referee, vchess_kind, VCHESS_CHANCES, 40))
    assert all(met[kind] >= 4 for kind in wanted), met


def test_engine_and_referee_agree_on_composed_vchess_positions():
    generator = random.Random(2)
    met = Counter()
    for _ in range(150):
        squares = generator.sample(vchess.SQUARE_NAMES, 2 + generator.choice([1, 4, 12, 40]))
        men = [f"K{squares[0]}", f"k{squares[1]}"]
        for square in squares[2:]:
            letter = generator.choice("QRBNMCPDHSAWGqrbnmcpdhsawg")
            if letter not in "Pp" or square[1:] not in ("1", "10"):
                men.append(letter + square)
        hands = "".join(letter * generator.choice([0, 0, 1]) for letter in "QMCRBNPqmcrbnp")
        referee = vchess.VchessReferee(setup(" ".join(men), hands, generator.choice("wb")))
        if vchess.in_check(referee.state, vchess.OPPONENT[referee.state.turn]):
            with pytest.raises(surajang.FenError):
                surajang.Position("pandemonium-vchess", referee.fen())
            met["refused"] += 1
        else:
            compare(surajang.Position("pandemonium-vchess", referee.fen()), referee)
            met["over" if vchess.kings_face(referee.state.board) else "open"] += 1
    assert all(met[kind] >= 10 for kind in ("refused", "over", "open")), met


# Chaotic Chess

CHAOTIC_STARTS = [
    None,
    "k1n5/2r1m3/p2N2p1/1M1a1M2/2m1A1m1/1P2n2P/2M1R3/5N1K w - - 0 1",
    "1k3m2/2r1m2p/p1P1a1n1/2M2M2/2m2m2/1N1A1p1P/P2M1R2/2M3K1 b - - 93 70",
    "2k5/3m4/1p3p2/2MR1M2/8/2m1rm2/3M2P1/4K3 w - - 0 1",
    "k1m1n3/p7/8/8/8/8/7P/K1M1N3 w - - 88 100",
]
CHAOTIC_CHANCES = {
    **{"quiet": 5, "capture": 4, "custodian capture": 8, "backstab": 10, "bare king": 10, "bump": 4},
    **dict.fromkeys(["stop before the immobilised", "stop before the guarded", "stop before the wedged"], 4),
}


def square_ahead(origin, target):
    """The square behind `target` on the line from `origin`, None at the edge of the board."""
    files, ranks = target % 8 - origin % 8, target // 8 - origin // 8
    direction = ((files > 0) - (files < 0), (ranks > 0) - (ranks < 0))
    return next(iter(chaotic.LINES[target][direction]), None)


def chaotic_kind(state, text, child):
    """The kind of a move in Chaotic Chess."""
    origin, target = (chaotic.SQUARE_NAMES.index(name) for name in (text[:2], text[2:]))
    board, enemy = state.board, chaotic.OPPONENT[state.turn]
    if chaotic.coloured("K", enemy) not in child.board:
        return "backstab"
    if chaotic.finished(child):
        return "bare king"
    if board[origin] in "Mm" and child.board.count(None) > board.count(None):
        return "custodian capture"
    if board[target] is not None:
        return "capture"
    ahead = square_ahead(origin, target)
    if board[origin] not in "Pp" or ahead is None or board[ahead] is None or board[ahead] in "Mm":
        return "quiet"
    if child.board[ahead] is None:
        return "bump"
    if chaotic.immobilised(board, ahead):
        return "stop before the immobilised"
    if chaotic.beside_merchant(board, ahead, chaotic.colour_of(board[ahead])):
        return "stop before the guarded"
    return "stop before the wedged"


def still(board, colour):
    """The pieces of a colour that an enemy merchant immobilises."""
    agents = [square for square, agent in enumerate(board) if chaotic.colour_of(agent) == colour]
    return [square for square in agents if chaotic.immobilised(board, square)]


def chaotic_features(state):
    """The effects of merchants in this position."""
    enemy = chaotic.OPPONENT[state.turn]
    held = still(state.board, state.turn)
    if held:
        yield "immobilised"
    if chaotic.coloured("K", state.turn) in [state.board[square] for square in held]:
        yield "immobilised king"
    if chaotic.coloured("K", state.turn) in state.board:
        king = state.board.index(chaotic.coloured("K", state.turn))
        if any(king in chaotic.agent_targets(state.board, square) for square in still(state.board, enemy)):
            yield "check withheld"
    if chaotic.bare(state.board, state.turn):
        yield "bare"


def test_engine_and_referee_play_the_same_chaotic_games():
    generator = random.Random(3)
    met = Counter()
    features = ("check", "immobilised", "immobilised king", "check withheld", "bare")
    wanted = {*CHAOTIC_CHANCES, *features, "1-0", "0-1", "1/2-1/2"} - {"backstab"}
    while is_more_to_play(met, wanted, 5, positions=800):
        referee = chaotic.ChaoticReferee(generator.choice(CHAOTIC_STARTS))
        met.update(play(generator, "chaotic", referee, chaotic_kind, CHAOTIC_CHANCES, 80))
        met.update(feature for state in referee.states for feature in chaotic_features(state))
    assert all(met[kind] >= 5 for kind in wanted), met


def test_engine_and_referee_agree_on_composed_chaotic_positions():
    generator = random.Random(4)
    met = Counter()
    for _ in range(500):
        board = [None] * 64
        middle = [square for square in range(64) if {square % 8, square // 8}.isdisjoint({0, 7})]
        squares = generator.choice([range(64), middle])
        squares = generator.sample(squares, 2 + generator.choice([2, 6, 12, 20]))
        letters = generator.choice(["NARMPnarmp", "MMNmmn", "MMPRmmpr", "MPPmppn", "PpMm"])
        for square, agent in zip(squares, ["K", "k", *generator.choices(letters, k=62)], strict=False):
            board[square] = agent
        state = chaotic.State(board, generator.choice("wb"), 0, 1)
        referee = chaotic.ChaoticReferee(chaotic.write_fen(state))
        if chaotic.in_check(board, chaotic.OPPONENT[state.turn]):
            with pytest.raises(surajang.FenError):
                surajang.Position("chaotic", referee.fen())
            met["refused"] += 1
            continue
        met.update(play(generator, "chaotic", referee, chaotic_kind, CHAOTIC_CHANCES, 3))
        met.update(feature for state in referee.states for feature in chaotic_features(state))
    features = ("refused", "position", "check", "immobilised", "immobilised king", "check withheld", "bare")
    assert all(met[kind] >= 5 for kind in (*CHAOTIC_CHANCES, *features)), met


# XXL Chess. The model knows no dead positions, and these games stay away from them.

XXL_STARTS = [
    None,
    "r6k5r/pp10pp/3n10/14/4c4m4/2p6p4/7p6/3P6P3/2e6P4/5H8/14/5M8/PP10PP/R6K5R w KQkq - 0 1",
    "7k6/14/14/6b7/4r3c5/1A12/7p6/P1P4P6/14/14/5q8/14/14/7K6 w - - 90 70",
    "7k6/p5pp6/14/14/2e8m2/14/5A8/14/14/4C9/14/3Q10/P5PP6/7K6 b - - 0 1",
]
XXL_CHANCES = {"castling": 20, "promotion": 4, "capture": 5, "long step": 3, "quiet": 5}


def xxl_kind(state, text, child):
    """The kind of a move in XXL Chess."""
    if text[-1] == "q":
        return "promotion"
    if text in ("h1m1", "h1c1", "h14m14", "h14c14") and state.rights != child.rights:
        return "castling"
    if child.crossed is not None:
        return "long step"
    return "capture" if child.board.count(None) > state.board.count(None) else "quiet"


def test_engine_and_referee_play_the_same_xxl_games():
    generator = random.Random(5)
    met = Counter()
    wanted = (*XXL_CHANCES, "check")
    while is_more_to_play(met, wanted, 5, positions=150):
        referee = xxl.XxlReferee(generator.choice(XXL_STARTS))
        met.update(play(generator, "xxl", referee, xxl_kind, XXL_CHANCES, 25))
    assert all(met[kind] >= 5 for kind in wanted), met
