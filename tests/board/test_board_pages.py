"""Tests in a browser get their pages from the helper `visits`, which fails if the console has errors."""

import ast
from pathlib import Path
from unittest.mock import Mock

import pytest
from surajang.tests.support.browsing import Pages, visits

pytestmark = pytest.mark.pure

SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")}
BROWSER_TESTS = sorted(name for name, text in SOURCES.items() if "\nfrom playwright." in text)
OPENERS = {"new_page", "new_context", "connect_over_cdp", "launch", "launch_persistent_context"}


def own_pages(text):
    """How the source of a test module opens pages without the helper."""
    nodes = list(ast.walk(ast.parse(text)))
    found = {node.attr for node in nodes if isinstance(node, ast.Attribute)} & OPENERS
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    names = [alias.name for node in imports if node.module.startswith("playwright") for alias in node.names]
    return sorted({*found, *names} - {"expect"})


def uses_helper(text):
    nodes = list(ast.walk(ast.parse(text)))
    arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
    calls = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return "visit" in arguments or "visits" in calls


@pytest.mark.parametrize("name", BROWSER_TESTS)
def test_pages_come_from_the_helper(name):
    assert own_pages(SOURCES[name]) == []
    assert uses_helper(SOURCES[name])


def test_modules_with_a_browser_are_those_with_its_marker():
    marked = [name for name, text in SOURCES.items() if "\npytestmark = pytest.mark.gui\n" in text]
    assert sorted(marked) == BROWSER_TESTS != []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("page = chromium.new_page()", ["new_page"]),
        ("page = shared.context.new_page()", ["new_page"]),
        ("from playwright.sync_api import expect, sync_playwright", ["sync_playwright"]),
        ("page = visit('--variant', 'chess')", []),
    ],
)
def test_page_without_the_helper_is_found(line, found):
    assert own_pages(line) == found


def test_closed_page_is_used_again_without_what_it_stored():
    pages = Pages(Mock())
    page = pages.open(800, 600)
    page.goto("a board")
    pages.close(page)
    assert pages.open(300, 400) is page
    page.set_viewport_size.assert_called_once_with({"width": 300, "height": 400})
    page.evaluate.assert_called_once_with("localStorage.clear(); sessionStorage.clear()")
    assert page.goto.call_args.args == ("about:blank",)


def listeners(visit):
    """What the helper listens to on a new page, by event."""
    return dict(call.args for call in visit().on.call_args_list)


@pytest.mark.parametrize("kind", ["error", "warning"])
def test_error_in_the_console_fails_the_test(kind):
    with pytest.raises(AssertionError, match="no such picture"), visits(Mock(), Mock()) as visit:
        listeners(visit)["console"](Mock(type=kind, text="no such picture", location={}))


def test_exception_in_the_page_fails_the_test():
    with pytest.raises(AssertionError, match="x is null"), visits(Mock(), Mock()) as visit:
        listeners(visit)["pageerror"](TypeError("x is null"))


def test_expected_error_and_other_messages_are_no_fault():
    with visits(Mock(), Mock()) as visit:
        visit.expected = ["WebSocket"]
        told = listeners(visit)["console"]
        told(Mock(type="error", text="WebSocket failed", location={}))
        told(Mock(type="log", text="hello", location={}))
