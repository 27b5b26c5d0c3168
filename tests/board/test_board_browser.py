"""The board in a real browser: whole games by clicks, drags and keys."""

import pytest
from playwright.sync_api import expect
from surajang import Position
from surajang.board.game_message import start_before_setup
from surajang.board.view import effects
from surajang.engine.definition import catalogue
from surajang.engine.game.moves import square_name
from surajang.match.records.live import LiveGames
from surajang.match.records.model import MatchGame, MoveRecord, Opening
from surajang.tests.support.board import START, match_folder
from surajang.tests.support.browsing import ANALYST, click, expect_moves, fen_of, load_pgn, played, square

pytestmark = pytest.mark.gui


def test_whole_game_of_chess_by_clicks_ends_in_words(visit):
    page = visit("--variant", "chess")
    for number, (origin, target) in enumerate((("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")), 1):
        click(page, origin, target)
        played(page, number)
    expect(page.locator("#outcome")).to_have_text("0-1  Black mates")
    expect(page.locator("#live")).to_contain_text("Black mates")
    expect_moves(page, "f3", "e5", "g4", "Qh4#")


GAMES = {  # game -> FEN or None, moves, result; each has the special moves of its game
    "chess": ("4k3/P6R/8/8/8/8/8/4K2R w K - 0 1", "e1g1 e8d8 a7a8q", "1-0  White mates"),
    "crazyhouse": (None, "e2e4 f7f5 b2b4 f5e4 f1c4 P@b2 f2f3 b2c1b f3e4 c1b2 P@f7", "1-0  White mates"),
    "pandemonium": (
        None,
        "b1a3 f10g8 g1h3 a9a8 h3j4 g8g2 i1g2 j9j6 M@j9 h9h6 j9i9 b9b6 i9g10a",
        "1-0  White mates",
    ),
    "pandemonium-vchess": (
        None,
        "i1h1 i10h10 b2b5 f10e8 c2c5 g9g7 d1b3 e8e2 e1e2 P@h6 M@j6 f9f8 j6j9 g10b5 b3b5 P@j3 j9h10a",
        "1-0  White mates",
    ),
    "janggi": (
        None,
        "h1g1 h10g10 a1a2 a10a9 a2c2 a7b7 c4d4 g10f8 c2c5 i10i9 g4g5 e9e9 i1i2 f8d7 i2f2 d7c5 e2d2 e7e6 "
        "a4b4 a9a2",
        "0-1  Han mates",
    ),
    "chaotic": (
        "6k1/8/p7/8/3Mn3/5M2/P7/K7 w - - 0 1",
        "a2a5 g8h8 f3f4",
        "1-0  Black has nothing but king and pawns",
    ),
}
HAS = {  # what happens in each
    "chess": {"castling", "promotion"},
    "crazyhouse": {"drop", "promotion", "capture"},
    "pandemonium": {"drop", "promotion", "capture"},
    "pandemonium-vchess": {"setup", "drop", "promotion", "capture"},
    "janggi": {"setup", "pass", "capture"},
    "chaotic": {"push", "backstab"},
}


def kinds(position, move):
    """The kinds of a move, including its effects on other pieces."""
    found = {kind for kind in ("castling", "promotion", "drop", "pass") if getattr(move, f"is_{kind}")}
    if move.is_choice:
        return {"setup"}
    if not move.is_drop:
        vanished, pushed = effects(position, move)
        found |= {"backstab"} if vanished else set()
        found |= {"push"} if pushed and not move.is_castling else set()
        if position.piece_at(move.to_square) and not (move.is_castling or move.is_pass):
            found.add("capture")
    return found


def click_move(page, position, text):
    """Plays a move with the mouse."""
    move = position.parse_move(text)
    if move.is_choice:
        page.locator(f'#choices [data-choice="{text}"]').click()
    elif move.is_pass:
        page.locator("#pass").click()
    elif move.is_drop:
        letter = text[0].lower() if position.turn else text[0]
        page.locator(f'.slot[data-piece="{letter}"]').click()
        click(page, text[2:])
    else:
        origin, target = (
            square_name(place, position.description.files) for place in (move.from_square, move.to_square)
        )
        click(page, origin, target)
        if sum(str(other).startswith(origin + target) for other in position.legal_moves()) > 1:
            becomes = text[-1].upper() if move.is_promotion else ""
            page.locator(f'[data-becomes="{becomes}"]').click()
    position.push(move)


