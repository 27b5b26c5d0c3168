"""Every game in CECP: its description for XBoard, its moves, and its end."""

import re

import pytest
from surajang import Position
from surajang.engine.definition import catalogue
from surajang.match.players.spec import parse_engine
from surajang.match.players.start import start_player
from surajang.protocol.cecp.notation import Notation
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.cecp.start import ARRANGEMENTS, SETUP_PHASE, SIDES, Arrangement
from surajang.protocol.session.settings import OptionTable
from surajang.tests.support.conversations import conversation
from surajang.tests.support.games import SEARCHED_GAMES
from surajang.tests.support.gui import READY, Gui

pytestmark = pytest.mark.process

GAMES = SEARCHED_GAMES
PROMOTION = "8/4P3/8/7p/7P/8/k7/4K3 w - - 0 1"
FACING = "4k4/9/9/9/4P4/9/9/9/9/4K4 w - - 0 1"


@pytest.fixture(scope="module")
def shared():
    gui = Gui()
    gui.start()
    yield gui
    gui.close()


@pytest.fixture
def play(shared):
    """Begins a game and returns the GUI: the engine plays neither side and thinks two plies deep."""

    def begin(variant, fen=None):
        shared.ask("new", *[f"variant {variant}"] * (variant is not None), within=READY)
        shared.ask("force", "nopost", "level 40 5 0", "st 60", "sd 2")
        said = shared.ask(*[f"setboard {fen}"] * bool(fen))
        assert [line for line in said if not line.startswith("# ")] == []  # notes on the FEN are remarks
        return shared

    yield begin
    shared.ask("force", "option Setup phase=0", *(f"option {side}={ARRANGEMENTS[0]}" for side in SIDES))


# Which game


def test_chess_is_played_when_no_variant_is_named(play):
    gui = play("pandemonium")
    gui.send("new", "force")
    assert gui.ask("usermove e2e4", "usermove e7e5", "usermove e1e2", within=READY) == []


def test_commands_between_new_and_variant_choose_no_game():
    gui = Gui()
    gui.start()
    gui.send("new", "random", "level 40 5 0", "post", "hard", "sd 1", "memory 32", "cores 1", "force")
    gui.send("option Setup phase=0", "st 9", "computer", "variant crazyhouse")
    assert gui.ask("usermove e2e4", within=READY) == []
    gui.send("go")
    assert {line.split()[0] for line in gui.expect("move .*")[:-1]} == {"1"}
    gui.close()


def test_chess_is_called_normal(play):
    gui = play("normal")
    assert gui.ask("usermove e2e4") == []
    said = gui.ask("new", "variant chess", "force", "usermove e2e4")
    assert {line.split()[0] for line in said} == {"setup", "piece"}  # XBoard asks them of any other name


@pytest.mark.parametrize("variant", ["normal", "crazyhouse", "fischerandom"])
def test_xboards_own_games_are_not_taught(shared, variant):
    assert shared.ask("new", f"variant {variant}", within=READY) == []


# Pieces


def taught(variant):
    game = catalogue.load(variant)
    notation = Notation(game)
    pieces = dict(line.removeprefix("piece ").split("& ") for line in notation.pieces())
    return notation.setup(Arrangement().start_fen(game) or game.start_fen), pieces


