"""Review of a whole game: every position of the main line is searched, from the last to the first."""

import asyncio
from typing import Any

from ..engine.position import Position
from ..match.players.player import PlayerError
from .analysis import AnalysisController, spelled
from .cecp_analyst import UnsupportedAnalysisError
from .chances import MARKS, SCORES, Eval, accuracy, lost_chance, move_mark, with_chance
from .phases import PHASES, phases_of
from .play import PlayController
from .requests import RequestError, ended
from .shared_board import SharedBoard
from .tree import ROOT, Node, Tree
from .uci_analyst import EngineInfo

LEAST_SECONDS, MOST_SECONDS = 0.05, 60.0  # for a position
MOST_CRASHES = 2  # of an engine at one position
RESTART_SECONDS = 0.3  # before an engine that crashed is restarted
GLYPHS = tuple(text for _, text in MARKS)
LINE_MOVES = 6  # that are kept of a line at a mistake


class Review:
    """The running review, if any, and the results of the last one."""

    def __init__(self, board: SharedBoard, analysis: AnalysisController, play: PlayController) -> None:
        self._board, self._analysis, self._play = board, analysis, play
        self._task: asyncio.Task[None] | None = None
        self._done = self._total = 0
        self._error = ""
        self._phases: tuple[Tree, list[int], list[int]] | None = None  # of a line: (tree, line, phases)

    def message(self) -> dict[str, object]:
        """Progress and the counts of each side."""
        return {
            "type": "review",
            "running": self._task is not None,
            "done": self._done,
            "total": self._total,
            "error": self._error,
            "counts": self._counts(),
        }

    async def on_review(self, message: dict[str, Any]) -> None:
        """Begins; `seconds` for each position, `engine` by its number."""
        board = self._board
        seconds = max(LEAST_SECONDS, min(MOST_SECONDS, float(message.get("seconds", 0.3))))
        number = board.engines.number(message)
        if self._play.active:
            raise RequestError("not while a game is being played")
        if not board.tree.main_line():
            raise RequestError("there is no game to review: play or load one first")
        await self.cancel()
        self._analysis.pause()
        self._error = ""
        self._task = asyncio.create_task(self._run(seconds, number))
        board.tell(self.message())

    async def on_cancel_review(self, message: dict[str, Any]) -> None:
        """Ends the review; its results stay."""
        await self.cancel()

    async def cancel(self) -> None:
        """Ends the review, if one runs."""
        task, self._task = self._task, None
        if task is not None and task is not asyncio.current_task():
            await ended(task)
            self._board.tell(self.message())

    async def _run(self, seconds: float, number: int) -> None:
        try:
            await self._search_all(number, seconds)
        except PlayerError as error:
            self._error = str(error)
        except KeyError:
            self._error = "the moves were changed while they were reviewed"
        self._task = None
        self._board.tell(self.message())

    async def _search_all(self, number: int, seconds: float) -> None:
        """Searches from the end backwards and marks each move when both its positions are known."""
        tree = self._board.tree
        line = [ROOT, *tree.main_line()]
        position = tree.position_at(line[-1])
        self._done, self._total = 0, len(line)
        best: list[str] = []
        for place in range(len(line) - 1, -1, -1):
            node = tree.nodes[line[place]]
            refutation = best  # the line of the position after this one
            node.eval, best = await self._judge(number, position, seconds, node)
            changed = [node]
            if place + 1 < len(line):
                child = tree.nodes[line[place + 1]]
                self._mark(position, node, child, best, refutation)
                changed.append(child)
            self._board.tell_nodes(*changed)
            self._done += 1
            self._board.tell(self.message(), "review")
            if place:
                position = _before(position, tree, line[place - 1])

    async def _judge(
        self, number: int, position: Position, seconds: float, node: Node
    ) -> tuple[Eval | None, list[str]]:
        """(score, labels of the best line) of a position."""
        if result := position.result():
            return {"chance": SCORES[result.score], "over": result.score}, []
        if any(move.is_choice for move in position.legal_moves()):
            return {"cp": 0, "chance": 0.0}, []
        found = await self._search(number, position, seconds)
        kept: Eval = {name: found[name] for name in ("cp", "mate", "depth") if name in found}
        labels, *_ = spelled(position, found.get("pv", [])[:LINE_MOVES])
        score = with_chance(kept, position.description) if "cp" in kept or "mate" in kept else node.eval
        return score, labels

    async def _search(self, number: int, position: Position, seconds: float) -> EngineInfo:
        """The engine's last report on a position. An engine that crashes is restarted, at most MOST_CRASHES
        times. Raises PlayerError."""
        found: EngineInfo = {}

        def on_info(info: EngineInfo) -> None:
            if info["multipv"] == 1 and not info.get("bound"):
                found.update(info)
                (found.pop("mate", None) if "cp" in info else found.pop("cp", None))

        options = [("MultiPV", 1), ("UCI_AnalyseMode", "true")]
        for attempt in range(MOST_CRASHES + 1):
            try:
                engine = await self._board.engines.get("analysis", number)
                await engine.search(position.copy(), f"movetime {round(1000 * seconds)}", options, on_info)
                break
            except PlayerError as error:
                if attempt == MOST_CRASHES or isinstance(error, UnsupportedAnalysisError):
                    raise
                self._board.failed(f"{error}; it is restarted")
                await asyncio.sleep(RESTART_SECONDS)
        return found

    @staticmethod
    def _mark(position: Position, before: Node, child: Node, best: list[str], refutation: list[str]) -> None:
        """Marks the move to `child` if it lost chances against the best one, and keeps both lines. A person's
        mark stays."""
        child.best = child.refutation = ""
        if child.glyph in GLYPHS and not child.own:
            child.glyph = ""
        if before.eval is None or child.eval is None or best[:1] in ([], [child.label.rstrip("+#")]):
            return
        if text := move_mark(before.eval, child.eval, position.turn):
            child.glyph = child.glyph or text
            child.best, child.refutation = " ".join(best), " ".join(refutation)

    def _counts(self) -> list[dict[str, Any]]:
        """For each side: how often each mark was given, and in per cent the average loss of chances per move,
        the accuracy in the game, and that in each phase."""
        tree = self._board.tree
        line = tree.main_line()
        sides: list[dict[str, Any]] = [dict.fromkeys(GLYPHS, 0) for _ in range(2)]
        losses: list[list[list[float]]] = [[[] for _ in PHASES] for _ in range(2)]
        turn = 1 if tree.start_fen.split()[1] == "b" else 0
        before = tree.nodes[ROOT]
        for number, phase in zip(line, self._phases_of(tree, line), strict=True):
            node = tree.nodes[number]
            if node.glyph in GLYPHS:
                sides[turn][node.glyph] += 1
            if before.eval and node.eval:
                losses[turn][phase].append(lost_chance(before.eval, node.eval, turn))
            before, turn = node, 1 - turn
        for side, phases in zip(sides, losses, strict=True):
            every = [loss for losses_ in phases for loss in losses_]
            side["loss"] = round(50 * sum(every) / len(every), 1) if every else None
            side["accuracy"] = _accuracy(every)
            side["phases"] = [_accuracy(losses_) for losses_ in phases]
        return sides

    def _phases_of(self, tree: Tree, line: list[int]) -> list[int]:
        """The phases of a line, which are kept until it changes; without scores they are not needed."""
        if not any(tree.nodes[number].eval for number in line):
            return [0] * len(line)
        if self._phases is None or self._phases[0] is not tree or self._phases[1] != line:
            self._phases = tree, line, phases_of(tree, line)
        return self._phases[2]


def _accuracy(losses: list[float]) -> float | None:
    """The average accuracy of moves with such losses in per cent, None without any."""
    return round(sum(map(accuracy, losses)) / len(losses), 1) if losses else None


def _before(position: Position, tree: Tree, node: int) -> Position:
    """The position of a node, by taking back the last move of `position` where that is no null move."""
    if not position.ply:
        return tree.position_at(node)
    position.pop()
    return position
