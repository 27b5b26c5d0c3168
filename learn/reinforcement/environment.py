"""A PettingZoo environment (AEC) for any game: "player_0" has White, "player_1" Black."""

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ...engine.game.arguments import check_range
from ...engine.game.moves import Move
from ...engine.position import Position
from ...engine.variant import Variant
from .actions import actions_for
from .planes import planes_for

AGENTS = ("player_0", "player_1")  # White, Black
MOST = 1000.0  # no value of a plane is greater


class GameEnvironment(AECEnv):
    """A game as an AEC environment.

    An observation is a dict. `observation` has the planes of the position (`rl.planes`); `action_mask` has 1
    for each legal move of the agent to move (`rl.Actions`), and only 0 for the other agent. At the end the
    winner gets 1 and the loser -1; a draw gives 0. A game is truncated after `max_plies`. `position` is the
    `Position`. `render_mode` "ansi" returns its text, "svg" its picture; "human" prints it."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "surajang_v0",
        "render_modes": ["ansi", "human", "svg"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        variant: str = "chess",
        fen: str | None = None,
        *,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        variant = Variant(variant)
        if render_mode not in (None, *self.metadata["render_modes"]):
            known = ", ".join(self.metadata["render_modes"])
            raise ValueError(f"{render_mode!r} is not a render mode ({known} are)")
        if max_plies is not None:
            check_range("max_plies", max_plies, 1)
        self.variant, self.fen, self.max_plies, self.render_mode = variant, fen, max_plies, render_mode
        self.actions, self.planes = actions_for(variant), planes_for(variant)
        self.possible_agents = list(AGENTS)
        self.reset()

    @cached_property
    def observation_spaces(self) -> dict[str, spaces.Dict]:
        """The space of observations by agent."""
        return {agent: self._observation_space() for agent in AGENTS}

    @cached_property
    def action_spaces(self) -> dict[str, spaces.Discrete]:
        """The space of actions by agent."""
        return {agent: spaces.Discrete(self.actions.count) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations; always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions; always the same object."""
        return self.action_spaces[agent]

    def _observation_space(self) -> spaces.Dict:
        planes = spaces.Box(0, MOST, self.planes.shape, np.float32)
        return spaces.Dict(
            {"observation": planes, "action_mask": spaces.Box(0, 1, (self.actions.count,), np.int8)}
        )

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game; the seed has no effect."""
        self.position = Position(self.variant, self.fen)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.turn]

    def observe(self, agent: str) -> dict[str, Any]:
        """An agent's observation; both agents get the same planes."""
        moves = agent == AGENTS[self.position.turn] and not self.terminations[agent]
        mask = self.actions.mask(self.position) if moves else np.zeros(self.actions.count, np.int8)
        return {"observation": self.planes.of(self.position), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays the move of an action; None for an agent whose game is over. Raises IllegalMoveError."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position.push_legal(self.move_of(int(action)) if action is not None else self._no_move())
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(AGENTS, 0)
        result = self.position.result()
        if result is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            if result.winner is not None:
                self.rewards[AGENTS[result.winner]], self.rewards[AGENTS[1 - result.winner]] = 1, -1
            self.infos = {agent: {"result": result.score, "reason": result.reason} for agent in AGENTS}
        elif self.max_plies is not None and self.position.ply >= self.max_plies:
            self.truncations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[self.position.turn]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _no_move(self) -> Move:
        raise TypeError("None is only allowed for an agent whose game is over")

    def action_of(self, move: Move | str) -> int:
        """The action of a legal move. Raises MoveError."""
        return self.actions.of(self.position.parse_move(move))

    def move_of(self, action: int) -> Move:
        """The legal move of an action. Raises IllegalMoveError."""
        return self.actions.move(self.position, action)

    def render(self) -> str | None:
        """The position in the form of the `render_mode`; None for "human", which prints it."""
        if self.render_mode == "svg":
            return self.position._repr_svg_()
        if self.render_mode == "human":
            print(self.position, end="\n\n")
            return None
        return str(self.position)

    def close(self) -> None:
        """Does nothing; there is no window."""


def env(
    variant: str = "chess",
    fen: str | None = None,
    *,
    max_plies: int | None = None,
    render_mode: str | None = None,
) -> AECEnv:
    """A `GameEnvironment` in which an illegal move loses the game."""
    game = GameEnvironment(variant, fen, max_plies=max_plies, render_mode=render_mode)
    legal = wrappers.TerminateIllegalWrapper(game, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))
