"""Keys of a game's file beyond plain pieces and drops, and inheritance."""

import re

import pytest
from surajang.engine.definition import catalogue
from surajang.engine.definition.catalogue import parse
from surajang.engine.game.description import Palace, VariantError
from surajang.engine.mechanics.bumping import Bumping
from surajang.engine.mechanics.dead_positions import DeadPositions
from surajang.engine.mechanics.facing_kings import FacingKings
from surajang.engine.mechanics.merchants import Merchants
from surajang.tests.engine.test_description import GAME

pytestmark = pytest.mark.pure


# The same game without promotion, drops and castling, which cannot be combined with merchants
BARE = re.sub(r"\[promotion\].*\[end\]", "[end]", GAME, flags=re.DOTALL)

BARE = re.sub(r', promotes = "\w+"', "", BARE).replace("[] w", " w")


@pytest.fixture(autouse=True)
def no_memory(monkeypatch):
    """Each test reads its files again and has its own registry."""
    catalogue._load.cache_clear()
    yield
    catalogue._load.cache_clear()


def game_with(old, new, text=GAME):
    assert text.count(old) >= 1, "the case does not fit the file"
    return parse(text.replace(old, new, 1), "folder/small.toml")


def with_part(heading, lines, text=GAME):
    return parse(f"{text}\n[{heading}]\n{lines}\n", "folder/small.toml")


def refusal(read, *arguments):
    with pytest.raises(VariantError) as refused:
        read(*arguments)
    message = str(refused.value)
    assert "\n" not in message
    return message


# Keys of pieces


def test_piece_may_have_other_letters_in_a_fen():
    assert game_with("hand = 350", 'also = "HS"').piece("N").also == "HS"
    assert game_with("hand = 350", "hand = 350").piece("N").also == ""


def test_piece_may_be_shielded():
    assert game_with("hand = 350", 'shielded = "slides"').piece("N").shielded == "slides"
    assert game_with("hand = 350", 'shielded = "hops"').piece("N").shielded == "hops"
    assert parse(GAME, "small.toml").piece("N").shielded == ""


def test_no_letter_is_another_name_of_two_pieces():
    text = GAME.replace("hand = 350", 'also = "H"')
    with pytest.raises(VariantError, match=r"^small\.toml: pieces\.[ND]\.also: 'H'"):
        parse(text.replace("value = 800", 'also = "H"'), "small.toml")


# Promotion, drops, castling


def test_promotion_may_be_mandatory_on_some_ranks_only():
    game = game_with('mandatory = "P"', "mandatory = { P = [6], R = [5, 6] }")
    assert game.piece("P").must_promote == (6,)
    assert game.piece("R").must_promote == (5, 6)
    assert parse(GAME, "small.toml").piece("P").must_promote == (5, 6)
    assert parse(GAME, "small.toml").piece("R").must_promote == ()


def test_promotion_may_be_limited_to_what_the_start_has():
    text = BARE.replace('moves = "R"', 'moves = "R", promotes = "N"').replace("rk3/p4", "rk1n1/p4")
    game = with_part("promotion", 'zone = [6]\nlimit = "captured"', text)
    assert game.promotion_limit == {"R": 1, "K": 1, "P": 1, "N": 0}
    assert parse(GAME, "small.toml").promotion_limit == {}


def test_one_of_a_kind_on_a_file():
    game = game_with('no_mate = "P"', 'one_per_file = "PN"')
    assert [piece.letter for piece in game.pieces if piece.most_per_file] == ["N", "P"]
    assert not any(piece.most_per_file for piece in parse(GAME, "small.toml").pieces)


def test_promoted_piece_that_reverts_is_a_kind_of_its_own():
    game = game_with('no_mate = "P"', "reverts = true")
    assert [piece.letter for piece in game.pieces] == [*"KRNPDG", "N~"]
    assert game.piece("P").promotes_to == ("G", "N~")
    knight, promoted = game.piece("N"), game.piece("N~")
    assert (promoted.moves, promoted.value) == (knight.moves, knight.value)
    assert (promoted.base, promoted.promoted, promoted.droppable) == ("P", True, False)
    assert (knight.base, knight.promoted, knight.droppable) == ("N", False, True)


