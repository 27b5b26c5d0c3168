"""The configuration of a match: everything that determines its games, as plain data in `match.json`. Where
the games are played, and how many at once, is not part of it, because the games are the same."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...engine.variant import Variant
from ..players.spec import EngineSpec
from ..records.model import MatchGame, Opening
from ..results.sprt import Sprt
from .adjudication import AdjudicationRules, DrawRule, ResignRule
from .schedule import gauntlet, pairings, round_robin

HEAD_TO_HEAD, ROUND_ROBIN, GAUNTLET = TOURNAMENTS = ("head-to-head", "round-robin", "gauntlet")
ODDS = "odds"  # two engines with several limits each, in given pairings

DEFAULT_RULES = AdjudicationRules()


class TournamentError(ValueError):
    """An invalid configuration of a match; the text quotes the fault."""


@dataclass(frozen=True)
class Tournament:
    """A match between `engines`, whose numbers are their places in it from 0.

    All pairings of the `tournament` play each of `openings` with both colours. `toml` is the text of the
    game's file where the game is the user's own. `replay_draws` is how often a drawn game is played again
    with colours changed. `sprt` ends the match early. `pairings` are those of a match at odds. Raises
    TournamentError for engines and openings that make no match.
    """

    variant: Variant
    engines: tuple[EngineSpec, ...]
    openings: tuple[Opening, ...]
    tournament: str = HEAD_TO_HEAD
    rules: AdjudicationRules = DEFAULT_RULES
    replay_draws: int = 0
    sprt: Sprt | None = None
    event: str = "Surajang"
    toml: str | None = None
    pairings: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        check_engines(self.engines, self.tournament, self.sprt)
        self._check_pairings()
        if not self.openings:
            raise TournamentError("a match needs at least one opening")

    def _check_pairings(self) -> None:
        """Raises TournamentError for pairings that are missing, of no engines, or out of place."""
        if bool(self.pairings) != (self.tournament == ODDS):
            raise TournamentError(f"{len(self.pairings)} pairings for the tournament {self.tournament!r}")
        for first, second in self.pairings:
            if not (0 <= first < len(self.engines) and 0 <= second < len(self.engines) and first != second):
                raise TournamentError(f"a pairing of engines {first} and {second} of {len(self.engines)}")

    @property
    def names(self) -> list[str]:
        """The engines' names, by their numbers."""
        return [spec.name for spec in self.engines]

    def schedule(self) -> list[MatchGame]:
        """All games, without replays of drawn ones."""
        if self.tournament == ODDS:
            return pairings(self.pairings, self.openings)
        if self.tournament == GAUNTLET:
            return gauntlet(len(self.engines), self.openings)
        return round_robin(len(self.engines), self.openings)

    def as_json(self) -> dict[str, Any]:
        """The match as plain dicts and lists."""
        return {
            "variant": self.variant,
            "toml": self.toml,
            "engines": [spec.as_json() for spec in self.engines],
            "tournament": self.tournament,
            "rules": asdict(self.rules),
            "replay_draws": self.replay_draws,
            "sprt": asdict(self.sprt) if self.sprt else None,
            "event": self.event,
            "pairings": [list(pairing) for pairing in self.pairings],
            "openings": [asdict(opening) for opening in self.openings],
        }

    @classmethod
    def from_json(cls, data: Any) -> "Tournament":
        """The match that `as_json` wrote. Raises TournamentError for other data."""
        try:
            data = dict(data)
            rules = dict(data["rules"])
            rules["draw"] = DrawRule(**rules["draw"]) if rules["draw"] else None
            rules["resign"] = ResignRule(**rules["resign"]) if rules["resign"] else None
            data["rules"] = AdjudicationRules(**rules)
            data["sprt"] = Sprt(**data["sprt"]) if data["sprt"] else None
            data["pairings"] = tuple((first, second) for first, second in data.get("pairings", ()))
            data["variant"] = Variant(data["variant"])
            data["engines"] = tuple(EngineSpec.from_json(spec) for spec in data["engines"])
            openings = (Opening(o["fen"], tuple(o["moves"]), o["name"]) for o in data["openings"])
            return cls(**data | {"openings": tuple(openings)})
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise TournamentError(f"this is not a configuration of a match ({reason})") from None


def check_engines(engines: Sequence[EngineSpec], tournament: str, sprt: Sprt | None) -> None:
    """Raises TournamentError for engines that cannot play such a match."""
    if tournament not in (*TOURNAMENTS, ODDS):
        raise TournamentError(f"tournament {tournament!r} should be one of {', '.join(TOURNAMENTS)}")
    if len(engines) < 2:
        raise TournamentError(f"a match needs at least 2 engines, not {len(engines)}")
    if tournament == HEAD_TO_HEAD and len(engines) != 2:
        raise TournamentError(
            f"head-to-head is between 2 engines, not {len(engines)}; there are {ROUND_ROBIN} and {GAUNTLET}"
        )
    if sprt and len(engines) != 2:
        raise TournamentError(f"an SPRT compares 2 engines, not {len(engines)}")
    names = [spec.name for spec in engines]
    for name in names:
        if names.count(name) > 1:
            raise TournamentError(
                f"{names.count(name)} engines have the name {name!r}; name=... tells them apart"
            )
