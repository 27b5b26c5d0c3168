"""The rules of a game in English sentences, each made from the game's description.

One function for each mechanic, which returns its sentences, none when the game does not have it. Ranks are
counted from each side's own first rank. Tables and drawings have their own modules.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..definition import fen
from ..game.betza import Ride
from ..game.description import FILE_LETTERS, REVERTING, Description, PieceDescription
from ..game.words import article, king_name, listed, named, names, ranks_in_words, squares_in_words
from .drop_rules import (
    both_colours,
    drop_checks,
    drops,
    drops_promoted,
    must_drop,
    no_mate_by_drop,
    one_per_file,
    reverting,
    turning_back,
)

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


class Rule(NamedTuple):
    """A mechanic: its name in lists, the heading of its sentences, and the function that makes them."""

    name: str
    heading: str
    sentences: Callable[[Description], list[str]]


def sections(description: Description) -> dict[str, list[str]]:
    """Heading -> sentences, in the order in which a player wants to read them; none is empty."""
    found: dict[str, list[str]] = {}
    for rule in RULES:
        if sentences := rule.sentences(description):
            found.setdefault(rule.heading, []).extend(sentences)
    return found


def special_rules(description: Description) -> list[str]:
    """The names of the mechanics of this game that few games have."""
    return [rule.name for rule in RULES if rule.name and rule.sentences(description)]


# Moves


def lame_leaps(description: Description) -> list[str]:
    blocked = named(description, lambda piece: any(move.lame for move in piece.moves))
    if not blocked:
        return []
    return [
        f"{listed(blocked)}: a piece on the way blocks the leap, which goes straight first, then diagonally."
    ]


def hops(description: Description) -> list[str]:
    sentences = []
    for capturing, meaning in ((False, "moves and captures"), (True, "captures")):

        def is_hopper(piece: PieceDescription, capturing: bool = capturing) -> bool:
            return any(
                move.hop and move.capture and move.quiet != capturing
                for move in (*piece.moves, *piece.palace_moves)
            )

        if hoppers := named(description, is_hopper):
            sentences.append(
                f"{listed(hoppers)}: {meaning} by a hop along a line over exactly one piece, of either side."
            )
    return sentences


def shields(description: Description) -> list[str]:
    sentences = []
    for shield, meaning in (
        ("slides", "no slide takes it; steps and leaps do"),
        ("hops", "it is never hopped over, nor taken by a hop"),
    ):

        def is_shielded(piece: PieceDescription, shield: str = shield) -> bool:
            return piece.shielded == shield

        if shielded := named(description, is_shielded):
            sentences.append(f"{listed(shielded)}: {meaning}.")
    return sentences


def longer_steps(description: Description) -> list[str]:
    sentences = []
    for piece in description.pieces:
        if piece.steps and not piece.letter.endswith(REVERTING):
            steps = listed([f"up to {most} squares from rank {rank}" for rank, most in piece.steps.items()])
            sentences.append(
                f"{piece.name}: steps straight forward without capturing {steps}, over empty squares."
            )
    return sentences


def en_passant(description: Description) -> list[str]:
    takers = named(description, lambda piece: piece.en_passant)
    walkers = named(description, lambda piece: piece.steps)
    if not takers or not walkers:
        return []
    return [
        f"En passant: {article(listed(takers, 'or'))} may take {article(listed(walkers, 'or'))} that has just"
        " made a longer step, as if it stood on a square that it crossed."
    ]


def palace(description: Description) -> list[str]:
    if description.palace is None:
        return []
    files, ranks = description.palace.files, description.palace.ranks
    sentences = [
        f"The palace of each side covers the files {FILE_LETTERS[files[0]]} to {FILE_LETTERS[files[-1]]} on"
        f" its ranks {ranks[0]} to {ranks[-1]}."
    ]
    if confined := named(description, lambda piece: piece.confined):
        sentences.append(f"Never leaves its own palace: {listed(confined)}.")
    if diagonal := named(description, lambda piece: piece.palace_moves):
        sentences.append(
            "The diagonals between the centre and the corners of either palace are open to"
            f" {listed(diagonal)}."
        )
    return sentences


def regions(description: Description) -> list[str]:
    groups: dict[tuple[int, ...], list[str]] = {}
    for piece in description.pieces:
        if piece.region and not piece.letter.endswith(REVERTING):
            groups.setdefault(piece.region, []).append(piece.name)
    return [
        f"{listed(pieces)}: never leaves {squares_in_words(squares, description)}; for Black turn the board."
        for squares, pieces in groups.items()
    ]


def advanced(description: Description) -> list[str]:
    return [
        f"{piece.name}: on {ranks_in_words(piece.advanced.ranks, description)} it also moves one square"
        f" {listed(list(dict.fromkeys(map(_direction, piece.advanced.moves))), 'or')}."
        for piece in description.pieces
        if piece.advanced
    ]


def _direction(move: Ride) -> str:
    """Where a step leads, in words; a longer leap in squares."""
    words = {(0, 1): "forward", (0, -1): "backward", (1, 0): "sideways", (-1, 0): "sideways"}
    if abs(move.files) == 1 and abs(move.ranks) == 1:
        return f"diagonally {'forward' if move.ranks > 0 else 'backward'}"
    return words.get((move.files, move.ranks), f"by a leap of {abs(move.files)} files and {move.ranks} ranks")


def merchants(description: Description) -> list[str]:
    rule = description.merchants
    if rule is None:
        return []
    trader = description.piece(rule.letter).name
    immune, spared = names(description, rule.immune), names(description, rule.spared)
    return [
        f"{trader}: immobilises the enemies beside it on its rank and file, unless {article(trader)} of"
        " their own side stands beside them, too. They cannot move, capture or give check."
        + (f" Immune: {listed(immune)}." if immune else ""),
        f"{trader}: its step captures what it puts between itself and another {trader} of its side, on"
        f" a rank or a file; so it takes the {king_name(description)} as well, which wins at once and is"
        " not a check." + (f" Spared: {listed(spared)}." if spared else ""),
    ]


def bumping(description: Description) -> list[str]:
    rule = description.bumping
    if rule is None or description.merchants is None:
        return []
    immune = names(description, rule.immune)
    trader = description.piece(description.merchants.letter).name
    return [
        f"{description.piece(rule.letter).name}: when it stops right before a piece, of either side, it"
        " pushes that on in the same direction as far as the way is free. Immobilised pieces stay, and"
        f" those beside {article(trader)} of their own side."
        + (f" Immune: {listed(immune)}." if immune else "")
    ]


def passing(description: Description) -> list[str]:
    if not description.passing:
        return []
    return ["A side that is not in check may pass. Two passes in a row draw."]


def setup_phase(description: Description) -> list[str]:
    if not description.setup_swaps:
        return []
    pairs = [" and ".join(FILE_LETTERS[file] for file in pair) for pair in description.setup_swaps]
    starts = fen.parse(description.start_fen, description).choices
    when = (
        "It belongs to the start position."
        if starts
        else "The start position goes without it; 'Ss' in the FEN's castling field asks for it."
    )
    return [
        "Setup: the first move of each side chooses which pairs of files on its first rank exchange their"
        f" pieces, any or none of {listed(pairs, 'or')}. {when}"
    ]


# Promotion, drops, castling


def promotion(description: Description) -> list[str]:
    pieces = [piece for piece in description.pieces if piece.promotes_to]
    if not pieces:
        return []
    words = {"enter": "ends on", "leave": "starts from"}

    def when(piece: PieceDescription) -> str:
        """The sentence on when a piece may promote."""
        ways = [words[way] for way in words if way in description.promotes_on(piece)]
        if piece.promotion_squares:
            zone = squares_in_words(piece.promotion_squares, description)
        else:
            zone = ranks_in_words(description.promotion_zone, description)
        move = "A capture" if piece.captures_promote else "A move"
        return f"{move} that {listed(ways, 'or')} {zone} may promote the piece that makes it."

    same = len({when(piece) for piece in pieces}) == 1
    sentences = [when(pieces[0])] if same else []
    for piece in pieces:
        made = listed(_made(description, piece), "or")
        duty = ""
        if piece.must_promote:
            duty = f"; it must promote where it {_duty(description, piece)}"
        own = "" if same else f" {when(piece)}"
        sentences.append(f"{piece.name}: promotes to {made}{duty}.{own}")
    return sentences


def _duty(description: Description, piece: PieceDescription) -> str:
    """Where a piece must promote: in words behind "where it"."""
    if piece.promotion_squares and set(piece.must_promote) == set(description.promotion_ranks(piece)):
        return "may" if "leave" in description.promotes_on(piece) else "reaches such a square"
    return f"reaches {ranks_in_words(piece.must_promote, description)}"


def _made(description: Description, piece: PieceDescription) -> list[str]:
    """The names of what a piece promotes to, promoted kinds not told apart from those of the same letter."""
    return names(description, [letter.removesuffix(REVERTING) for letter in piece.promotes_to])


def promotion_limit(description: Description) -> list[str]:
    limit = description.promotion_limit
    made = dict.fromkeys(letter for piece in description.pieces for letter in piece.promotes_to)
    if not limit or not made:
        return []
    most = [f"{description.piece(letter).name} {limit.get(letter, 0)}" for letter in made]
    return [
        f"A promotion brings back only what is lost. The most that a side may have by it: {listed(most)}. A"
        " piece that must promote but cannot does not move there."
    ]


def castling(description: Description) -> list[str]:
    if not description.castling:
        return []
    rank = description.castling_rank
    king, rook = king_name(description), description.piece(description.castling_rook).name
    sentences = []
    for wing in description.castling:
        squares = (wing.king, wing.king_to, wing.rook, wing.rook_to)
        start, end, rook_start, rook_end = (f"{FILE_LETTERS[file]}{rank}" for file in squares)
        sentences.append(f"{wing.letter}: {king} {start} to {end}, {rook} {rook_start} to {rook_end}.")
    sentences[-1] += " These are White's squares; Black's are their mirror image."
    sentences.append(
        f"All squares between {king} and {rook} must be empty, and the {king} neither in check nor crossing"
        " nor reaching an attacked square."
    )
    if description.castling_dropped:
        sentences.append(
            f"A {king} and a {rook} that are dropped on these squares have the right, whichever comes first."
        )
    if description.castling_by == "rights":
        sentences.append(f"The right is lost when {king} or {rook} moves, or the {rook} is captured.")
    else:
        sentences.append("It does not matter whether they have moved before.")
    if description.castling_once:
        sentences.append("Each side castles once at most.")
    return sentences


# The end of the game


def mate(description: Description) -> list[str]:
    stalemate = {"draw": "draws", "loss": "loses", "win": "wins"}[description.stalemate]
    return ["Checkmate wins.", f"Stalemate {stalemate}: the side to move has no legal move and no check."]


def checked_king(description: Description) -> list[str]:
    if not description.checked_king:
        return []
    return [f"A {king_name(description)} in check may only move to take the piece that gives the check."]


def facing_kings(description: Description) -> list[str]:
    rule = description.facing_kings
    if rule is None:
        return []
    king = king_name(description)
    lines = listed([f"a {line}" for line in sorted(rule.lines, reverse=True)], "or")
    if rule.result == "illegal":
        return [f"No move may let the two {king}s face each other along {lines} with nothing between."]
    seen = f"the two {king}s face each other along {lines} with nothing between"
    when = f"When {seen} after a move" + (" and still after the reply" if rule.lasting else "")
    end = "the game is drawn" if rule.result == "draw" else "whoever moved last loses"
    return [f"{when}, {end}."]


def bare_king(description: Description) -> list[str]:
    if description.bare_king is None:
        return []
    company = names(description, description.bare_king)
    spared = f", with or without {listed(company)}" if company else ""
    return [
        f"A side that has nothing left but its {king_name(description)}{spared}, loses at once, unless the"
        " other has no more either"
        + (", or only one piece that it takes with its next move." if description.bare_reply else ".")
    ]


def goal(description: Description) -> list[str]:
    rule = description.goal
    if rule is None:
        return []
    pieces = listed([article(name) for name in names(description, rule.pieces)], "or")
    squares = squares_in_words(rule.squares, description)
    if rule.black:
        return [
            f"White wins at once when it brings {pieces} to {squares}, Black when it brings {pieces} to"
            f" {squares_in_words(rule.black, description)}."
        ]
    return [f"A side that brings {pieces} to {squares} wins at once."]


def check_limit(description: Description) -> list[str]:
    if not description.check_limit:
        return []
    return [f"A side that gives check for the {ORDINALS[description.check_limit]} time wins at once."]


def repetition(description: Description) -> list[str]:
    if not description.repetition_times:
        return []
    times = ORDINALS[description.repetition_times]
    words = {"castling": "castling rights", "en_passant": "chances to capture en passant"}
    compared = ["board", *["hands"] * description.has_drops, "side to move"]
    compared += [words[part] for part in words if part in description.repetition_compares]
    ends = {"draw": "draws", "loss": "loses for the side to move", "win": "wins for the side to move"}
    end = ends[description.repetition_result]
    sentence = f"A position that occurs for the {times} time (same {listed(compared)}) {end}"
    if description.repetition_perpetual_check == "loss":
        sentence += ", but who alone gave check with every move since the last time loses"
    return [f"{sentence}."]


def quiet_moves(description: Description) -> list[str]:
    if not description.quiet_moves:
        return []
    pawns = named(description, lambda piece: piece.only_forward)
    progress = f" or a move of {article(listed(pawns, 'or'))}" if pawns else ""
    drop = "; a drop is neither" if description.has_drops else ""
    if any(piece.must_drop for piece in description.pieces):
        drop = "; a drop that must be made counts like a capture"
    return [f"{description.quiet_moves} moves of each side without a capture{progress} draw{drop}."]


def move_limit(description: Description) -> list[str]:
    if not description.move_limit:
        return []
    moves = f"{description.move_limit} moves"
    return [f"The game is drawn when each side has made {moves}, unless the last mates."]


def dead_positions(description: Description) -> list[str]:
    rule = description.dead_positions
    if rule is None:
        return []
    king = king_name(description)
    left = [f"the two {king}s alone"]
    if rule.single:
        left.append(f"a single {listed(names(description, rule.single), 'or')} beside them")
    if rule.colourbound:
        bound = listed(names(description, rule.colourbound), "or")
        left.append(f"any number of the kind {bound}, all on squares of one colour")
    return [f"Material that cannot mate draws: {listed(left, 'or')}."]


RULES = (
    Rule("", "Moves", longer_steps),
    Rule("", "Moves", en_passant),
    Rule("", "Moves", advanced),
    Rule("", "Moves", regions),
    Rule("blocked leaps", "Moves", lame_leaps),
    Rule("hops", "Moves", hops),
    Rule("shielded pieces", "Moves", shields),
    Rule("", "Promotion", promotion),
    Rule("limited promotion", "Promotion", promotion_limit),
    Rule("", "Drops", drops),
    Rule("placement", "Drops", must_drop),
    Rule("both colours", "Drops", both_colours),
    Rule("drops and checks", "Drops", drop_checks),
    Rule("promoted drops", "Drops", drops_promoted),
    Rule("no mate by drop", "Drops", no_mate_by_drop),
    Rule("one per file", "Drops", one_per_file),
    Rule("", "Drops", turning_back),
    Rule("reverting pieces", "Drops", reverting),
    Rule("", "Castling", castling),
    Rule("setup phase", "Special rules", setup_phase),
    Rule("palace", "Special rules", palace),
    Rule("passing", "Special rules", passing),
    Rule("merchants", "Special rules", merchants),
    Rule("bumping", "Special rules", bumping),
    Rule("facing kings", "Special rules", facing_kings),
    Rule("kings in check", "Special rules", checked_king),
    Rule("bare king", "Special rules", bare_king),
    Rule("goal", "Special rules", goal),
    Rule("counted checks", "Special rules", check_limit),
    Rule("", "End of the game", mate),
    Rule("", "End of the game", repetition),
    Rule("", "End of the game", quiet_moves),
    Rule("limit of moves", "End of the game", move_limit),
    Rule("", "End of the game", dead_positions),
)