@pytest.mark.parametrize("variant", GAMES)
def test_whole_game_by_clicks_with_all_that_sets_it_apart(visit, variant):
    fen, moves, result = GAMES[variant]
    page = visit("--variant", variant, *(["--fen", fen] if fen else []))
    start = fen or start_before_setup(catalogue.load(variant))
    assert page.locator("#setup").count() == (variant == "janggi")
    if start and not fen:
        page.locator("#setup").check()
        page.locator("#choices button").first.wait_for()
    position, seen = Position(variant, start), set()
    for ply, text in enumerate(moves.split(), 1):
        seen |= kinds(position, position.parse_move(text))
        click_move(page, position, text)
        played(page, ply)
    expect(page.locator("#outcome")).to_have_text(result)
    assert fen_of(page) == position.fen()
    assert seen >= HAS[variant]


def test_legal_targets_are_marked_and_no_other_square_takes_the_piece(visit):
    page = visit("--variant", "chess")
    click(page, "e2")
    expect(page.locator(".target")).to_have_count(2)
    click(page, "e6")
    expect(page.locator(".target")).to_have_count(0)
    assert page.evaluate("board.state.ply") == 0


def test_piece_of_the_hand_is_dropped_by_click_and_by_drag(visit):
    fen = "4k3/8/8/8/8/8/8/4K3[QNNp] w - - 0 1"
    page = visit("--variant", "crazyhouse", "--fen", fen)
    page.locator('.slot[data-piece="N"]').click()
    click(page, "c3")
    played(page, 1)
    page.locator('.slot[data-piece="p"]').click()
    click(page, "d4")
    played(page, 2)
    box = square(page, "f5").bounding_box()
    page.locator('.slot[data-piece="N"]').hover()
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    played(page, 3)
    assert fen_of(page).startswith("4k3/8/8/5N2/3p4/2N5/8/4K3[Q] b")


def test_piece_is_dragged(visit):
    page = visit("--variant", "chess")
    square(page, "g1").drag_to(square(page, "f3"))
    played(page, 1)
    expect_moves(page, "Nf3")


def test_promotion_is_chosen_at_the_square_and_never_leaves_the_board(visit):
    page = visit("--variant", "chess", "--fen", "4k3/7P/8/8/8/8/p7/4K3 w - - 0 1")
    click(page, "h7", "h8")
    choices = page.locator("[data-becomes]")
    expect(choices).to_have_count(4)
    board = page.locator("#board > svg").bounding_box()
    for choice in choices.all():
        box = choice.bounding_box()
        assert box["x"] >= board["x"] - 1 and box["x"] + box["width"] <= board["x"] + board["width"] + 1
        assert box["y"] >= board["y"] - 1 and box["y"] + box["height"] <= board["y"] + board["height"] + 1
    page.locator('[data-becomes="N"]').click()
    played(page, 1)
    expect_moves(page, "h8=N")


def test_piece_of_pandemonium_may_promote_or_not(visit):
    page = visit("--variant", "pandemonium", "--fen", "4k5/R9/10/10/10/10/10/10/10/5K4[] w - - 0 1")
    click(page, "a9", "a10")
    expect(page.locator("[data-becomes]")).to_have_count(2)
    page.locator('[data-becomes="D"]').click()
    played(page, 1)
    assert fen_of(page).startswith("D3k5/")


def test_pawn_of_sittuyin_promotes_where_it_stands_by_a_second_click(visit):
    page = visit("--variant", "sittuyin", "--fen", "4k3/8/8/4P3/8/P7/8/4K3[] w - - 0 1")
    click(page, "e5")
    expect(page.locator(".target")).to_have_count(6)
    expect(page.locator("[data-becomes]")).to_have_count(0)
    click(page, "e5")
    page.locator('[data-becomes="F"]').click()
    played(page, 1)
    expect_moves(page, "e5=F")
    assert fen_of(page).startswith("4k3/8/8/4F3/8/P7/8/4K3")