def test_castling_by_rights_once_on_another_rank_and_with_another_piece():
    game = game_with('by = "position"', 'by = "rights"\nrank = 2\nrook = "N"')
    assert (game.castling_by, game.castling_once, game.castling_rights) == ("rights", False, True)
    assert (game.castling_rank, game.castling_rook) == (2, "N")
    game = game_with('by = "position"', 'by = "position"\nonce = true')
    assert (game.castling_by, game.castling_once, game.castling_rights) == ("position", True, True)
    game = parse(GAME, "small.toml")
    assert (game.castling_by, game.castling_once, game.castling_rights) == ("position", False, False)
    assert (game.castling_rank, game.castling_rook) == (1, "R")


def test_castling_with_another_piece_needs_no_rook():
    text = (
        GAME.replace("R = {", "T = {").replace('"RNP"', '"TNP"').replace("rk3", "tk3").replace("RK3", "TK3")
    )
    assert game_with('by = "position"', 'by = "position"\nrook = "T"', text).castling_rook == "T"


# Ends


def test_ends_of_a_game():
    game = game_with('stalemate = "loss"', 'stalemate = "win"\nquiet_moves = 40')
    assert (game.stalemate, game.quiet_moves) == ("win", 40)
    game = game_with('stalemate = "loss"', 'stalemate = "loss"\ndead_positions = { single = "N" }')
    assert game.dead_positions == DeadPositions("N", "")
    game = game_with('result = "draw"', 'compares = ["castling"]')
    assert game.repetition_compares == {"castling"}
    game = parse(GAME, "small.toml")
    assert (game.quiet_moves, game.dead_positions, game.repetition_compares) == (0, None, frozenset())


# Mechanics that few games have


def test_palace():
    lines = 'files = "bcd"\nranks = [1, 2, 3]\nconfined = "N"\ndiagonals = { R = "B", N = "F" }'
    game = with_part("palace", lines)
    assert game.palace == Palace((1, 2, 3), (1, 2, 3))
    assert [piece.letter for piece in game.pieces if piece.confined] == ["N"]
    assert {piece.letter for piece in game.pieces if piece.palace_moves} == set("RN")
    assert game.can_stand(game.piece("N"), 3, 3)
    assert not game.can_stand(game.piece("N"), 4, 3)
    assert not game.can_stand(game.piece("N"), 3, 4)


def test_setup_names_pairs_of_files():
    assert with_part("setup", 'swaps = ["bc", "ed"]').setup_swaps == ((1, 2), (4, 3))


def test_facing_kings():
    game = with_part("facing_kings", 'result = "draw"\nlasting = true\nlines = ["rank", "file"]')
    assert game.facing_kings == FacingKings(frozenset({"rank", "file"}), True, "draw")
    game = with_part("facing_kings", 'result = "loss"')
    assert game.facing_kings == FacingKings(frozenset({"file"}), False, "loss")


def test_passing():
    assert with_part("passing", 'twice = "draw"').passing is True


def test_merchants_and_bumping():
    lines = 'piece = "N"\nimmune = "NP"\nspared = "P"\n[bumping]\npiece = "P"\nimmune = "N"'
    game = with_part("merchants", lines, BARE)
    assert game.merchants == Merchants("N", "NP", "P")
    assert game.bumping == Bumping("P", "N")
    assert with_part("merchants", 'piece = "N"', BARE).merchants == Merchants("N", "", "")


def test_bare_king():
    assert with_part("bare_king", 'result = "loss"\nspared = "P"').bare_king == "P"
    assert with_part("bare_king", 'result = "loss"').bare_king == ""


def test_game_has_none_of_the_mechanics_that_its_file_does_not_name():
    game = parse(GAME, "small.toml")
    mechanics = (game.palace, game.facing_kings, game.merchants, game.bumping, game.bare_king)
    assert mechanics == (None,) * 5
    assert (game.setup_swaps, game.passing) == ((), False)


PIECE, BY, MATE, TIMES, LOSS = (
    "hand = 350",
    'by = "position"',
    'no_mate = "P"',
    "times = 4",
    'stalemate = "loss"',
)

MUST = 'mandatory = "P"'

