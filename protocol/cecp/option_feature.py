"""The engine's options as announced to XBoard."""

from ..session.settings import Button, Check, Combo, Spin, Text


def option_feature(option: object) -> str:
    """The text of an option for `feature option=`. Raises TypeError for a kind that XBoard does not know."""
    match option:
        case Check(name, default):
            return f"{name} -check {default:d}"
        case Spin(name, default, least, most):
            return f"{name} -spin {default} {least} {most}"
        case Combo(name, default, choices):
            return f"{name} -combo {' /// '.join('*' * (text == default) + text for text in choices)}"
        case Button(name):
            return f"{name} -button"
        case Text(name, default, kind):
            return f"{name} -{kind} {default}"
    raise TypeError(f"XBoard knows no option like {option}")
