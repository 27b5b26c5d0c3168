"""An engine for tests: plays random moves of chess or Crazyhouse, in CECP or UCI, and misbehaves on demand.

It is a plain script that needs only python-chess. `--fault KIND` happens once, at its `--at`-th search (0:
before its first output); `Engine.misbehave` has the kinds."""

import argparse
import os
import random
import signal
import subprocess
import sys
import time

import chess
import chess.variant

FOREVER = 10_000  # seconds
NONSENSE = ("hello", "", "bestmove_", "moves x", "feature", "info", "info depth x score cp", "9 9", "pong x")


def say(*lines):
    for line in lines:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Engine:
    """The current game and the next fault."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.random = random.Random(arguments.seed)
        self.moves, self.guesses = arguments.moves.split(), arguments.guess.split()
        self.searches = 0
        self.variant = "chess"
        self.set_up(None)

    def set_up(self, fen, *moves):
        boards = {"crazyhouse": chess.variant.CrazyhouseBoard, "chess": chess.Board}
        self.board = boards[self.variant](*[fen] * (fen is not None))
        for move in moves:
            self.board.push_uci(move)

    def choose(self):
        """The next move of the list, or a legal one by chance."""
        if self.moves:
            return self.moves.pop(0)
        legal = sorted(move.uci() for move in self.board.legal_moves)
        return self.random.choice(legal)

    def guess(self):
        """The reply that it expects, or None."""
        return self.guesses.pop(0) if self.guesses else None

    def search(self, answer):
        """Thinks and answers with `answer(text)`, unless the fault comes in between."""
        self.searches += 1
        if self.searches == self.arguments.at:
            self.misbehave(answer)
            return
        answer(self.choose())

    def misbehave(self, answer):
        """Carries out `--fault`."""
        kind, _, detail = self.arguments.fault.partition(":")
        if kind == "exit":
            print("first reason\nsecond reason", file=sys.stderr, flush=True)
            os._exit(int(detail or 3))
        elif kind == "crash":
            signal.signal(signal.SIGSEGV, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGSEGV)
        elif kind == "close":
            os.close(1)
            time.sleep(FOREVER)
        elif kind == "hang":
            time.sleep(FOREVER)
        elif kind == "late":
            time.sleep(float(detail))
            answer(self.choose())
        elif kind == "say":
            say(detail)
            if not detail.startswith(("move", "bestmove", "resign", "1-0", "0-1", "1/2")):
                answer(self.choose())
        elif kind == "move":
            answer(detail)
        elif kind == "nonsense":
            say(*NONSENSE)
            answer(self.choose())
        elif kind == "bytes":
            sys.stdout.buffer.write(b"\xff\xfe\x00 caf\xe9\r\n")
            sys.stdout.buffer.flush()
            answer(self.choose())
        elif kind == "long":
            say("x" * int(detail))
            answer(self.choose())
        elif kind == "flood":
            while True:
                say("# " + "y" * 1000)
        else:
            sys.exit(f"unknown fault {self.arguments.fault!r}")


def speak_cecp(engine):
    """CECP; without `--version-2` as in version 1."""
    arguments, playing, hard = engine.arguments, False, False

    def answer(move):
        say(f"{engine.board.ply() + 1} 13 7 {1000 * engine.searches} {move}")
        say(arguments.answer.format(move=move))
        if hard:
            say(f"99 -77 9 {1000 * engine.searches} {move}")
        try:
            engine.board.push_uci(move)
        except ValueError:
            return

    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "protover" and not arguments.version_1:
            time.sleep(arguments.pause)
            say(f'feature myname="Fake" {arguments.features}', "feature done=1")
        elif word == "new":
            engine.variant, playing = "chess", True
            engine.set_up(None)
        elif word == "variant":
            engine.variant = rest
            engine.set_up(None)
        elif word == "setboard":
            engine.set_up(rest)
        elif word in ("hard", "easy"):
            hard = word == "hard"
        elif word == "force":
            playing = False
        elif word in ("usermove", "go") or chess.Move is type(_move(word)):
            if word != "go":
                move = rest or word
                if move == arguments.refuse:
                    say(f"Illegal move: {move}")
                    continue
                engine.board.push_uci(move)
            playing = playing or word == "go"
            if playing:
                engine.search(answer)
        elif word == "ping":
            say(f"pong {rest}")
        elif word == "quit" and not arguments.stay:
            return
        elif word == arguments.unknown:
            say(f"Error (unknown command): {line.strip()}")


def _move(word):
    try:
        return chess.Move.from_uci(word)
    except ValueError:
        return None


def speak_uci(engine):
    arguments, pondering = engine.arguments, False

    def answer(move):
        say(f"info depth 7 seldepth 9 multipv 1 score cp 13 nodes {1000 * engine.searches} time 70 pv {move}")
        expected = engine.guess() if arguments.guess else "a7a6"
        say(f"bestmove {move}" + (f" ponder {expected}" if expected else ""))

    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "uci":
            say("id name Fake", "option name Hash type spin default 16 min 1 max 1024")
            say("option name Skill type combo default low var low var very high")
            if arguments.guess:
                say("option name Ponder type check default false")
            say("option name UCI_Variant type combo default chess var chess var crazyhouse", "uciok")
        elif word == "isready":
            say("readyok")
        elif word == "setoption" and "UCI_Variant" in rest:
            engine.variant = rest.split()[-1]
        elif word == "position":
            start, _, moves = rest.partition(" moves ")
            engine.set_up(start.removeprefix("fen ") if start != "startpos" else None, *moves.split())
        elif line.startswith("go ponder"):
            pondering = True
            say(f"info depth 5 score cp 55 nodes {1000 * engine.searches} time 50")
            if arguments.early:
                pondering = False
                engine.search(answer)
        elif word == "ponderhit" and pondering:
            pondering = False
            if not arguments.silent:
                engine.search(answer)
            else:
                say(f"bestmove {engine.choose()}")
        elif word == "stop" and pondering:
            pondering = False
            say("info depth 6 score cp 66 nodes 1 time 60", "bestmove 0000")
        elif word == "go":
            engine.search(answer)
        elif word == "quit" and not arguments.stay:
            return


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--uci", action="store_true", help="speak UCI instead of CECP")
    parser.add_argument("--fault", default="", help="exit[:N] crash close hang late:S say:TEXT move:M ...")
    parser.add_argument("--at", type=int, default=1, help="the search that the fault comes in; 0: the start")
    parser.add_argument("--moves", default="", help="what to play first")
    parser.add_argument("--guess", default="", help="the replies that it expects, in turn, to ponder on them")
    parser.add_argument("--early", action="store_true", help="answer while it should still ponder")
    parser.add_argument("--silent", action="store_true", help="answer `ponderhit` with the move alone")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--version-1", action="store_true", help="announce nothing")
    parser.add_argument("--banner", default="", help="the first line")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds before the features")
    parser.add_argument("--features", default='ping=1 setboard=1 usermove=1 variants="normal,crazyhouse"')
    parser.add_argument("--answer", default="move {move}", help="how a move is written in CECP")
    parser.add_argument("--refuse", default="", help="a move that is refused")
    parser.add_argument("--unknown", default="-", help="a command that is refused")
    parser.add_argument("--stay", action="store_true", help="ignore `quit`, the end of input and SIGTERM")
    parser.add_argument("--child", default="", help="start a child and write its number to this file")
    parser.add_argument("--deaf", action="store_true", help="read nothing after the first words")
    arguments = parser.parse_args()
    if not arguments.fault:
        arguments.at = -1
    if arguments.child:
        child = subprocess.Popen([sys.executable, "-S", "-c", f"import time; time.sleep({FOREVER})"])
        with open(arguments.child, "w", encoding="utf-8") as file:
            file.write(f"{child.pid} {os.getpid()}")
    if arguments.stay:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if arguments.banner:
        say(arguments.banner)
    engine = Engine(arguments)
    if arguments.at == 0:
        engine.misbehave(say)
    if arguments.deaf:
        say("feature done=0", 'feature ping=1 variants="normal,crazyhouse" done=1')
        time.sleep(FOREVER)
    (speak_uci if arguments.uci else speak_cecp)(engine)
    if arguments.stay:
        time.sleep(FOREVER)


if __name__ == "__main__":
    main()