WRONG = [
    (PIECE, 'also = "h"', "pieces.N.also", "'h'"),
    (PIECE, 'also = "R"', "pieces.N.also", "'R'"),
    (PIECE, 'also = "HH"', "pieces.N.also", "'H'"),
    (PIECE, "also = 3", "pieces.N.also", "text"),
    (PIECE, 'shielded = "hop"', "pieces.N.shielded", "slides, hops"),
    (PIECE, "shielded = true", "pieces.N.shielded", "text"),
    (MUST, "mandatory = { P = [4] }", "promotion.mandatory", "'P' must promote outside of the zone"),
    (MUST, "mandatory = { X = [6] }", "promotion.mandatory.X", "unknown"),
    (MUST, "mandatory = { P = 6 }", "promotion.mandatory.P", "list"),
    (MUST, "mandatory = { P = [7] }", "promotion.mandatory.P", "rank from 1 to 6"),
    (MUST, "mandatory = { N = [6] }", "promotion.mandatory", "'N' has no 'promotes'"),
    (MUST, 'limit = "taken"', "promotion.limit", "captured"),
    (MUST, "limit = 2", "promotion.limit", "'captured'"),
    ('on = ["enter"]', 'on = ["leave"]', "promotion.on", "'enter'"),
    ('on = ["enter"]\nmandatory = "P"', "on = []", "promotion.on", "'enter'"),
    (MATE, 'one_per_file = "D"', "drops.one_per_file", "'D' cannot be dropped"),
    (MATE, 'one_per_file = "X"', "drops.one_per_file", "'X'"),
    (MATE, "one_per_file = true", "drops.one_per_file", "text"),
    (MATE, 'reverts = "P"', "drops.reverts", "true or false"),
    (MATE, "revert = true", "drops.revert", "unknown key"),
    (MATE, 'must = "D"', "drops.must", "'D' is not among drops.pieces"),
    (MATE, 'must = "X"', "drops.must", "'X' is not a piece"),
    (MATE, "must = true", "drops.must", "text"),
    (MATE, 'no_mate = "P"\nmust = "P"', "drops.must", "drops.no_mate"),
    (MATE, 'both_colours = "D"', "drops.both_colours", "'D' is not among drops.pieces"),
    (MATE, 'both_colours = ["R"]', "drops.both_colours", "text"),
    ('pieces = "RNP"', 'pieces = "KRNP"', "drops.pieces", "'K' should be in drops.must"),
    (BY, 'by = "position"\ndropped = true', "castling.dropped", "'rights'"),
    (BY, 'by = "position"\ndropped = 1', "castling.dropped", "true or false"),
    (BY, 'by = "rights"\nonce = true', "castling.once", "position"),
    (BY, 'by = "position"\nonce = 1', "castling.once", "true or false"),
    (BY, 'by = "position"\nrank = 7', "castling.rank", "from 1 to 6"),
    (BY, 'by = "position"\nrank = "1"', "castling.rank", "whole number"),
    (BY, 'by = "position"\nrook = "X"', "castling.rook", "'X'"),
    (BY, 'by = "position"\nrook = "RN"', "castling.rook", "one letter"),
    (BY, 'by = "position"\nrook = ""', "castling.rook", "one letter"),
    (BY, 'by = "position"\nrook = "K"', "castling.rook", "'K'"),
    ('Q = { king = "c"', 'Q = { king = "a"', "castling.Q.rook", "'a'"),
    ('rook_to = "b" }', 'rook_to = "a" }', "castling.Q.rook_to", "'a'"),
    ('Q = { king = "c", rook = "a", king_to = "a", rook_to = "b" }', "", "castling", "'Q'"),
    (LOSS, f"{LOSS}\nquiet_moves = 0", "end.quiet_moves", "from 1"),
    (LOSS, f"{LOSS}\nquiet_moves = true", "end.quiet_moves", "whole number"),
    (LOSS, f"{LOSS}\nquiet_moves = 5000", "end.quiet_moves", "1000"),
    (LOSS, f"{LOSS}\ndead_positions = true", "end.dead_positions", "table"),
    (LOSS, f'{LOSS}\ndead_positions = {{ single = "X" }}', "end.dead_positions.single", "'X'"),
    (LOSS, f'{LOSS}\ndead_positions = {{ sngle = "N" }}', "end.dead_positions.sngle", "colourbound"),
    (TIMES, 'compares = ["hands"]', "end.repetition.compares", "'castling' or 'en_passant'"),
    (TIMES, 'compares = "castling"', "end.repetition.compares", "list"),
]

