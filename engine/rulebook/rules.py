"""The rules of a game in English sentences from the game's description.

One function for each rule returns its sentences, none if the game does not have it; those of the mechanics
are in their own modules. Ranks are counted from each side's own first rank. Tables and drawings have their
own modules."""

from ..game.betza import Ride
from ..game.description import FEWER, FILE_LETTERS, REVERTING, Description, PieceDescription
from ..game.words import ORDINALS, article, listed, named, names, ranks_in_words, squares_in_words
from ..mechanics import MECHANICS
from ..mechanics.mechanic import Rule
from ..mechanics.standing_promotion import stays
from .drop_rules import drops, no_mate_by_drop, reverting, turning_back


def sections(description: Description) -> dict[str, list[str]]:
    """Heading -> sentences, in the order for a player; none is empty."""
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
    for hop, way in (
        ("p", "by a hop along a line over exactly one piece, of either side"),
        ("g", "by a hop along a line over the next piece, of either side, to the square right behind it"),
    ):
        for capturing, meaning in ((False, "moves and captures"), (True, "captures")):

            def is_hopper(piece: PieceDescription, hop: str = hop, capturing: bool = capturing) -> bool:
                return any(
                    move.hop == hop and move.capture and move.quiet != capturing
                    for move in (*piece.moves, *piece.palace_moves)
                )

            if hoppers := named(description, is_hopper):
                sentences.append(f"{listed(hoppers)}: {meaning} {way}.")
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
    for piece in description.kinds:
        if piece.steps:
            steps = listed([f"up to {most} squares from rank {rank}" for rank, most in piece.steps.items()])
            way = "straight forward" if piece.long_steps == (0,) else "diagonally forward"
            sentences.append(f"{piece.name}: steps {way} without capturing {steps}, over empty squares.")
    return sentences


def en_passant(description: Description) -> list[str]:
    takers = named(description, lambda piece: piece.en_passant)
    walkers = named(description, lambda piece: piece.steps)
    if not takers or not walkers:
        return []
    ranks = {rank for piece in description.pieces for rank in piece.en_passant}
    some = "" if len(ranks) == description.ranks else f" on its rank {listed(map(str, sorted(ranks)), 'or')}"
    return [
        f"En passant: {article(listed(takers, 'or'))} may take {article(listed(walkers, 'or'))} that has just"
        f" made a longer step, as if it stood on a square{some} that it crossed."
    ]


def regions(description: Description) -> list[str]:
    groups: dict[tuple[int, ...], list[str]] = {}
    for piece in description.kinds:
        if piece.region:
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
    """The direction of a step, in words; a longer leap in squares."""
    words = {(0, 1): "forward", (0, -1): "backward", (1, 0): "sideways", (-1, 0): "sideways"}
    if abs(move.files) == 1 and abs(move.ranks) == 1:
        return f"diagonally {'forward' if move.ranks > 0 else 'backward'}"
    return words.get((move.files, move.ranks), f"by a leap of {abs(move.files)} files and {move.ranks} ranks")


# Promotion, drops, castling


def promotion(description: Description) -> list[str]:
    pieces = [piece for piece in description.pieces if piece.promotes_to and not stays(description, piece)]
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
    """The squares where a piece must promote: in words after "where it"."""
    if piece.promotion_squares and set(piece.must_promote) == set(description.promotion_ranks(piece)):
        return "may" if "leave" in description.promotes_on(piece) else "reaches such a square"
    return f"reaches {ranks_in_words(piece.must_promote, description)}"


def _made(description: Description, piece: PieceDescription) -> list[str]:
    """The names of a piece's promotions; promoted kinds have the name of the kind with the same letter."""
    return names(description, _made_letters(piece))


def _made_letters(piece: PieceDescription) -> list[str]:
    return [letter.removesuffix(REVERTING) for letter in piece.promotes_to]


def promotion_limit(description: Description) -> list[str]:
    made = dict.fromkeys(letter for piece in description.pieces for letter in _made_letters(piece))
    groups = {letter: group for group in description.promotion_limit for letter in group}
    limits = {group: description.promotion_limit[group] for group in map(groups.get, made) if group}
    if not limits:
        return []
    start = description.start_fen.split(" ")[0].split("[")[0]
    lost = set(limits) == set(made) and all(start.count(letter) == most for letter, most in limits.items())
    most = [f"{listed(names(description, group))} {number}" for group, number in limits.items()]
    return [
        "A promotion brings back only what is lost. "
        * lost
        + f"The most that a side may have by it: {listed(most)}. A piece that must promote but cannot does"
        " not move there."
    ]


