"""The commands of CECP, in one table: name, argument, method, and when they are allowed."""

from collections.abc import Callable
from enum import Flag, auto
from typing import NamedTuple

from .parts import Parts
from .play import Play
from .start import Start


class When(Flag):
    """When a command is allowed. A command without a flag is about a game, which is loaded first."""

    IN_GAME = 0
    AT_ONCE = auto()  # waits for nothing, not even for a game that is being loaded
    WITHOUT_GAME = auto()  # may stand between `new` and `variant`
    AT_REST = auto()  # refused while the engine is about to move
    AFTER_MOVE = auto()  # waits for the engine's move
    AFTER_PING = auto()  # waits for the move that an earlier ping waits for
    IDLE = auto()  # its result is not needed once the conversation is to end
    WHILE_EDITING = auto()  # means the same in edit mode, where other lines are about pieces


class CecpCommand(NamedTuple):
    """A command: `argument` describes its argument for people; `run` takes the argument as text."""

    name: str
    argument: str
    run: Callable[[str], None]
    when: When = When.IN_GAME


def ignore(argument: str) -> None:
    """Does nothing, for commands without effect in this engine."""


def commands(parts: Parts, start: Start, play: Play) -> list[CecpCommand]:
    """The commands of the parts of a conversation."""
    anytime, at_once = When.WITHOUT_GAME, When.AT_ONCE | When.WITHOUT_GAME | When.WHILE_EDITING
    thoughts, limits, setting_up, analysis = parts.thoughts, parts.limits, parts.setting_up, parts.analysis
    move_effects, gestures, search_control = parts.move_effects, parts.gestures, parts.session.search_control
    return [
        # Getting to know each other
        CecpCommand("xboard", "", start.xboard, at_once),
        CecpCommand("protover", "VERSION", start.protover, at_once),
        CecpCommand("accepted", "FEATURE", parts.gui.accept, at_once),
        CecpCommand("rejected", "FEATURE", parts.gui.reject, at_once),
        CecpCommand("option", "NAME[=VALUE]", start.option, anytime),
        CecpCommand("quit", "", start.quit, at_once),
        *(
            CecpCommand(name, "...", ignore, anytime)
            for name in ("random", "name", "rating", "ics", "egtpath", "partner", "ptell")
        ),
        # Which game
        CecpCommand("new", "", start.new, anytime | When.WHILE_EDITING),
        CecpCommand("variant", "[SIZE_]NAME", start.variant, anytime),
        CecpCommand("computer", "", move_effects.computer, anytime),
        # Moves and positions
        CecpCommand("usermove", "MOVE", play.usermove, When.AFTER_PING),
        CecpCommand("setboard", "FEN", play.setboard),
        CecpCommand("edit", "", setting_up.edit),
        CecpCommand("white", "", setting_up.white),
        CecpCommand("black", "", setting_up.black),
        CecpCommand("undo", "", play.undo, When.AFTER_PING),
        CecpCommand("remove", "", play.remove, When.AFTER_PING),
        CecpCommand("holding", "[HAND] [HAND]", play.holding, anytime),
        CecpCommand("result", "RESULT {COMMENT}", play.result, anytime),
        CecpCommand("draw", "", play.draw),
        # Who plays
        CecpCommand("force", "", play.force, anytime),
        CecpCommand("go", "", play.go, When.AFTER_PING),
        CecpCommand("playother", "", play.playother, When.AFTER_PING),
        CecpCommand("pause", "", lambda argument: search_control.pause(), anytime),
        CecpCommand("resume", "", lambda argument: search_control.resume(), anytime),
        CecpCommand("hard", "", lambda argument: search_control.set_pondering(True), anytime),
        CecpCommand("easy", "", lambda argument: search_control.set_pondering(False), anytime),
        # Time, memory, cores
        CecpCommand("level", "MOVES BASE INCREMENT", limits.level, anytime),
        CecpCommand("st", "SECONDS", limits.st, anytime),
        CecpCommand("sd", "PLIES", limits.sd, anytime),
        CecpCommand("nps", "NODES", limits.nps, anytime),
        CecpCommand("time", "CENTISECONDS", limits.time, anytime),
        CecpCommand("otim", "CENTISECONDS", limits.otim, anytime),
        CecpCommand("memory", "MEGABYTES", limits.memory, anytime | When.AT_REST),
        CecpCommand("cores", "NUMBER", limits.cores, anytime),
        # Thinking and analysis
        CecpCommand("post", "", thoughts.post, anytime),
        CecpCommand("nopost", "", thoughts.nopost, anytime),
        CecpCommand("hint", "", thoughts.hint),
        CecpCommand("bk", "", thoughts.bk),
        CecpCommand("analyze", "", analysis.analyze),
        CecpCommand("exit", "", analysis.exit),
        CecpCommand(".", "", analysis.tell_status),
        CecpCommand("exclude", "MOVE|all", analysis.exclude, When.AT_REST),
        CecpCommand("include", "MOVE|all", analysis.include, When.AT_REST),
        CecpCommand("setscore", "CENTIPAWNS PLIES", analysis.setscore, When.AT_REST),
        # For people
        CecpCommand("d", "", parts.console.d, When.AFTER_PING),
        CecpCommand("eval", "", parts.console.eval, When.AFTER_MOVE),
        # The mouse
        CecpCommand("lift", "SQUARE", gestures.lift, When.IDLE),
        CecpCommand("hover", "SQUARE", gestures.hover, anytime),
        CecpCommand("put", "SQUARE", gestures.put, When.IDLE),
    ]
