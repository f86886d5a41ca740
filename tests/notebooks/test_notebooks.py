"""The notebooks hold no output, teach in short cells, and run from top to bottom."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from lovecraft import games

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LONGEST = 14  # lines of code that a cell may have


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def test_there_is_one_for_each_game_and_one_for_the_engine() -> None:
    assert [path.stem for path in NOTEBOOKS] == sorted([*games.GAMES, "engine-and-bots"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_are_short_and_hold_no_output(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert notebook.cells[0].cell_type == "markdown"
    assert notebook.cells[0].source.startswith("# ")
    for cell in notebook.cells:
        assert len(cell.source.splitlines()) <= LONGEST, cell.id
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None, cell.id
            assert max(map(len, cell.source.splitlines())) <= 100, cell.id
    assert not notebook.metadata.keys() - {"kernelspec", "language_info"}
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_from_top_to_bottom(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("LOVECRAFT_LANG", "en")
    notebook = read(path)
    NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    shown = [
        kind
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        for kind in output.get("data", ())
    ]
    assert shown.count("text/html") >= 3, "values are to show themselves"
    assert "application/vnd.holoviews_exec.v0+json" in shown, "there is to be a widget"
    troubles = [
        o for c in notebook.cells for o in c.get("outputs", ()) if o.get("name") == "stderr"
    ]
    assert not troubles
