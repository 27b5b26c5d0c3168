"""The order of moves: every legal move comes once, and illegal ones do no harm."""

from functools import cache

import numpy as np
import pytest
from surajang import Position
from surajang.engine.game.moves import ACTION_SHIFT, ACTIONS, EN_PASSANT, spell
from surajang.search.tree.picker import CAPTURES_ONLY, EVERYTHING, WITH_CHECKS
from surajang.search.tree.tunable import tuned_values
from surajang.tests.support.games import setup
from surajang.tests.support.inside import Inside, codes, walked

pytestmark = pytest.mark.compiled

COUNT = 120
# Starts of the games, besides the normal one: positions that it seldom reaches.
BEGINNINGS = {
    "pandemonium": (
        setup("Ke1 ke10 Pd3 pd8", "QMCRBNP" * 3 + "qmcrbnp" * 3),
        setup("Ke1 Ra9 Bc9 Nh8 Pb9 Pf9 Pe6 pd3 kj10 rj2 bh2 pg2", "QP" + "qp"),
    ),
    "crazyhouse": ("r1bqk2r/ppp2ppp/2n2n2/4p3/4P3/2N2N2/PPP2PPP/R1BQK2R[QRBNPqrbnp] w KQkq - 0 1",),
    "janggi": ("3k5/R8/9/4c4/2p1P4/9/4C4/9/4A4/4K3R w - - 0 1",),
    "chaotic": ("7n/8/8/2Mk4/5M2/8/8/K7 b - - 0 1",),
    "pandemonium-vchess": (setup("Ke1 Ra9 Bc9 Nh8 Pb9 Pf9 kj10 rj2 bh2", "QRBNP" * 2 + "qrbnp" * 2),),
    "chess": ("r3k2r/P1pp1ppp/8/2Pp4/8/8/p1PP1PPP/R3K2R w KQkq - 0 1",),
    "minishogi": ("2k2/P4/5/4p/2K2[RBGSrbgs] w - - 0 1",),
}
GAMES = tuple(BEGINNINGS)
every_game = pytest.mark.parametrize("variant", GAMES)


@cache
def inside(variant):
    return Inside(variant)


@cache
def positions(variant):
    """Positions of random games, those of `BEGINNINGS` among them."""
    begun = [Position(variant, fen) for fen in (None, *BEGINNINGS[variant])]
    return [*begun, *walked(variant, (None, *BEGINNINGS[variant]), COUNT, seed=len(variant))]


def same(moves, others):
    """Whether both have the same moves, without duplicates."""
    return np.array_equal(np.sort(moves), np.sort(others))


def without(moves, others):
    return moves[~np.isin(moves, others)]


@every_game
def test_positions_are_of_many_kinds(variant):
    """The positions of the following tests."""
    found = positions(variant)
    moves = [move for position in found for move in position.legal_moves()]
    assert sum(position.is_check() for position in found) >= 2
    if found[0].rules.drops:
        assert sum(move.is_drop for move in moves) > 1000
    assert any(move.is_pass for move in moves) == (variant == "janggi")
    assert any(move.is_choice for move in moves) == (variant == "pandemonium-vchess")
    assert any(move.is_promotion for move in moves) == (variant not in ("janggi", "chaotic"))


@every_game
def test_every_legal_move_comes_once(variant):
    inner = inside(variant)
    for position in positions(variant):
        legal = inner.show(position)
        assert same(inner.picked(), legal), position.fen()