PALACE = 'files = "bcd"\nranks = [1, 2, 3]\n'

WRONG_PARTS = [
    ("palace", "ranks = [1, 2, 3]", "palace.files", "missing"),
    ("palace", 'files = "bcd"', "palace.ranks", "missing"),
    ("palace", 'files = "bc"\nranks = [1, 2, 3]', "palace.files", "three neighbours"),
    ("palace", 'files = "bdc"\nranks = [1, 2, 3]', "palace.files", "three neighbours"),
    ("palace", 'files = "def"\nranks = [1, 2, 3]', "palace.files", "'f'"),
    ("palace", 'files = "bcd"\nranks = [1, 2]', "palace.ranks", "three neighbours"),
    ("palace", 'files = "bcd"\nranks = [5, 6, 7]', "palace.ranks", "7"),
    ("palace", 'files = "bcd"\nranks = "123"', "palace.ranks", "list"),
    ("palace", PALACE + 'confined = "X"', "palace.confined", "'X'"),
    ("palace", PALACE + 'confined = "R"', "start", "a rook cannot stand on a"),
    ("palace", PALACE + 'diagonals = "F"', "palace.diagonals", "table"),
    ("palace", PALACE + 'diagonals = { X = "F" }', "palace.diagonals.X", "unknown"),
    ("palace", PALACE + 'diagonals = { R = "W" }', "palace.diagonals.R", "'W' is not a diagonal move"),
    ("palace", PALACE + 'diagonals = { R = "iF" }', "palace.diagonals.R", "'iF' is not a diagonal move"),
    ("palace", PALACE + 'diagonals = { R = "feF" }', "palace.diagonals.R", "'feF' is not a diagonal move"),
    ("palace", PALACE + 'diagonals = { P = "F" }', "pieces.P.", "longer steps"),
    ("palace", PALACE + "corners = 4", "palace.corners", "unknown key"),
    ("setup", "", "setup.swaps", "missing"),
    ("setup", 'swaps = "bc"', "setup.swaps", "list"),
    ("setup", 'swaps = ["bf"]', "setup.swaps", "'bf'"),
    ("setup", 'swaps = ["b"]', "setup.swaps", "'b'"),
    ("setup", "swaps = [12]", "setup.swaps", "12"),
    ("setup", "swaps = []", "setup.swaps", "1 to 4"),
    ("setup", 'swaps = ["bc", "cd"]', "setup.swaps", "separate"),
    ("setup", 'swaps = ["bb"]', "setup.swaps", "separate"),
    ("facing_kings", "", "facing_kings.result", "missing"),
    ("facing_kings", 'result = "win"', "facing_kings.result", "'win'"),
    ("facing_kings", 'result = "loss"\nlines = "file"', "facing_kings.lines", "list"),
    ("facing_kings", 'result = "loss"\nlines = ["diagonal"]', "facing_kings.lines", "'diagonal'"),
    ("facing_kings", 'result = "loss"\nlines = []', "facing_kings.lines", "'file'"),
    ("facing_kings", 'result = "loss"\nlasting = 1', "facing_kings.lasting", "true or false"),
    ("passing", "", "passing.twice", "missing"),
    ("passing", 'twice = "loss"', "passing.twice", "draw"),
    ("passing", 'thrice = "draw"', "passing.thrice", "unknown key"),
    ("bare_king", "", "bare_king.result", "missing"),
    ("bare_king", 'result = "draw"', "bare_king.result", "loss"),
    ("bare_king", 'result = "loss"\nspared = "X"', "bare_king.spared", "'X'"),
    ("merchants", 'piece = "N"', "merchants", "drops, castling or promotion"),
]

