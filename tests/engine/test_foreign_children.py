"""Children of every game that a section can inherit from, compared with Fairy-Stockfish. A slow model of the
rules plays the imported games, so that nothing has to be compiled. `test_oracles_foreign` compares some of
such games with the engine."""

import random
from collections import Counter
from functools import cache

import pyffish
import pytest
from surajang.engine.definition.catalogue import parse
from surajang.engine.fairy_ini.importing import Imported, import_text
from surajang.engine.fairy_ini.ini import templates
from surajang.engine.game.moves import square_name
from surajang.protocol.uci.notation import UciNotation
from surajang.tests.support.foreign_children import KINDS, children
from surajang.tests.support.slow_rules import SlowRules

pytestmark = [pytest.mark.pure, pytest.mark.slow]

PLIES = 6
# What the slow model does not play; `test_oracles_foreign` compares such games
COMPILED_ONLY = (
    *("castling_free", "must_capture", "explosion", "checks_forbidden", "extinction", "kings"),
    *("co_royal", "gates", "first_moves", "square_moves", "truce", "last_royal", "promotion_turned"),
    "promotion_last",
    "walls",
)


@cache
def games():
    """Name -> game, or the reason of its refusal, of all children; registers them with Fairy-Stockfish."""
    text = "\n".join(section for name in templates() for section in children(name).values())
    pyffish.load_variant_config(text)
    return import_text(text, "children.ini")


def spelled(rules, notation, state, legal):
    """The moves as Fairy-Stockfish writes them."""
    for move, _ in legal.values():
        if move.is_pass:
            king = square_name(move.from_square, rules.files)
            yield king + king
        else:
            yield notation.write_move(move)


def theirs(name, fen, ours, forbids_mates):
    """Fairy-Stockfish's moves, without drops that mate where shogi forbids them."""
    found = set(pyffish.legal_moves(name, fen, []))
    if not forbids_mates:
        return found
    return {
        move
        for move in found
        if move in ours
        or move[1:2] != "@"
        or not pyffish.gives_check(name, fen, [move])
        or pyffish.legal_moves(name, fen, [move])
    }


def compare(name, met):
    """Plays a random game and asserts that the legal moves are the same in each position."""
    game = parse(games()[name].toml, f"{name}.toml")
    rules, notation, chance = SlowRules(game), UciNotation(game), random.Random(name)
    state = rules.start()
    if rules.checked(state, 1 - state.side):
        return
    forbids_mates = any(piece.no_drop_mate for piece in game.pieces)
    for _ in range(PLIES):
        legal = rules.legal(state)
        fen = notation.write_fen(rules.write(state))
        ours = set(spelled(rules, notation, state, legal))
        assert ours == theirs(name, fen, ours, forbids_mates), fen
        met["positions"] += 1
        if not legal:
            return
        kinds = {}
        for text in sorted(legal):
            move = legal[text][0]
            kinds.setdefault((move.is_drop, move.is_promotion, move.is_castling), []).append(text)
        kind = chance.choice(sorted(kinds))
        met[kind] += 1
        move, state = legal[chance.choice(kinds[kind])]
        if move.is_pass:
            return


def is_played(name):
    """Whether a child is imported, and a game of the slow model."""
    found = games()[name]
    if not isinstance(found, Imported):
        return False
    game = parse(found.toml, f"{name}.toml")
    has_kings = any(piece.royal for piece in game.pieces)
    parting = game.facing_kings and game.facing_kings.part
    return has_kings and not parting and not any(getattr(game, mechanic) for mechanic in COMPILED_ONLY)


@pytest.mark.parametrize("kind", KINDS)
def test_children_of_every_template_are_fairy_stockfishs(kind):
    met = Counter()
    played = [name for name in templates() if is_played(f"{name}-{kind}")]
    for name in played:
        compare(f"{name}-{kind}", met)
    assert len(played) >= 40, {str(game) for game in games().values() if not isinstance(game, Imported)}
    assert met["positions"] > 250
    assert met[False, True, False] > 3, "promotions"
    assert kind != "drops" or met[True, False, False] > 50
