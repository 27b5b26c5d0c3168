# Two commands for a fresh machine: `make run` and `make test`. Both make .venv first. `make quick` runs the tests
# for after every edit, `make docs` builds the site of the pages into docs/_build.

PYTHON ?= python3
BIN := .venv/bin

# Tests start hundreds of processes: without bytecode, each would take half as long again to import the package.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test quick lint docs wheel clean

run: .venv/installed
	$(BIN)/surajang show

test: .venv/installed
	$(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder

quick: .venv/installed
	$(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder --quick

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/codespell --dictionary docs/words.txt README.md CHANGELOG.md CONTRIBUTING.md docs

docs: .venv/installed
	$(BIN)/sphinx-build -n -W --keep-going -q -j auto -b html docs docs/_build/html
	@echo "The site is in docs/_build/html: open index.html."

# A wheel in dist/ with the machine code of the games in engine/variants/prebuilt.txt.
wheel: .venv/installed
	rm -rf build
	SURAJANG_PREBUILD="$(or $(GAMES),all)" $(BIN)/python -m build --wheel --no-isolation
	rm -rf build

# mypy, pyright and editors follow the path in surajang-sources.pth; they cannot follow an editable install.
.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --editable '.[dev]'
	mkdir -p .venv/src && ln -sfn ../.. .venv/src/surajang
	echo "$(CURDIR)/.venv/src" > "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/surajang-sources.pth"
	touch $@

clean:
	rm -rf .venv .mypy_cache build dist docs/_build *.egg-info