@pytest.mark.parametrize("variant", GAMES)
def test_every_slot_has_a_piece_and_every_piece_a_slot(variant):
    setup, pieces = taught(variant)
    slots = re.search(r"\((.*)\)", setup)[1]
    white = re.findall(r"\^[A-Z]|[A-Z.+~]", slots[: len(slots) // 2])
    assert len(white) == (44 if variant == "cannonshogi" else 22)  # too many pieces for the shorter table
    assert slots == "".join(white) + "".join(white).lower()
    assert {name for name in pieces if name[0] != "+"} == {slot for slot in white if slot.isalpha()}
    assert sum(name[0] == "+" for name in pieces) == sum(slot[0] in "+^" for slot in white)
    assert white[18] == "."  # the lance's
    assert all(white.index(name[1]) <= 10 for name in pieces if name[0] == "+")  # no others promote there


@pytest.mark.parametrize("variant", GAMES)
def test_start_is_reported_without_the_letters_of_the_setup_phase(variant):
    board, *rest = taught(variant)[0].split(") ")[1].split(" ")[1:]
    assert board.count("/") == catalogue.load(variant).ranks - 1
    assert re.fullmatch(r"w (KQkq|kq|KQBCDFGkqbcdfg|-) - (3\+3 )?0 1", " ".join(rest))


def test_janggi_is_taught_more_moves_than_it_has_but_no_false_check():
    setup, pieces = taught("janggi")
    assert setup == (
        "setup (.N.R..E..APC.........K.n.r..e..apc.........k) 9x10+0_fairy"
        " rnea1aenr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNEA1AENR w - - 0 1"
    )
    assert pieces == {
        **{"K": "WtF", "A": "WtF", "R": "RtB", "N": "nN", "E": "mafsmafW", "C": "tpRtpB", "P": "fsWftF"},
    }


def test_pieces_that_may_stand_still_or_be_pushed_give_no_check_in_xboard():
    pieces = {"K": "tKmtR", "N": "tNmtR", "A": "tBtNmtR", "R": "tR", "M": "mtK", "P": "mtR"}
    assert taught("chaotic")[1] == pieces


def test_shadows_of_promoted_pieces_are_slots_but_no_pieces():
    setup, pieces = taught("capahouse")
    assert setup.startswith("setup (PNBRQA..C...~~~~~..~.K")
    assert not [name for name in pieces if "~" in name]


@pytest.mark.parametrize("variant", ["pandemonium", "pandemonium-vchess"])
def test_promoted_form_that_goes_like_a_queen_does_not_look_like_one(variant):
    """Its captor gets a pawn in hand, or the unpromoted piece. Slots 4 and 15 look like queens."""
    setup, pieces = taught(variant)
    white = re.findall(r"\^[A-Z]|[A-Z.+~]", re.search(r"\((.*)\)", setup)[1])
    forms = [name for name, moves in pieces.items() if name[0] == "+" and moves == "Q"]
    homes = [white.index(f"^{name[1]}" if f"^{name[1]}" in white else name[1]) for name in forms]
    assert sorted(forms) == ["+C", "+M", "+P"]
    assert white[4] == "Q" and white[15] == "." and white[17] == "^P" and not {4, 15} & set(homes)


def test_single_promoted_form_is_named_after_its_base():
    setup, pieces = taught("minishogi")
    assert setup.endswith("5x5+5_crazyhouse rbsgk/4p/5/P4/KGSBR[] w - - 0 1")
    assert {"+R", "+B", "+S", "+P"} < set(pieces)
    assert not setup.startswith("setup (P")  # XBoard drops its own pawn on no first rank


def test_castling_is_taught_with_the_rook_where_it_stands():
    assert taught("capablanca")[1]["K"] == "KisO3"
    assert taught("shako")[1]["K"] == "KisjO2"
    assert taught("xxl")[1]["K"] == "KisO5"
    assert taught("grand")[1]["K"] == "K"


# Moves


@pytest.mark.parametrize("variant", ["normal", "crazyhouse"])
@pytest.mark.parametrize("piece", "qrbn")
def test_promotion_with_a_choice_names_the_piece(play, variant, piece):
    gui = play(variant, PROMOTION)
    assert gui.ask(f"usermove e7e8{piece}", "usermove a2a1") == []


def test_hidden_captures_are_shown_as_the_mouse_passes(play):
    gui = play("chaotic", "7k/7r/4M3/4n3/8/4M3/8/K6R w - - 0 1")
    assert gui.ask("hover e4", "lift e3") == ["highlight 8/8/8/8/3YRY2/3Y1Y2/3YYY2/8"]
    assert gui.ask("hover e4") == ["highlight 8/8/8/4g3/3YRY2/3Y1Y2/3YYY2/8"]
    assert gui.ask("hover d3", "hover h8", "hover x99", "hover") == []


def test_engine_names_the_piece_it_promotes_to(play):
    gui = play("normal", "7k/4P1pp/6pp/8/8/8/8/4K3 w - - 0 1")
    gui.send("go")
    assert gui.expect("move .*")[-1] in ("move e7e8q", "move e7e8r")
    assert gui.expect(".*}")[-1] == "1-0 {White mates}"


def test_user_chooses_what_to_promote_to(play):
    gui = play("normal", PROMOTION)
    assert gui.ask("lift e7") == ["highlight 4M3/8/8/8/8/8/8/8"]
    assert gui.ask("put e8") == ["choice QRBN"]


def test_single_promotion_ends_in_plus(play):
    gui = play("minishogi", "4k/R4/5/5/K4[] w - - 0 1")
    assert gui.ask("usermove a4a5+", "usermove e5e4", "undo", "undo") == []
    assert gui.ask("lift a4", "put a5")[-1] == "choice +R"
    assert play("xxl", "13k/14/14/14/14/14/14/P13/14/14/14/14/14/13K w - - 0 1").ask("usermove a7a8+") == []


def test_game_may_be_named_with_its_board(play):
    gui = play("8x8+5_crazyhouse")
    assert gui.ask("usermove e2e4") == []
    assert gui.ask("variant 10x8+5_crazyhouse") == [
        "Error (the game has another board or other hands): variant 10x8+5_crazyhouse"
    ]
    assert gui.ask("variant 8x8+5_nonsense") == [
        "Error (unknown variant; 'surajang variants' lists all games): variant 8x8+5_nonsense"
    ]
    assert gui.ask("variant 8x8+5_crazyhose") == [
        "Error (unknown variant; did you mean 'crazyhouse'?): variant 8x8+5_crazyhose"
    ]
    assert gui.ask("usermove e7e5") == []


def test_captured_promoted_piece_is_a_pawn_in_the_hand(play):
    gui = play("crazyhouse", "7k/8/8/8/8/4q~3/3P4/4K3[] w - - 0 1")
    assert gui.ask("usermove d2e3", "usermove h8h7", "usermove P@e4") == []
    assert gui.ask("undo", "usermove Q@e4") == ["Illegal move (White has no Q in hand): Q@e4"]


def test_drops_and_holdings(play):
    gui = play("crazyhouse", "4k3/8/8/8/8/8/8/4K3[Nq] w - - 0 1")
    assert gui.ask("holding [N] [q]", "usermove N@f3", "usermove Q@d5", "holding [] []") == []
    assert gui.ask("holding [] [] BP") == []
    (line,) = gui.ask("holding [PP] [] WP")
    assert line.startswith("# other hands than those of the position: 4k3/")
    assert gui.ask("holding [PP") == ["Error (holding needs two hands in brackets): holding [PP"]
    assert gui.ask("usermove N@c3") == ["Illegal move (White has no N in hand): N@c3"]
    assert gui.ask("usermove @@@@") == ["Illegal move (not a move): @@@@"]  # a pass, which crazyhouse lacks


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("crazyhouse", "r3k2r/8/8/8/8/8/8/R3K2R[-] w KQkq - 0 1"),
        ("normal", "r3k2r/8/8/8/8/8/8/R3K2R[-] w HAha - 0 1"),
    ],
)
def test_positions_as_xboard_writes_them(play, variant, fen):
    assert play(variant, fen).ask("usermove e1e2") == []