WRONG_MERCHANTS = [
    ('immune = "N"', "merchants.piece", "missing"),
    ('piece = "X"', "merchants.piece", "'X'"),
    ('piece = "NR"', "merchants.piece", "one letter"),
    ('piece = "N"\nimmune = "X"', "merchants.immune", "'X'"),
    ('piece = "N"\nspared = ["P"]', "merchants.spared", "text"),
    ('piece = "N"\nsparred = "P"', "merchants.sparred", "unknown key"),
    ('piece = "N"\n[bumping]', "bumping.piece", "missing"),
    ('piece = "N"\n[bumping]\npiece = "X"', "bumping.piece", "'X'"),
    ('piece = "N"\n[bumping]\npiece = "P"\nspared = "P"', "bumping.spared", "unknown key"),
]


def check_refusal(message, key, reason):
    assert message.startswith("small.toml: ")
    assert key in message
    assert reason in message.split(key, 1)[1]


# Refusals: a fragment, what stands there instead, the key that is named, a part of the reason


@pytest.mark.parametrize("old, new, key, reason", WRONG, ids=[f"{case[2]} {case[1]}" for case in WRONG])
def test_wrong_key_is_refused_by_file_key_and_reason(old, new, key, reason):
    check_refusal(refusal(game_with, old, new), key, reason)


@pytest.mark.parametrize(
    "heading, lines, key, reason", WRONG_PARTS, ids=[f"{c[2]} {c[1]}" for c in WRONG_PARTS]
)
def test_wrong_mechanic_is_refused_by_file_key_and_reason(heading, lines, key, reason):
    check_refusal(refusal(with_part, heading, lines), key, reason)


@pytest.mark.parametrize("lines, key, reason", WRONG_MERCHANTS, ids=[case[0] for case in WRONG_MERCHANTS])
def test_wrong_merchants_are_refused_by_file_key_and_reason(lines, key, reason):
    check_refusal(refusal(with_part, "merchants", lines, BARE), key, reason)


def test_bumping_needs_merchants():
    check_refusal(refusal(with_part, "bumping", 'piece = "P"', BARE), "bumping", "merchants")


def test_limited_promotion_cannot_be_combined_with_drops():
    check_refusal(refusal(game_with, MUST, f'{MUST}\nlimit = "captured"'), "promotion.limit", "drops")


PLACEMENT = (catalogue.load("placement").path).read_text()
GAINED = 'by = "rights"\ndropped = true'


def test_drops_that_must_be_made():
    game = parse(PLACEMENT, "placement.toml")
    assert [piece.letter for piece in game.pieces if piece.must_drop] == list("KQRBN")
    assert [piece.letter for piece in game.pieces if piece.both_colours] == ["B"]
    assert game.castling_dropped and not game.captures_to_hand
    assert not any(piece.must_drop or piece.both_colours for piece in parse(GAME, "small.toml").pieces)


@pytest.mark.parametrize(
    "old, new, key, reason",
    [
        (GAINED, 'by = "position"', "drops.must", "castling.by"),
        ('must = "KQRBN"', 'must = "QRBN"', "drops.pieces", "'K' should be in drops.must"),
        ("[end]", '[facing_kings]\nresult = "illegal"\n[end]', "drops.must", "facing_kings"),
        ("[end]", '[passing]\ntwice = "draw"\n[end]', "drops.must", "passing"),
        ("[end]", '[setup]\nswaps = ["bc"]\n[end]', "drops.must", "setup"),
        ("[end]", '[bare_king]\nresult = "loss"\n[end]', "drops.must", "bare_king"),
        ("[KQ", "[KKQ", "start", "White has 2 kings instead of one"),
        ("[KQ", "[Q", "start", "White has no kings instead of one"),
    ],
)
def test_wrong_placement_is_refused_by_file_key_and_reason(old, new, key, reason):
    check_refusal(refusal(game_with, old, new, PLACEMENT), key, reason)


def test_castling_by_drops_needs_a_king_or_a_rook_that_is_dropped():
    text = PLACEMENT.replace('"KQRBN"', '"QBN"')
    check_refusal(
        refusal(parse, text, "small.toml"), "castling.dropped", "needs 'K' or 'R' among drops.pieces"
    )


# Games without kings, and what does not go together

