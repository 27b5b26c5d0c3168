"""Progress for people, on stderr: results never go there."""

import sys


def tracked(work, what, total=None):
    """`work` itself, with a progress bar for whoever watches stderr; `total` where it has no length."""
    if not sys.stderr.isatty():
        return work
    from rich.console import Console
    from rich.progress import track

    return track(work, what, total, console=Console(stderr=True), transient=True)


def compile_with_bar(variant):
    """Compiles a game behind a progress bar. Raises VariantError for an unknown one."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from ..search.engine import Engine

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(f"compiling {variant}", total=None)

        def show(done, total, what):
            bar.update(task, completed=done, total=total, description=what)

        engine = Engine(variant)
        engine.compile(progress=show)
        engine.close()
        bar.update(task, description=f"{variant} is compiled")