def test_setup_and_pass_in_janggi(visit):
    page = visit("--variant", "janggi")
    page.locator("#setup").check()
    expect(page.locator("#choices button")).to_have_count(4)
    page.locator('#choices [data-choice="b1c1"]').click()
    expect(page.locator("#choices b")).to_have_text("Han chooses an arrangement")
    page.locator("#choices button").first.click()
    played(page, 2)
    assert page.evaluate("[board.state.pieces[1], board.state.pieces[2]]") == ["E", "N"]
    page.locator("#pass").click()
    played(page, 3)
    page.keyboard.press("p")
    expect(page.locator("#outcome")).to_contain_text("½")


def test_push_in_chaotic_chess_is_shown_before_and_after_the_move(visit):
    page = visit("--variant", "chaotic")
    click(page, "f3")
    expect(page.locator(".target.does").first).to_be_attached()
    square(page, "f5").hover()
    expect(page.locator(".layer-shapes .arrow")).to_have_count(1)
    click(page, "f5")
    played(page, 1)
    expect(page.locator(".pushed")).to_have_count(1)
    assert page.evaluate("board.state.pieces[61]") == "p"


def test_backstab_in_chaotic_chess_takes_who_stands_between(visit):
    fen = "knrrpmr1/a3p1p1/pp1mpP1A/np2R3/P1P1P3/P2P2Ap/5MRN/3Ma1NK w - - 6 39"
    page = visit("--variant", "chaotic", "--fen", fen)
    expect(page.locator(".piece.frozen")).to_have_count(1)
    click(page, "f2")
    square(page, "f1").hover()
    expect(page.locator(".cross")).to_have_count(1)
    click(page, "f1")
    played(page, 1)
    assert page.evaluate("board.state.pieces[4]") is None
    expect(page.locator(".gone")).to_have_count(1)


def test_game_by_keyboard_alone(visit):
    page = visit("--variant", "chess")
    page.keyboard.press("b")
    page.locator("#board .cell:focus").wait_for()
    assert page.evaluate("document.activeElement.dataset.square") == "d2"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    played(page, 1)
    expect(page.locator("#live")).to_have_text("White: pawn e2 to e4")
    page.keyboard.press("m")
    page.keyboard.type("e5")
    page.keyboard.press("Enter")
    played(page, 2)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    played(page, 1)
    before = page.locator("#board .coord").first.text_content()
    page.keyboard.press("f")
    assert page.locator("#board .coord").first.text_content() != before


def test_engine_shows_lines_with_arrows_and_space_plays_its_move(visit):
    fen = "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1"
    page = visit("--variant", "crazyhouse", "--engine", ANALYST, "--fen", fen)
    page.locator("#engine select").nth(1).select_option("3")
    page.locator("#analyse").click()
    expect(page.locator("#engine li")).to_have_count(3)
    expect(page.locator(".layer-shapes .arrow")).to_have_count(3)
    page.locator("#engine .pv").first.hover()
    expect(page.locator("#preview")).to_be_visible()
    page.mouse.move(600, 400)
    page.keyboard.press(" ")
    played(page, 1)
    page.locator("#analyse").click()
    expect(page.locator("#engine li")).to_have_count(0)


def test_person_plays_against_an_engine(visit):
    page = visit("--variant", "crazyhouse", "--engine", ANALYST)
    page.locator("#start").click()
    page.locator("#takeback").wait_for()
    click(page, "e2", "e4")
    played(page, 2)
    page.locator("#resign").click()
    page.locator("#resign").click()
    expect(page.locator("#outcome")).to_have_text("0-1  White resigns")


