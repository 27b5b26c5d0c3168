"""A UCI engine for tests of matches: plays chess by a rule, at once, and always the same move in a position.

`--seed` distinguishes two of them; it adds its process number to the file `--pids`. From its GAMES-th game on
it waits for a file `--hold` to exist, if one is named, so that a test can observe a match in progress."""

import argparse
import os
import sys
import time
from zlib import crc32

import chess

GAMES = 4


def choose(board, seed):
    """The move that it always plays in a position."""
    moves = sorted(move.uci() for move in board.legal_moves)
    return moves[crc32(f"{seed} {board.fen()}".encode()) % len(moves)]


def set_up(line):
    """The board of a `position` command."""
    words = line.split()
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:8]))
    for move in moves:
        board.push_uci(move)
    return board


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", default="")
    parser.add_argument("--pids", default=os.devnull)
    parser.add_argument("--hold")
    parser.add_argument("--variant", default="chess")
    options = parser.parse_args()
    with open(options.pids, "a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    board, games = chess.Board(), 0
    for line in sys.stdin:
        command = line.split()[0] if line.split() else ""
        if command == "uci":
            print(
                f"id name Walker\noption name UCI_Variant type combo var {options.variant}\nuciok", flush=True
            )
        elif command == "ucinewgame":
            games += 1
            while options.hold and games >= GAMES and not os.path.exists(options.hold):
                time.sleep(0.01)
        elif command == "isready":
            print("readyok", flush=True)
        elif command == "position":
            board = set_up(line)
        elif command == "go":
            move = choose(board, options.seed)
            score = crc32(board.fen().encode()) % 200 - 100
            print(f"info depth 1 score cp {score} nodes 20 time 1 pv {move}\nbestmove {move}", flush=True)
        elif command == "quit":
            return


if __name__ == "__main__":
    main()
