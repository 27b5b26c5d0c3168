"""PyChess without its window: its own discovery of engines, its own players and its own game, as JSON.

PyChess belongs to the system's Python, so this file runs under that one and not under the one of the tests:

    python3 pychess_client.py PLIES SECONDS

It reads the list of engines of the user's settings, asks the engine named Surajang for its options, and has
it play a game of chess and one of crazyhouse against itself, so many half moves with so many seconds a side.
After each game PyChess analyses the last position, pauses and continues.
"""

import asyncio
import builtins
import json
import sys

import gi

PATIENCE = 60
STRONGEST, WEAKER = 20, 15  # levels of PyChess; only below 19 it sets options of strength
LINES = 2  # of an analysis, where PyChess has several in the protocol; it begins with three
DEPTH = 5  # plies of an analysis that is deep enough

builtins._ = lambda text: text  # PyChess's own start installs the translations
builtins.ngettext = lambda one, many, count: one if count == 1 else many
gi.require_version("Gtk", "3.0")
gi.require_version("GtkSource", "3.0")
gi.require_version("Rsvg", "2.0")


async def _discovered(discoverer):
    """The entry of the engine, after PyChess has asked all engines; None if it has rejected it."""
    done = asyncio.get_running_loop().create_future()
    discoverer.connect("all_engines_discovered", lambda _: done.done() or done.set_result(None))
    discoverer.discover()
    await asyncio.wait_for(done, PATIENCE)
    return discoverer.getEngineByName("Surajang")


async def _analyses(model, name):
    """The lines of an analysis of the last position, and those after a pause of it, fewer of them."""
    from pychess.Utils.const import HINT

    await model.start_analyzer(HINT, force_engine=name)
    analyser = model.spectators[HINT]
    lines, started = _lines(model, analyser, analyser.getAnalysisLines()), asyncio.Event()
    analyser.start(started, set())
    await asyncio.wait_for(started.wait(), PATIENCE)
    before = await lines
    lines = _lines(model, analyser, analyser.requestMultiPV(LINES))
    analyser.pause()
    analyser.resume()
    return before, await lines


def _lines(model, analyser, count):
    """A future of the lines of an analysis that is to begin, as many as asked for and deep enough."""
    from pychess.Utils.logic import legalMoveCount

    future, begun = asyncio.get_running_loop().create_future(), False
    wanted = min(count, legalMoveCount(model.boards[-1]))

    def hear(_, lines):
        nonlocal begun
        depths = [int(line[3]) for line in lines if line and line[0] == model.ply]
        begun = begun or 1 in depths
        if begun and sum(depth >= DEPTH for depth in depths) == wanted and not future.done():
            future.set_result([{"moves": list(moves), "score": score} for _, moves, score, _, _ in lines])

    analyser.connect("analyze", hear)
    return asyncio.wait_for(future, PATIENCE)


def _dialogs():
    """PyChess's dialogs about an engine's complaints."""
    from gi.repository import Gtk

    windows = Gtk.Window.list_toplevels()
    return [window.props.text for window in windows if isinstance(window, Gtk.MessageDialog)]


def _end(model, engines):
    """Ends engines. PyChess's own methods for the end of a game fail with Python 3.9 and later."""
    from pychess.Utils.const import KILLED, UNKNOWN_REASON

    model.status = KILLED
    for engine in engines:
        engine.kill(UNKNOWN_REASON)


async def _game(discoverer, engine, variant, plies, seconds):
    """A game of that many half moves between the strongest level and a weaker one, then an analysis."""
    from pychess.Utils.const import BLACK, CASTLE_KK, WHITE
    from pychess.Utils.GameModel import GameModel
    from pychess.Utils.Move import toAN
    from pychess.Utils.TimeModel import TimeModel

    model = GameModel(TimeModel(seconds, 0), variant)
    model.setPlayers(
        [
            await discoverer.initPlayerEngine(engine, side, level, variant, seconds)
            for side, level in ((WHITE, STRONGEST), (BLACK, WEAKER))
        ]
    )
    done = asyncio.get_running_loop().create_future()
    model.connect("game_changed", lambda _, ply: ply < plies or done.done() or done.set_result(None))
    model.connect("game_ended", lambda _, reason: done.done() or done.set_result(None))
    model.start()
    await asyncio.wait_for(done, PATIENCE)
    played = zip(model.boards, model.moves, strict=False)
    moves = [toAN(board, move, short=True, castleNotation=CASTLE_KK) for board, move in played]
    names = [player.name for player in model.players]
    _end(model, model.players)
    analyses = await _analyses(model, engine["name"])
    _end(model, model.spectators.values())
    return {"players": names, "moves": moves, "analyses": analyses, "dialogs": _dialogs()}


async def _main(plies, seconds):
    from pychess.Players.engineNest import discoverer
    from pychess.System import conf
    from pychess.Variants import variants

    conf.set("book_depth_max", 0)  # all moves are the engine's
    conf.set("infinite_analysis", True)
    engine = await _discovered(discoverer)
    found = {"engine": engine, "games": {}}
    if engine:
        playable = discoverer.getEngineVariants(engine)
        games = {kind.cecp_name: kind for name, kind in variants.items() if name in playable}
        found["variants"] = sorted(games)
        for name in ("normal", "crazyhouse"):
            found["games"][name] = await _game(discoverer, engine, games[name], plies, seconds)
    print(json.dumps(found))


loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)  # PyChess looks for it before it runs
loop.run_until_complete(_main(int(sys.argv[1]), float(sys.argv[2])))