CHESS = 'extends = "chess"\nname = "own"\ntitle = "Own"\n'
NO_ROYAL = "castling = false\n[pieces]\nK = { royal = false }\n[end]\ndead_positions = false\n"


@pytest.mark.parametrize(
    "text, message",
    [
        (NO_ROYAL, r"pieces: no kind is royal, so the game needs \[extinction\], \[last_royal\], \[goal\]"),
        (
            "[pieces]\nQ = { royal = true }\n",
            "pieces: at most one kind can be royal, not 2, 'K' and 'Q'; co_royal",
        ),
        (
            'must_capture = true\n[drops]\npieces = "N"\n[gates]\npieces = "N"\n',
            "gates: cannot be combined with must_capture",
        ),
        (
            NO_ROYAL.replace("castling = false", "") + '[extinction]\npieces = "K"\nresult = "loss"\n',
            r"castling.king: is missing: no kind in \[pieces\] is royal",
        ),
        ('[castling]\nking = "Q"\n', "castling.king: 'Q' is not royal, but 'K' is"),
        (
            'castling = false\nstart = "*nbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBN1 w - - 0 1"\n'
            '[goal]\npieces = "K"\nsquares = ["a8"]\n',
            "goal.squares: no piece can reach a8: a hole of the board",
        ),
        ('[board]\nholes = ["a1"]\n', "board.holes: is not a key: holes are '\\*' in the ranks of 'start'"),
        ('kings = "black"\n', "kings: end.dead_positions needs a king of each side"),
        ('kings = "none"\n', "kings: 'none' should be one of white, black"),
        ("must_capture = 1\n", "must_capture: 1 should be true or false"),
        ('checks = "legal"\n', "checks: 'legal' should be one of illegal, mate"),
        ('checks = "mate"\nmust_capture = true\n', "checks: cannot be combined with must_capture"),
        ("rifle_captures = true\n[drops]\npieces = 'Q'\n", "rifle_captures: cannot be combined with drops"),
        (
            'colour_change = "sometimes"\n',
            "colour_change: 'sometimes' should be one of capture, quiet, always",
        ),
        (
            'colour_change = "quiet"\nmust_capture = true\n',
            "colour_change: cannot be combined with must_capture",
        ),
        ("[cells]\nfiles = 1\nranks = 1\n", "cells: should have more than one square"),
        ("[cells]\nfiles = 2\n", "cells.ranks: is missing"),
        ('castling = false\n[first_moves]\nK = "N"\n', "first_moves.K: 'N' should be only leaps that do not"),
        ('castling = false\n[first_moves]\nR = "mN"\n', "first_moves.R: needs one such piece of each side"),
        ('[first_moves]\nK = "mN"\n', "first_moves: cannot be combined with castling"),
        ("[cells]\nfiles = 2\nranks = 2\nfirst_files = 3\n", "cells.first_files: 3 should be from 1 to 2"),
        ('[promotion]\nwhite = "Q"\nblack = ""\n', "promotion.black: leaves nothing for 'P'"),
        ('[promotion]\nwhite = "K"\nblack = "Q"\n', "promotion.white: no piece promotes to 'K'"),
        ('[extinction]\npieces = "K"\nresult = "loss"\n', "extinction.pieces: 'K' is royal"),
        ('[extinction]\npieces = "X"\nresult = "loss"\n', "extinction.pieces: 'X' is not a piece"),
        ('[extinction]\npieces = "all"\nresult = "even"\n', "extinction.result: 'even' should be one of"),
        ('must_capture = true\n[explosion]\nspared = "P"\n', "explosion: cannot be combined"),
        ('[explosion]\nspare = "P"\n', "explosion.spare: unknown key"),
        (
            '[goal]\npieces = "Q"\nsquares = ["a8"]\nreply = true\n',
            "goal.reply: is only possible with a goal",
        ),
        ("[pieces]\nP = { en_passant = [9] }\n", "pieces.P.en_passant: 9 should be a rank from 1 to 8"),
    ],
)
def test_contradiction_is_refused_in_one_line(text, message):
    with pytest.raises(VariantError, match=message) as refusal:
        parse(CHESS + text, "own.toml")
    assert "\n" not in str(refusal.value)
