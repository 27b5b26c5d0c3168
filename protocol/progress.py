"""Progress for people, on stderr: results never go there."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


def error_console():
    """The console for progress."""
    return Console(stderr=True)


def compile_with_bar(variant):
    """Compiles a game behind a progress bar. Raises VariantError for an unknown one."""
    from ..search.engine import Engine

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=error_console()) as bar:
        task = bar.add_task(f"compiling {variant}", total=None)

        def show(done, total, what):
            bar.update(task, completed=done, total=total, description=what)

        engine = Engine(variant)
        engine.compile(progress=show)
        engine.close()
        bar.update(task, description=f"{variant} is compiled")