def test_review_of_a_game_draws_its_graph_and_marks(visit, tmp_path):
    pgn = tmp_path / "game.pgn"
    pgn.write_text('[Variant "Crazyhouse"]\n\n1. e4 d5 2. Qg4 Bxg4 *\n')
    page = visit("--variant", "crazyhouse", "--pgn", str(pgn), "--engine", ANALYST)
    page.locator("#review").click()
    expect(page.locator("#counts")).to_be_visible()
    expect(page.locator("#moves .g-bad").first).to_be_visible()
    expect(page.locator("#counts tbody tr")).to_have_count(8)
    expect(page.locator("#moves .line")).to_have_text(
        ["Better: a5", "Answer: exd5", "Better: exd5", "Answer: Bxg4"]
    )
    page.locator("#moves .line").nth(2).get_by_role("button", name="exd5").click()
    page.wait_for_function("() => board.moves.node(board.state.node).label === 'exd5'")
    expect(page.locator("#moves .side")).to_contain_text("exd5")
    graph = page.locator("#graph").bounding_box()
    page.mouse.click(graph["x"] + 2, graph["y"] + 40)
    played(page, 0)


def test_lost_connection_comes_back_to_the_same_game(visit):
    page = visit("--variant", "chess")
    click(page, "e2", "e4")
    played(page, 1)
    page.evaluate("board.net.socket.close()")
    expect(page.locator("#notice")).to_contain_text("connection is lost")
    expect(page.locator("#notice")).to_have_text("")
    click(page, "e7", "e5")
    played(page, 2)


def test_bad_texts_are_reported_at_their_fields_and_lose_nothing(visit):
    page = visit("--variant", "chess")
    click(page, "e2", "e4")
    played(page, 1)
    page.locator("#tab-text").click()
    page.locator("#fen").fill("nonsense")
    page.locator("#load-fen").click()
    expect(page.locator("#fen-error")).to_contain_text("board")
    load_pgn(page, "1. e4 e4")
    expect(page.locator("#pgn-error")).to_contain_text("line 1: move 'e4'")
    assert page.locator("#pgn").input_value() == "1. e4 e4"
    assert page.evaluate("board.state.ply") == 1


def test_worth_of_pieces_stands_on_the_board_and_follows_the_position(visit):
    page = visit("--variant", "crazyhouse", "--engine", ANALYST)
    page.locator("#tab-eval").click()
    expect(page.locator(".tag")).to_have_count(30)
    expect(page.locator("#evaluation")).to_contain_text("Sum 0")
    assert square(page, "d1").get_attribute("aria-label") == "d1, white queen, worth +9.00"
    click(page, "e2", "e4")
    played(page, 1)
    page.wait_for_function("() => 28 in board.board.worth && !(12 in board.board.worth)")
    page.locator("#tab-moves").click()
    expect(page.locator(".tag")).to_have_count(0)


def test_games_in_play_have_live_boards_and_a_click_makes_one_large(visit, tmp_path):
    match_folder(tmp_path, [0])
    games = [MatchGame(number, 0, 0, 1, Opening(START, ("e2e4",))) for number in (1, 2)]
    with LiveGames(tmp_path) as match:
        for game in games:
            match.started(game, [65.0, 64.0])
        page = visit("--watch", str(tmp_path))
        tiles = page.locator(".live")
        expect(tiles).to_have_count(2)
        expect(tiles.first.locator(".piece")).to_have_count(32)
        expect(tiles.first.locator(".clock")).to_have_text(["1:04", "1:05"])  # Black's side is above
        expect(page.locator("#standings")).to_be_visible()
        expect(page.locator(".games button")).to_have_count(1)
        tiles.nth(1).click()
        expect(tiles.nth(1)).to_have_class("live here")
        played(page, 1)
        match.moved(games[1], MoveRecord("e7e5", 1.0, score=30), [65.0, 63.0])
        played(page, 2)
        expect(page.locator("#strip-far .clock")).to_have_text("1:03")
        expect(page.locator("#strip-near .clock")).to_have_class("clock ticking")
        expect(tiles.nth(1).locator(".score").first).to_have_text("\N{MINUS SIGN}0.3")
        expect_moves(page, "e4", "e5")
        match.ended(games[1])
        match_folder(tmp_path, [2])
        expect(tiles).to_have_count(1)
        expect(page.locator("#outcome")).to_contain_text("Black resigns")
        expect(page.locator(".games button")).to_have_count(2)
