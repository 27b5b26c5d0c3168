"""A CECP engine for tests of the board: it analyses chess until it gets `exit`.

It shows two lines of each depth in SAN, and only one without the option `MultiPV`. `--cannot` announces that
it has no analysis mode. `--log FILE` records its input. It needs only python-chess."""

import argparse
import select
import sys
from pathlib import Path

import chess
from fake_analyst import best_first, read_line, say


def show(board, depth, lines):
    for score, text in best_first(board)[:lines]:
        move = chess.Move.from_uci(text)
        say(f"{depth} {score} {depth} {1000 * depth}\t{board.fullmove_number}. {board.san(move)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cannot", action="store_true")
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    board, lines, depth = chess.Board(), 1, None
    while True:
        if depth is not None and not select.select([sys.stdin.fileno()], [], [], 0.02)[0]:
            depth += 1
            show(board, depth, lines)
            continue
        line = read_line()
        if line is None or line == "quit":
            return
        if options.log:
            with options.log.open("a") as file:
                file.write(line + "\n")
        word, _, rest = line.partition(" ")
        if word == "protover":
            say(
                f"feature ping=1 setboard=1 usermove=1 colors=0 analyze={int(not options.cannot)}",
                'feature option="MultiPV -spin 1 1 5" variants="normal" done=1',
            )
        elif word == "ping":
            say(f"pong {rest}")
        elif word == "new":
            board = chess.Board()
        elif word == "setboard":
            board = chess.Board(rest)
        elif word == "usermove":
            board.push_uci(rest)
        elif word == "undo":
            board.pop()
        elif word == "option":
            lines = int(rest.partition("=")[2])
        elif word == "analyze":
            depth = 1
            show(board, depth, lines)
        elif word == "exit":
            depth = None


if __name__ == "__main__":
    main()