@every_game
def test_table_move_comes_first_and_only_then(variant):
    inner = inside(variant)
    for position in positions(variant)[::2]:
        legal = inner.show(position)
        for table_move in legal[:: 1 + len(legal) // 25]:
            found = inner.picked(table_move=table_move)
            assert found[0] == table_move
            assert same(found, legal), (position.fen(), str(spell(int(table_move), inner.description)))


@every_game
def test_tactical_and_quiet_moves_are_all_moves(variant):
    inner = inside(variant)
    for position in positions(variant):
        legal = inner.show(position)
        tactical, quiet = inner.parts()
        assert same(np.concatenate([tactical, quiet]), legal), position.fen()
        assert not np.isin(tactical, quiet).any()
        judged, *_ = inner.judged(tactical)
        assert not judged.any(), position.fen()


@every_game
def test_quiet_moves_neither_capture_nor_promote(variant):
    inner = inside(variant)
    for position in positions(variant)[::3]:
        moves = position.legal_moves()
        inner.show(position)
        quiet, *_ = inner.judged(codes(moves))
        for move, judged in zip(moves, quiet, strict=True):
            assert judged == (not takes(position, move) and not move.is_promotion), (
                position.fen(),
                str(move),
            )


def takes(position, move):
    """Whether a move of a piece captures, also en passant."""
    if move.is_drop or move.is_pass or move.is_choice:
        return False
    at_target = position.letter_at(move.to_square)
    if at_target is not None:
        return at_target.isupper() != (position.turn == 0)
    return is_en_passant(position, move)


def is_en_passant(position, move):
    """Whether a move to an empty square is a pawn's capture."""
    piece = position.description.piece(position.letter_at(move.from_square).upper())
    straight = (move.to_square - move.from_square) % position.rules.files == 0
    return piece.en_passant and not straight


def is_harmless(position, code):
    """Whether a move makes a position with consistent keys and both kings; it need not be legal."""
    after = position.copy()
    state = inside(position.variant).after(position, code)
    after._states[after._top] = state
    kings = [after.letter_at(int(square)) for square in state["kings"]]
    names = {after.description.pieces[after.rules.king_kind].letter}
    whole = {king and king.upper() for king in kings} == names
    return whole and (after.key, after.repetition_key) == (after.fresh_key(), after.fresh_repetition_key())


@every_game
def test_table_move_of_another_position_is_left_out_or_does_no_harm(variant):
    inner, found = inside(variant), positions(variant)
    played, left_out = 0, 0
    others = [codes(position.legal_moves()) for position in found]
    every = np.unique(np.concatenate(others))
    special = every[every >> ACTION_SHIFT & ACTIONS >= EN_PASSANT]  # castling, passes, choices
    for number, position in enumerate(found):
        legal = inner.show(position)
        foreign = without(np.concatenate([others[number - 1], others[number // 2]]), legal)
        for table_move in [*foreign[::5], *without(special, legal)]:
            moves = inner.picked(table_move=table_move)
            if table_move in moves:
                played += 1
                assert moves[0] == table_move
                moves = moves[1:]
                text = str(spell(int(table_move), inner.description))
                assert is_harmless(position, table_move), (position.fen(), text)
            else:
                left_out += 1
            assert same(moves, legal), position.fen()
    assert played > 20
    assert left_out > 20


@every_game
@pytest.mark.parametrize("wanted", [CAPTURES_ONLY, WITH_CHECKS])
def test_quiescence_gets_moves_that_lose_nothing(variant, wanted):
    """With checks, checking drops come as well, after the others."""
    inner, met = inside(variant), 0
    for position in positions(variant):
        legal = inner.show(position)
        if wanted == WITH_CHECKS and position.is_check():
            continue
        tactical, quiet = inner.parts()
        _, wins, _ = inner.judged(tactical)
        captures = tactical[wins]
        drops = np.array([], np.int64)
        if wanted == WITH_CHECKS and inner.rules.drops:
            drops = inner.checking_drops()
            drops = drops[inner.judged(drops)[1]]
        found = inner.picked(wanted)
        assert same(found[: len(captures)], captures), position.fen()
        assert same(found[len(captures) :], drops), position.fen()
        assert np.isin(found, legal).all()
        met += len(found)
        for table_move in captures[:3]:
            again = inner.picked(wanted, table_move)
            assert again[0] == table_move
            assert same(again, found)
        for table_move in quiet[:3]:
            if inner.judged(np.array([table_move]))[0][0]:
                assert same(inner.picked(wanted, table_move), found), position.fen()
    assert met > 30


@every_game
def test_skipping_leaves_out_exactly_the_quiet_moves(variant):
    """Except checks, if the search wants them."""
    inner = inside(variant)
    for position in positions(variant):
        legal = inner.show(position)
        tactical, quiet = inner.parts()
        if tuned_values(inner.rules)["late_checks"]:
            tactical = np.concatenate([tactical, quiet[inner.judged(quiet)[2]]])
        assert same(inner.picked(skip_from=0), tactical), position.fen()
        whole = inner.picked()
        for skip_from in (1, len(legal) // 2):
            found = inner.picked(skip_from=skip_from)
            assert np.array_equal(found[:skip_from], whole[:skip_from])
            rest = whole[skip_from:]
            assert same(found[skip_from:], rest[np.isin(rest, tactical)]), position.fen()
        for table_move in legal[:: 1 + len(legal) // 4]:
            found = inner.picked(table_move=table_move, skip_from=0)
            assert same(found, np.union1d(tactical, [table_move]))


@every_game
def test_good_captures_come_before_quiet_moves_and_losing_ones_after(variant):
    inner = inside(variant)
    for position in positions(variant):
        inner.show(position)
        tactical, quiet = inner.parts()
        good = tactical[inner.judged(tactical)[1]]
        found = inner.picked()
        assert same(found[: len(good)], good)
        assert same(found[len(good) : len(good) + len(quiet)], quiet)


@every_game
def test_no_move_comes_in_the_wrong_stage_when_all_is_forgotten(variant):
    """History changes only the order, not the moves."""
    inner = inside(variant)
    source = np.random.default_rng(3)
    for table in ("history", "captures", "continuation"):
        shape = inner.worker[table].shape
        inner.worker[table] = source.integers(-16_384, 16_385, shape)
    for position in positions(variant)[::4]:
        legal = inner.show(position)
        inner.worker["killers"][0] = legal[-1], legal[0]
        assert same(inner.picked(), legal)
        assert same(inner.picked(EVERYTHING, legal[0]), legal)
    for table in ("history", "captures", "continuation", "killers"):
        inner.worker[table] = 0
