"""All figures of a study together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...engine.game.description import Description
from ..games.opening_search import Trap, TreeLine
from ..games.plan import START, Series, StudyPlan
from ..games.probing import Probe
from ..games.study_game import StudyGame
from .advice import Advice, HandicapRow, advice_of, plain_row
from .balance import BalanceFigure, balance_of
from .character import Character, character_of
from .first_moves import Openings, opening_rows, openings_of
from .piece_values import ResultValue, piece_values
from .pieces import PiecesFigure, pieces_of
from .rules_at_work import RulesAtWork, rules_at_work
from .sharpness import Sharpness, sharpness_of


@dataclass(frozen=True)
class StudySource:
    """The source of the figures: the game and a digest of its rules, the evaluation that played, the program,
    the seed, and the numbers of different openings from the start and from the game's suite."""

    game: str
    title: str
    rules: str
    evaluation: str
    program: str
    seed: int
    most_plies: int
    start_openings: int
    suite_openings: int


@dataclass(frozen=True)
class Study:
    """The figures of a study. `character`, `sharpness`, `pieces` and `openings` are those of the strongest
    games from the start with enough of them, None or empty without a game; `rules` and `values` are those of
    all games. `notes` are sentences on
    what limits the figures."""

    source: StudySource
    games: int
    balance: BalanceFigure
    rules: RulesAtWork
    character: Character | None
    sharpness: Sharpness | None
    pieces: PiecesFigure | None
    values: tuple[ResultValue, ...]
    openings: Openings | None
    advice: Advice
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Searched:
    """What the engine found besides the games of the series: searches of some positions, lines from the
    start, traps, and games with handicaps."""

    probes: Sequence[Probe] = ()
    tree: Sequence[TreeLine] = ()
    traps: Sequence[Trap] = ()
    handicaps: Sequence[HandicapRow] = ()
    mate: int | None = None  # moves to a mate from the start, below 0 if the side to move is mated


ENOUGH = 0.3  # of the most games that a strength has: what figures of single positions need


def study_of(
    games: Mapping[Series, Sequence[StudyGame]],
    plan: StudyPlan,
    source: StudySource,
    description: Description,
    searched: "Searched | None" = None,
) -> Study:
    """The figures of the games of all series, and of what was searched and played besides."""
    searched = searched or Searched()
    chosen = strongest_of(games)
    played = list(games[chosen]) if chosen else []
    # an opening has the same number at every strength
    by_opening = [((series.source, game.number), game) for series in games for game in games[series]]
    balance = balance_of(games)
    values = piece_values(
        [game for _, game in by_opening], description, [opening for opening, _ in by_opening]
    )
    openings = openings_of(played, chosen.nodes, searched.tree, searched.traps) if chosen else None
    plain = plain_row(balance)
    first = opening_rows(games[Series(plain.source, plain.nodes)], 1) if plain else ()
    return Study(
        source=source,
        games=len(by_opening),
        balance=balance,
        rules=rules_at_work(by_opening, description),
        character=character_of(played, chosen.nodes) if chosen else None,
        sharpness=sharpness_of(searched.probes),
        pieces=pieces_of(played, description) if played else None,
        values=values,
        openings=openings,
        advice=advice_of(balance, searched.handicaps, first, values),
        notes=tuple([*notes_on(games, plan, source), *_forced_win(searched.mate, description)]),
    )


def _forced_win(mate: int | None, description: Description) -> list[str]:
    """A sentence on a start from which a side mates by force."""
    if not mate:
        return []
    first = description.start_fen.split()[1] == "w"
    side = "White" if first == (mate > 0) else "Black"
    return [f"A search of the start finds that {side} mates by force in {abs(mate)} moves."]


def strongest_of(games: Mapping[Series, Sequence[StudyGame]]) -> Series | None:
    """The strongest series from the start with at least ENOUGH of the games that the largest one has."""
    started = {series: played for series, played in games.items() if series.source == START and played}
    most = max(map(len, started.values()), default=0)
    enough = [series for series, played in started.items() if len(played) >= ENOUGH * most]
    return max(enough, key=lambda series: series.nodes, default=None)


def notes_on(games: Mapping[Series, Sequence[StudyGame]], plan: StudyPlan, source: StudySource) -> list[str]:
    """Sentences on unusual games, and on figures that are missing because of them."""
    everything = [game for played in games.values() for game in played]
    if not everything:
        return ["No game was played."]
    if not any(game.plies for game in everything):
        return [f"The game is over before the first move: {everything[0].reason} ({everything[0].result})."]
    found = []
    wanted = max(plan.games_of(series) for series in plan.series)
    if source.start_openings == 1:
        found.append(
            "The start gives only one opening among good moves: all games from the start are the same game, "
            "so one was played at each strength."
        )
    elif source.start_openings < wanted:
        found.append(
            f"The start gives {source.start_openings} different openings among good moves, fewer than the "
            f"{wanted} games that were asked for; each was played once at each strength."
        )
    if not source.suite_openings:
        found.append("The game has no suite of balanced openings; all games begin at the start.")
    if unfinished := sum(game.result == "*" for game in everything):
        found.append(
            f"{unfinished} of {len(everything)} games had no result after {source.most_plies} plies and "
            "count as half a point for each side. The game may need a rule that ends it."
        )
    found += _quick_wins(everything)
    return found


QUICK_PLIES = 10


def _quick_wins(games: Sequence[StudyGame]) -> list[str]:
    """A sentence where one side wins all games within QUICK_PLIES."""
    longest = max(game.plies for game in games)
    results = {game.result for game in games}
    if longest > QUICK_PLIES or len(results) > 1 or not games[0].is_decisive:
        return []
    side = "White" if games[0].points else "Black"
    plies = "ply" if longest == 1 else "plies"
    return [
        f"{side} won every game, the longest in {longest} {plies}. The game is probably decided at the start."
    ]