def barred(description: Description) -> list[str]:
    return [
        f"{piece.name}: does not move to {ranks_in_words(piece.barred, description)}"
        + (", unless it promotes." if piece.promotes_to else ".")
        for piece in description.kinds
        if piece.barred
    ]


def castling(description: Description) -> list[str]:
    if not description.castling:
        return []
    rank = description.castling_rank
    king, rook = description.piece(description.castling_king).name, _castling_names(description)
    sentences = []
    for wing in description.castling:
        squares = (wing.king, wing.king_to, wing.rook, wing.rook_to)
        start, end, rook_start, rook_end = (f"{FILE_LETTERS[file]}{rank}" for file in squares)
        other = description.piece(wing.piece).name
        if description.castling_free:
            where = "right" if wing.rook > wing.king else "left"
            text = (
                f"{wing.letter}, with the {other} on the {where} of the {king}: {king} to {end}, {other} to"
            )
            sentences.append(f"{text} {rook_end}.")
        else:
            sentences.append(f"{wing.letter}: {king} {start} to {end}, {other} {rook_start} to {rook_end}.")
    sentences[-1] += " These are White's squares; Black's are their mirror image."
    if description.castling_free:
        sentences.append(
            f"{king} and {rook} castle from any squares of rank {rank}. A start may be drawn: the {king}"
            " stands between the two pieces that castle, pieces that keep to a colour stand on different"
            " ones, and both sides have the same start."
        )
    empty = "on the ways of both" if description.castling_free else f"between {king} and {rook}"
    safe = (
        f", and the {king} neither in check nor crossing nor reaching an attacked square"
        if description.piece(description.castling_king).royal
        else ""
    )
    sentences.append(f"All squares {empty} must be empty{safe}.")
    if description.castling_dropped:
        sentences.append(
            f"A {king} and a {rook} that are dropped on these squares have the right, whichever comes first."
        )
    if description.castling_by == "rights":
        sentences.append(f"The right is lost when {king} or {rook} moves, or the {rook} is captured.")
    else:
        sentences.append("It does not matter whether they have moved before.")
    if description.castling_mirrored:
        files = dict.fromkeys(f"{FILE_LETTERS[wing.king]}{rank}" for wing in description.castling)
        sentences.append(f"The {king} may begin on {' or on '.join(files)}.")
    if description.castling_once:
        sentences.append("Each side castles once at most.")
    return sentences


def _castling_names(description: Description) -> str:
    letters = dict.fromkeys(wing.piece for wing in description.castling)
    return listed(names(description, letters), "or")


# The end of the game


def mate(description: Description) -> list[str]:
    stalemate = {"draw": "draws", "loss": "loses", "win": "wins"}.get(description.stalemate, "")
    royal = bool(description.royals)
    when = f"the side to move has no legal move{' and no check' * royal}"
    if description.stalemate == FEWER:
        end = f"Stalemate: when {when}, the side with fewer pieces wins, and equal numbers draw."
    else:
        end = f"Stalemate {stalemate}: {when}."
    mate = "A side that is mated wins." if description.checkmate == "win" else "Checkmate wins."
    return [mate, end] if royal else [end]


def repetition(description: Description) -> list[str]:
    if not description.repetition_times:
        return []
    times = ORDINALS[description.repetition_times]
    words = {"castling": "castling rights", "en_passant": "chances to capture en passant"}
    compared = ["board", *["hands"] * description.has_drops, "side to move"]
    compared += [words[part] for part in words if part in description.repetition_compares]
    ends = {"draw": "draws", "loss": "loses for the side to move", "win": "wins for the side to move"}
    ends |= {"white": "wins for White", "black": "wins for Black"}
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


HEADINGS = ("Moves", "Promotion", "Drops", "Castling", "Special rules", "End of the game")
_RULES = (
    Rule("", "Moves", longer_steps),
    Rule("", "Moves", en_passant),
    Rule("", "Moves", advanced),
    Rule("", "Moves", regions),
    Rule("blocked leaps", "Moves", lame_leaps),
    Rule("hops", "Moves", hops),
    Rule("shielded pieces", "Moves", shields),
    Rule("", "Promotion", promotion),
    Rule("limited promotion", "Promotion", promotion_limit),
    Rule("barred ranks", "Promotion", barred),
    Rule("", "Drops", drops),
    Rule("no mate by drop", "Drops", no_mate_by_drop),
    Rule("", "Drops", turning_back),
    Rule("reverting pieces", "Drops", reverting),
    Rule("", "Castling", castling),
    Rule("", "End of the game", mate),
    Rule("", "End of the game", repetition),
    Rule("", "End of the game", quiet_moves),
    *(rule for mechanic in MECHANICS for rule in mechanic.told_rules()),
)
RULES = sorted(_RULES, key=lambda rule: HEADINGS.index(rule.heading))
