"""The commands of CECP, in one table: name, argument, what carries it out, and when it is allowed."""

from collections.abc import Callable
from enum import Flag, auto
from typing import NamedTuple

from .play import Play
from .start import Start
from .talk import Talk


class When(Flag):
    """When a command is allowed. Without a flag it is about a game, which is loaded first."""

    IN_GAME = 0
    AT_ONCE = auto()  # waits for nothing, not even for a game that is being loaded
    WITHOUT_GAME = auto()  # may stand between `new` and `variant`
    AT_REST = auto()  # refused while the engine is about to move
    WHILE_EDITING = auto()  # means the same in edit mode, where other lines are about pieces


class Command(NamedTuple):
    """A command: `argument` names what follows it, for people; `run` takes that as text."""

    name: str
    argument: str
    run: Callable[[str], None]
    when: When = When.IN_GAME


def ignore(argument: str) -> None:
    """For commands that tell something of no use here."""


def table(talk: Talk, start: Start, play: Play) -> dict[str, Command]:
    """The commands of a conversation, by name."""
    anytime, at_once = When.WITHOUT_GAME, When.AT_ONCE | When.WITHOUT_GAME | When.WHILE_EDITING
    thoughts, machine = talk.thoughts, talk.machine
    limits, setting_up, analysis = talk.limits, talk.setting_up, talk.analysis
    aftermath, gestures, thinker = talk.aftermath, talk.gestures, talk.session.thinker
    commands = [
        # Getting to know each other
        Command("xboard", "", start.xboard, at_once),
        Command("protover", "VERSION", start.protover, at_once),
        Command("accepted", "FEATURE", talk.gui.accept, at_once),
        Command("rejected", "FEATURE", talk.gui.reject, at_once),
        Command("option", "NAME[=VALUE]", start.option, anytime),
        Command("quit", "", start.quit, at_once),
        Command("ping", "NUMBER", talk.ping, When.WHILE_EDITING),
        *(
            Command(name, "...", ignore, anytime)
            for name in ("random", "name", "rating", "ics", "egtpath", "partner", "ptell")
        ),
        # Which game
        Command("new", "", start.new, anytime | When.WHILE_EDITING),
        Command("variant", "[SIZE_]NAME", start.variant, anytime),
        Command("computer", "", aftermath.computer, anytime),
        # Moves and positions
        Command("usermove", "MOVE", play.usermove),
        Command("setboard", "FEN", play.setboard),
        Command("edit", "", setting_up.edit),
        Command("white", "", setting_up.white),
        Command("black", "", setting_up.black),
        Command("undo", "", play.undo),
        Command("remove", "", play.remove),
        Command("holding", "[HAND] [HAND]", play.holding, anytime),
        Command("result", "RESULT {COMMENT}", play.result, anytime),
        Command("draw", "", play.draw),
        # Who plays
        Command("force", "", play.force, anytime),
        Command("go", "", play.go),
        Command("playother", "", play.playother),
        Command("?", "", play.move_now),
        Command("pause", "", lambda argument: thinker.pause(), anytime),
        Command("resume", "", lambda argument: thinker.resume(), anytime),
        Command("hard", "", lambda argument: thinker.set_pondering(True), anytime),
        Command("easy", "", lambda argument: thinker.set_pondering(False), anytime),
        # Time, memory, cores
        Command("level", "MOVES BASE INCREMENT", limits.level, anytime),
        Command("st", "SECONDS", limits.st, anytime),
        Command("sd", "PLIES", limits.sd, anytime),
        Command("nps", "NODES", limits.nps, anytime),
        Command("time", "CENTISECONDS", limits.time, anytime),
        Command("otim", "CENTISECONDS", limits.otim, anytime),
        Command("memory", "MEGABYTES", machine.memory, anytime | When.AT_REST),
        Command("cores", "NUMBER", machine.cores, anytime),
        # Thinking and analysis
        Command("post", "", thoughts.post, anytime),
        Command("nopost", "", thoughts.nopost, anytime),
        Command("hint", "", thoughts.hint),
        Command("bk", "", thoughts.bk),
        Command("analyze", "", analysis.analyze),
        Command("exit", "", analysis.exit),
        Command(".", "", analysis.tell_status),
        Command("exclude", "MOVE|all", analysis.exclude, When.AT_REST),
        Command("include", "MOVE|all", analysis.include, When.AT_REST),
        Command("setscore", "CENTIPAWNS PLIES", analysis.setscore, When.AT_REST),
        # The mouse
        Command("lift", "SQUARE", gestures.lift),
        Command("hover", "SQUARE", gestures.hover, anytime),
        Command("put", "SQUARE", gestures.put),
    ]
    return {command.name: command for command in commands}
