"""Suites of positions from self-play games: how they are collected, kept and measured."""