@pytest.mark.parametrize(
    ("variant", "fen", "move"),
    [
        ("capablanca", "4k5/10/10/10/10/10/10/R3K5[] w - - 0 1", "e1e2"),
        ("grand", "4k5/10/10/10/10/10/10/10/10/R3K5[-] w - - 0 1", "e0e1"),  # it counts ten ranks from 0
        ("shako", "4k5/10/10/10/4Pp4/10/10/10/4K5/10 w - f8 0 1", "e1e2"),
    ],
)
def test_larger_boards_as_xboard_writes_them(interpreted, variant, fen, move):
    with conversation(Cecp) as talk:
        talk.say("xboard", "protover 2", "new", f"variant {variant}")
        talk.finish_loading()
        said = talk.say("force", f"setboard {fen}", f"usermove {move}")
        assert [line for line in said if not line.startswith("# ")] == []
        assert talk.say("undo", f"usermove {move.replace('e', 'i')}")[0].startswith("Illegal move")


def test_castling_rights_are_read_by_the_files_of_the_rooks(play):
    gui = play("normal", "r3k2r/8/8/8/8/8/8/R3K2R w Aha - 0 1")
    assert gui.ask("usermove e1g1")[0].startswith("Illegal move")
    assert gui.ask("usermove e1c1") == []


