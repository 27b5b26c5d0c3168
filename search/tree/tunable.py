"""The tunable numbers of the search by game, and their form in compiled code.

In an ordinary worker they are constants of the machine code. A worker for tuning has the field `tuned`, a
record of them, so that two players of one program may differ. Centipawns are those of the games' values."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba.extending import intrinsic

from ...engine.kernel.compiler import inner
from ...engine.kernel.facts import Facts, chosen_by_field
from ...engine.rules import has_drops


class Tunable(NamedTuple):
    """A number of the search: its `value`, from `low` to `high`, and the `step` that changes play noticeably.
    `drops` is a different value in games with drops, and `merchants` in games where moves may capture on
    their way."""

    value: int
    low: int
    high: int
    step: int
    drops: int | None = None
    merchants: int | None = None

    def value_for(self, rules: Any) -> int:
        """The value in the games of these rules."""
        if self.drops is not None and has_drops(rules):
            return self.drops
        if self.merchants is not None and rules.hidden_captures:
            return self.merchants
        return self.value


TUNABLES = {
    # Reverse futility pruning: an evaluation so far above beta will hold, a margin for each ply left.
    "rfp_depth": Tunable(8, 2, 12, 1),
    "rfp_margin": Tunable(78, 20, 250, 12, drops=60, merchants=90),
    # What hangs, in sixteenths: the margin grows by the second largest loss, because a move can prevent one,
    # and the null move needs the largest above beta, because it prevents none.
    "rfp_hanging": Tunable(16, 0, 32, 2, drops=0, merchants=0),
    "null_hanging": Tunable(16, 0, 32, 2, drops=0, merchants=0),
    # Razoring: so far below alpha, a margin for each ply left, only captures can help.
    "razor_depth": Tunable(3, 0, 6, 1),
    "razor_margin": Tunable(300, 80, 800, 50, drops=220),
    # Null move: its reduction, in LMR_UNIT, and more for each ply left; a ply more for each margin above
    # beta, at most so many of them.
    "null_depth": Tunable(3, 1, 6, 1),
    "null_reduction": Tunable(4096, 2048, 7168, 400),
    "null_slope": Tunable(256, 0, 640, 50, drops=239),
    "null_margin": Tunable(200, 60, 600, 40),
    "null_max_margin": Tunable(3, 0, 6, 1),
    # Internal iterative reduction: from this depth on, a ply less without a table move.
    "iir_depth": Tunable(4, 2, 10, 1),
    # ProbCut: a capture that is so far above beta in a shallow search.
    "probcut_depth": Tunable(5, 3, 10, 1),
    "probcut_margin": Tunable(200, 50, 500, 30),
    # Late moves: so many, in LMP_UNIT, are tried, and more by the square of the depth; half when not
    # improving.
    "lmp_depth": Tunable(8, 2, 12, 1),
    "lmp_base": Tunable(275, 64, 768, 40, drops=314, merchants=256),
    "lmp_slope": Tunable(100, 16, 192, 12, merchants=64),
    # Whether late quiet moves that check are tried where the others are left out.
    "late_checks": Tunable(1, 0, 1, 1, drops=0),
    # Where only a mate at once beats alpha, so many plies before the horizon, quiet moves that do not check
    # are left out.
    "mating_depth": Tunable(4, 0, 12, 1, drops=0, merchants=8),
    # Whether moves count as checks that uncover the check of a slider.
    "uncovering": Tunable(1, 0, 1, 1, drops=0),
    # Futility: no quiet move is tried so far below alpha, a margin for each ply that would be left.
    "futility_depth": Tunable(8, 2, 12, 1),
    "futility_base": Tunable(120, 20, 400, 25),
    "futility_margin": Tunable(100, 20, 250, 15, drops=70),
    # Quiet moves with a history so far below zero, for each ply left, are left out.
    "history_depth": Tunable(4, 1, 8, 1),
    "history_floor": Tunable(5400, 1500, 16_000, 800, drops=5575, merchants=6000),
    # What a move may lose on its square: quiet ones by the square of the depth that is left after reductions,
    # captures and promotions (tactical) and quiet checks for each ply.
    "see_depth": Tunable(8, 2, 12, 1),
    "see_quiet": Tunable(30, 5, 100, 6, drops=26),
    "see_tactical": Tunable(100, 30, 350, 20, drops=132, merchants=120),
    "see_check": Tunable(120, 30, 350, 20, drops=113),
    # Late-move reduction, in LMR_UNIT: a base, a slope for ln(depth) * ln(number of the move), and changes.
    "lmr_depth": Tunable(2, 1, 5, 1),
    "lmr_base": Tunable(470, -400, 1600, 100, drops=488, merchants=410),
    "lmr_slope": Tunable(584, 200, 1000, 40, merchants=512),
    "lmr_tactical": Tunable(550, 0, 1024, 80, drops=443, merchants=512),  # its part for captures, promotions
    "lmr_pv": Tunable(1024, 0, 2560, 160, drops=1079),  # less on the principal variation
    "lmr_cut_node": Tunable(1024, 0, 2560, 160),  # more where a cut-off is expected
    "lmr_not_improving": Tunable(512, 0, 1536, 120, drops=570),  # more when the evaluation does not improve
    "lmr_gives_check": Tunable(1024, 0, 2560, 160, drops=918),  # less for checks
    "lmr_in_check": Tunable(910, 0, 2560, 160, drops=1114, merchants=1024),  # less for replies to check
    "lmr_history": Tunable(1024, 0, 2560, 160, drops=1124),  # less for a history of HISTORY_LIMIT
    # Singular extensions: a table move, from an entry at most `singular_depth_lag` plies shallower, that is
    # better than all others by sixteenths of a centipawn for each ply; by a further margin, two plies.
    "singular_depth": Tunable(7, 4, 10, 1),
    "singular_depth_lag": Tunable(3, 1, 5, 1),
    "singular_margin": Tunable(37, 8, 96, 6, drops=29, merchants=32),
    "double_margin": Tunable(25, 5, 100, 6),
    # Whether a mandatory capture without an alternative is searched a ply deeper.
    "extend_only_capture": Tunable(1, 0, 1, 1),
    # Histories: the bonus for each ply, at most the limit.
    "bonus_factor": Tunable(200, 40, 400, 25, drops=180, merchants=150),
    "bonus_limit": Tunable(1950, 600, 4000, 200, drops=1887, merchants=1800),
    "capture_history_divisor": Tunable(8, 1, 32, 2, drops=7),
    # Corrections of the static evaluation, in CORRECTION_UNIT of the learned error: by the pieces in hand or,
    # without drops or merchants, by either side's pieces on the board; by what stands around either king; by
    # the move before.
    "correction_hands": Tunable(96, 0, 256, 16),
    "correction_pieces": Tunable(64, 0, 256, 16),
    "correction_king": Tunable(64, 0, 256, 16, drops=55),
    "correction_move": Tunable(96, 0, 256, 16, drops=110),
    # Quiescence: a capture must come so near to alpha; so many moves are tried out of check; plies that try
    # drops with check, and that search all replies to check.
    "delta_margin": Tunable(180, 50, 500, 30, drops=130),
    "quiescence_moves": Tunable(3, 1, 12, 1),
    "quiescence_checks": Tunable(1, 0, 3, 1),
    "quiescence_evasions": Tunable(2, 0, 4, 1),
    # The order of quiet moves: what is added to their history.
    # `order_unsafe` is subtracted for each centipawn of a piece that could then be captured with profit.
    "order_killer": Tunable(40_000, 5_000, 80_000, 5_000, drops=36_193),
    "order_counter": Tunable(20_000, 0, 60_000, 4_000, drops=17_594),
    "order_check": Tunable(16_000, 0, 60_000, 4_000, drops=21_004),
    "order_escape": Tunable(8_000, 0, 60_000, 4_000, drops=0, merchants=0),
    "order_unsafe": Tunable(25, 0, 125, 5, merchants=0),
    "order_offer": Tunable(8_000, 0, 60_000, 4_000),
    # Time management (`search.time_management`): the moves that the clock should last for, one less for each
    # that was played, and the fewest.
    "time_moves": Tunable(60, 10, 80, 3),
    "time_least_moves": Tunable(25, 8, 60, 3),
    # A troubled search may use so many hundredths of its share, and so many of the clock.
    "time_hard": Tunable(500, 150, 1200, 60),
    "time_most": Tunable(35, 10, 60, 4),
    # An iteration that ends after the soft limit times a factor is the last. The factor is a product, in
    # hundredths: of the steadiness of the best move, new or the same for so many iterations; ...
    "time_unstable": Tunable(140, 60, 300, 12),
    "time_stable": Tunable(60, 20, 120, 8),
    "time_stable_steps": Tunable(7, 2, 14, 1),
    # ... of the trouble: 100, with tenths of a hundredth for each centipawn that the score has fallen since
    # the iteration before, within bounds; ...
    "time_drop": Tunable(10, 0, 60, 3),
    "time_least_trouble": Tunable(100, 40, 100, 6),
    "time_most_trouble": Tunable(160, 100, 400, 15),
    # ... and of a base less the share of the iteration's nodes that the best move took.
    "time_effort_base": Tunable(150, 100, 300, 10),
    "time_effort": Tunable(90, 0, 250, 10),
}

TUNED = np.dtype([(name, np.int64) for name in TUNABLES])


def tuned_values(rules: Any) -> dict[str, int]:
    """The values of all `TUNABLES` in the games of these rules, by name."""
    return {name: each.value_for(rules) for name, each in TUNABLES.items()}


@cache
def tuned_facts(rules: Any) -> Facts:
    """The numbers as constants in the games of these rules. A process needs them before it loads code that
    others compiled."""
    return Facts("tuned", **tuned_values(rules))


@intrinsic
def _constants(typingctx, rules, worker):
    facts = tuned_facts(rules.facts)

    def generate(context, builder, sig, args):
        return context.get_dummy_value()

    return facts._numba_type_(rules, worker), generate


@inner
def _from_worker(rules, worker):
    return worker.tuned


@inner
def _from_rules(rules, worker):
    return _constants(rules, worker)


# (rules, worker) -> the numbers by name, as attributes
tuned_numbers = chosen_by_field("tuned", _from_worker, _from_rules)
