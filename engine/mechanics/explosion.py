"""Explosions: a capture removes the capturing piece and all pieces around the square, except spared kinds. A
side whose king explodes has lost. A move that explodes the own king is illegal. A king beside the other one
is not in check, because its captor's king would explode. In a game without a royal piece the rule of
extinction decides what an explosion ends."""

from dataclasses import dataclass

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import king_name, listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .free_castling import keep_rights, rights_without
from .mechanic import Mechanic, Rule, refuse_together
from .outcomes import loss

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import bit, has, load, lsb, popcount, without_lsb
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan, counted
    from ..representation.piece_updates import toggle

LOST_KING = loss(lambda description, mover, other: f"{mover}'s {king_name(description)} explodes")
NEIGHBOURS = {(files, ranks) for files in (-1, 0, 1) for ranks in (-1, 0, 1) if files or ranks}


@dataclass(frozen=True)
class Explosion:
    """Captures explode; pieces of the `spared` kinds are removed only as captor and as victim, those of the
    `immune` kinds only as victim."""

    spared: str
    immune: str = ""


def read(game: GameReader, table: TableReader) -> Explosion:
    return Explosion(game.letters(table, "spared"), game.letters(table, "immune"))


def check(rule: Explosion, top: TableReader, description: Description) -> None:
    others = ("drops", "merchants", "bumping", "facing_kings", "checked_king", "checks", "must_capture")
    refuse_together(top, "explosion", description, *others, "kings")
    royal = [piece.letter for piece in description.royals]
    if not royal and not description.extinction:
        raise top.error("explosion", "needs a royal piece, or extinction")
    if royal and royal[0] in rule.immune:
        raise top.error("explosion.immune", f"{royal[0]!r} is royal, and a game ends by its explosion")


def facts(rule: Explosion, plan: Plan) -> Facts:
    return Facts(
        "explosion",
        around=plan.table(plan.geometry.leaps(NEIGHBOURS)),
        **counted(members=plan.movers_of(rule.spared + rule.immune), immune=plan.movers_of(rule.immune)),
        royal=plan.has_kings,
        squares_tell=squares_tell(plan),
    )


def squares_tell(plan: "Plan") -> bool:
    """Whether the squares of a move tell if it is legal in a game with explosions: all pieces step, leap and
    slide as in chess, and no other rule changes what a move does."""
    game = plan.description
    more = (game.walls, game.gates, game.self_capture, game.rifle_captures, game.colour_change, game.cells)
    more += (game.co_royal, game.last_royal, game.first_moves, game.truce, game.square_moves)
    return bool(
        game.explosion
        and plan.has_kings
        and not game.explosion.immune
        and not any(more)
        and all(plan.is_plain(piece) or plan.is_split(piece) for piece in plan.pieces)
    )


def sentences(rule: Explosion, description: Description) -> list[str]:
    spared = listed([name.lower() for name in names(description, rule.spared)], "or")
    immune = listed([name.lower() for name in names(description, rule.immune)] or [""], "or")
    king = king_name(description)
    found = [
        "A capture explodes: the capturing piece vanishes with the captured one, and so do all pieces on the"
        f" squares around it{f' except a {spared}' if spared else ''}."
        + (f" A {immune} vanishes only when it is captured itself." if immune else "")
    ]
    if not description.royals:
        return found
    return [
        *found,
        f"A side whose {king} explodes has lost. A move may not let the own {king} explode.",
        f"A {king} beside the other {king} is not in check.",
    ]


@over_rules("explosion")
def blast(explosion, squares, rules, position, target):
    """`target` and the adjacent squares whose pieces an explosion removes; `squares` without the rule."""
    area = explosion.around[target] & (load(position, "colours", 0) | load(position, "colours", 1))
    for i in range(explosion.member_count):
        area = area & ~load(position, "movers", explosion.members[i])
    return area | bit(rules, target)


@inner
def _immune(explosion, rules, position):
    """The pieces that explode neither beside the target nor as captors."""
    pieces = rules.empty
    for i in range(explosion.immune_count):
        pieces = pieces | load(position, "movers", explosion.immune[i])
    return pieces


@over_rules("explosion")
def captor_survives(explosion, found, rules, position, square):
    """Whether the piece on `square` survives its own capture; `found` in games without explosions."""
    return has(_immune(explosion, rules, position), square)


@over_rules("explosion")
def unless_kings_touch(explosion, found, rules, position, side, square):
    """`found` attackers of a king on `square`, or none if it is beside the king of `side`, which attacks."""
    return rules.empty if has(explosion.around[square], np.int64(position.kings[side])) else found


@over_rules("explosion")
def safe_after(explosion, safe, rules, child, side):
    """Whether the move of `side` to `child` was legal: its king exists, and is `safe` or the other's is
    gone."""
    if not explosion.royal:
        return safe
    if child.board[child.kings[side]] != rules.royal_kind:
        return False
    return safe or child.board[child.kings[1 - side]] != rules.royal_kind


@over_rules("explosion")
def attackers_after_blast(explosion, found, rules, position, side, target):
    """`found` attackers of the king of `side` after a capture on `target`; all squares if it explodes itself,
    none if the other king does."""
    area = explosion.around[target]
    if not explosion.royal:
        return rules.empty
    if has(area, np.int64(position.kings[side])):
        return rules.board
    return rules.empty if has(area, np.int64(position.kings[1 - side])) else found


@inner
def _remove(rules, child, square):
    """Removes a piece from the board, and the castling rights that need it."""
    side = np.int64(not has(load(child, "colours", 0), square))
    toggle(rules, child, side, np.int64(child.board[square]), square)
    child.board[square] = rules.no_kind
    if rules.castling_rights:
        kept = np.int64(child.rights) & rules.rights_kept[square]
        keep_rights(rules, child, rights_without(rules, kept, child, square))


@over_rules("explosion")
def explode(explosion, outcome, rules, child, parent, kind, source, target):
    """Removes the pieces that explode with a capture on `target`; returns the outcome if a king does."""
    side = np.int64(parent.side)
    enemies = load(parent, "colours", 1 - side)
    if popcount(enemies) == popcount(load(child, "colours", 1 - side)):
        return outcome
    area = blast(rules, rules.empty, child, target) & ~_immune(explosion, rules, child)
    while area:
        _remove(rules, child, lsb(area))
        area = without_lsb(area)
    if not explosion.royal:
        return outcome
    return outcome if child.board[child.kings[1 - side]] == rules.royal_kind else np.int64(LOST_KING)


@over_rules("explosion")
def exploded_before(explosion, outcome, rules, position):
    """The outcome if the king of the side to move has exploded."""
    if not explosion.royal:
        return outcome
    king = position.kings[position.side]
    return outcome if position.board[king] == rules.royal_kind else np.int64(LOST_KING)


MECHANIC = Mechanic(
    of="explosion",
    fact="explosion",
    table=("spared", "immune"),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("explosions", "Special rules", sentences),),
    capture=explode,
    at_setup=exploded_before,
    quiet_moves_end=False,
)