def test_castling_of_chess960_is_read_and_written_in_san(play):
    fen = "4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 1"
    assert play("fischerandom", fen).ask("usermove O-O") == []
    assert play("fischerandom", fen).ask("usermove O-O-O") == []
    assert play("fischerandom", fen.replace("FB", "F")).ask("usermove O-O-O")[0].startswith("Illegal move")
    game, position = catalogue.load("chess960"), Position("chess960", fen)
    written = {Notation(game).write_move(move) for move in position.legal_moves if move.is_castling}
    assert written == {"O-O", "O-O-O"}


# Passing


def test_pass_is_read_and_written(play):
    gui = play("janggi")
    assert gui.ask("usermove a3a4", "usermove @@@@", "undo", "usermove e8e8") == []
    game = catalogue.load("janggi")
    move = next(move for move in Position("janggi").legal_moves() if move.is_pass)
    assert Notation(game).write_move(move) == "@@@@"


def test_two_passes_draw(play):
    gui = play("janggi")
    assert gui.ask("usermove @@@@", "usermove @@@@") == ["1/2-1/2 {Both sides passed}"]


def test_pass_given_as_a_position_is_a_pass(play):
    gui = play("janggi")
    gui.ask("usermove a3a4", "usermove a6a5", "usermove @@@@", "undo", "playother")
    gui.ask("force", "usermove @@@@")  # the engine's own
    gui.ask("playother")
    board = Position("janggi")
    for move in ("a4a5", "a7a6"):
        board.push(move)
    assert gui.ask(f"setboard {board.fen()}") == ["1/2-1/2 {Both sides passed}"]


def test_pass_is_the_king_put_down_where_it_stands(play):
    gui = play("janggi")
    assert gui.ask("lift e1") == ["highlight 9/9/9/9/9/9/9/3YYY3/3YYY3/4Y4"]
    assert gui.ask("put e1", "usermove e1e1", "usermove e8e8") == ["1/2-1/2 {Both sides passed}"]


# The setup phase


def test_setup_phase_is_off_at_first(play):
    assert play("janggi").ask("usermove a3a4") == []
    assert play("pandemonium-vchess").ask("usermove e1e4") == []


def test_setup_phase_is_played_on_demand(play):
    play(None).ask("option Setup phase=1")
    gui = play("janggi")
    assert gui.ask("usermove a3a4")[0].startswith("Illegal move (White chooses an arrangement first")
    assert gui.ask("usermove b0c0,h0g0", "usermove e8e1", "usermove a3a4") == []


def test_games_of_ones_own_are_found_by_an_option(tmp_path):
    for name in ("ourhouse", "ourhouse2"):
        text = f'extends = "crazyhouse"\nname = "{name}"\ntitle = "Ours"\n'
        (tmp_path / f"{name}.toml").write_text(text)
    gui = Gui()
    assert 'feature option="VariantPath -path "' in gui.start()
    (line,) = gui.ask(f"option VariantPath={tmp_path}")
    assert {"ourhouse", "ourhouse2"} <= set(re.fullmatch('feature variants="(.*)"', line)[1].split(","))
    gui.send("new", "variant ourhouse2")
    assert gui.expect("setup .*")[-1].startswith("setup (PNBRQ")
    assert gui.expect("piece .*")
    gui.close()


def test_wrong_file_of_a_folder_stops_no_other(shared, tmp_path):
    for name in ("a", "b", "sound"):
        text = f'extends = "crazyhouse"\nname = "{name}"\n' if name == "sound" else "name = 3"
        (tmp_path / f"{name}.toml").write_text(text)
    games, told = shared.ask(f"option VariantPath={tmp_path}")
    assert "sound" in re.fullmatch('feature variants="(.*)"', games)[1].split(",")
    assert told.startswith("telluser Not added: ") and told.endswith("; and 1 more") and "a.toml: " in told


def test_odd_lines_of_a_file_are_remarked_on(shared, tmp_path):
    path = tmp_path / "variants.ini"
    path.write_text("[twice:chess]\nmaxRank = 8\nmaxRank = 8\n")
    _, remark = shared.ask(f"option VariantPath={path}")
    assert remark.startswith("# variants.ini: ") and "maxRank" in remark


def test_path_without_games_is_refused(shared):
    assert shared.ask("option VariantPath=/nowhere", "option VariantPath=") == [
        "Error (there is no such file or folder): option VariantPath=/nowhere"
    ]


def test_arrangement_is_chosen_for_the_next_game(play):
    gui = play("janggi")
    gui.ask("option White's arrangement=both swapped", "option Black's arrangement=left pairs swapped")
    assert gui.ask("usermove b0c2", "undo") == []
    lines = gui.ask("new", "variant janggi", "force")
    assert lines[0].split()[3] == "rena1aenr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RENA1ANER"
    assert gui.ask("usermove c0d2", "usermove c9d7") == []


def test_arrangement_of_white_is_no_matter_of_a_game_without_setup(play):
    play(None).ask("option White's arrangement=both swapped")
    assert play("crazyhouse").ask("usermove b1c3") == []


@pytest.mark.parametrize(
    "text",
    [
        *("", "=", "Setup phase", "Setup phase=2", "Setup phase=yes", "Hash=3", "MultiPV=0", "MultiPV=x"),
        *("White's arrangement", "White's arrangement=", "White's arrangement=nonsense"),
    ],
)
def test_bad_option_gets_an_error(shared, text):
    (line,) = shared.ask(f"option {text}".strip())
    assert re.fullmatch(r"Error \([^()]+\): option.*", line)


def arranged(options):
    """The `Arrangement` after a GUI has set options."""
    arrangement, settings = Arrangement(), OptionTable()
    arrangement.offer(settings)
    for name, value in options.items():
        settings.set(name, value)
    return arrangement


def test_arrangements_are_those_of_the_setup_phase():
    for name in ("janggi", "pandemonium-vchess"):
        game = catalogue.load(name)
        position = Position(name, arranged({SETUP_PHASE: "1"}).start_fen(game))
        for number, move in enumerate(position.legal_moves()):
            board = position.copy()
            board.push(move)
            board.push(board.legal_moves()[-1])
            chosen = arranged(dict(zip(SIDES, (ARRANGEMENTS[number], ARRANGEMENTS[-1]), strict=True)))
            assert Position(name, chosen.start_fen(game)).fen().split()[:3] == board.fen().split()[:3]


# Results


@pytest.mark.parametrize(
    ("variant", "fen", "moves", "claim"),
    [
        ("janggi", FACING, "e5d5 @@@@", "1/2-1/2 {Bikjang: the kings kept facing each other}"),
        (
            *("pandemonium-vchess", "4k5/10/10/10/10/10/10/10/10/3K6[] w - - 0 1", "d0e0"),
            "0-1 {White exposed the kings to each other}",
        ),
        ("normal", "7k/8/8/8/8/8/1r6/K7 w - - 0 1", "a1b2", "1/2-1/2 {Draw: neither side can mate}"),
        ("normal", "7k/8/8/8/8/8/8/K5R1 w - - 99 90", "g1f1", "1/2-1/2 {Draw: 50 moves without progress}"),
        ("chaotic", "4k3/8/8/8/3r4/8/8/3RK3 w - - 0 1", "d1d4", "1-0 {Black has nothing but king and pawns}"),
        ("minishogi", "k4/2G2/1G3/5/4K[] w - - 0 1", "c4b4", "1-0 {White mates}"),
    ],
)
def test_result_by_rule_is_claimed(play, variant, fen, moves, claim):
    *first, last = [f"usermove {move}" for move in moves.split()]
    gui = play(variant, fen)
    assert gui.ask(*first) == []
    assert gui.ask(last) == [claim]


def test_backstabbing_is_claimed(play):
    gui = play("chaotic", "7r/8/3Mk3/8/5M2/8/8/K6R w - - 0 1")
    assert gui.ask("usermove f4f5", "undo") == []
    gui = play("chaotic", "7r/8/3Mk3/6M1/8/8/8/K6R w - - 0 1")
    assert gui.ask("usermove g5f6") == ["1-0 {White backstabs the king}"]


# The player of the tournament


@pytest.mark.parametrize("variant", ["chess", "janggi", "pandemonium-vchess"])
def test_player_drives_the_game(variant):
    position = Position(variant)
    spec = parse_engine("cmd=surajang nodes=200")
    player = start_player(spec, position.description)
    player.new_game(position, spec.control, spec.control, 0)
    for _ in range(6):
        position.push(player.think(position, None, None).move)
    if variant == "janggi":
        position.push("0000")
        position.push(player.think(position, None, None).move)
    player.synchronise()
    player.close()
