"""Panel's bundle without the models that no document of ours names."""

from __future__ import annotations

import re
import zipfile

import pytest

from tools.pipeline import fetch, panel_js
from tools.pipeline.steps import BuildError


@pytest.fixture(scope="module")
def bundle() -> str:
    with zipfile.ZipFile(fetch.fetch("wheels", "panel")) as wheel:
        return wheel.read("panel/dist/panel.min.js").decode("utf-8")


def test_the_named_models_are_kept_with_all_they_ask_for(bundle: str) -> None:
    short = panel_js.trim(bundle, {"ReactiveESM", "Card"})
    registered = re.findall(r'\w\("(\w+)",\w\("[0-9a-f]{10}"\)\.', short)
    assert {"Card", "ReactiveESM"} <= set(registered)
    assert not {"VegaPlot", "DataTabulator", "Terminal"} & set(registered)
    there = set(re.findall(r'^"([0-9a-f]{10})": function', short, re.MULTILINE))
    asked = set(re.findall(r'\("([0-9a-f]{10})"\)', short))
    assert asked <= there
    assert len(short) < len(bundle) / 2


def test_a_model_that_is_not_there_stops_the_build(bundle: str) -> None:
    with pytest.raises(BuildError, match="lacks NoSuchModel"):
        panel_js.trim(bundle, {"NoSuchModel"})


def test_another_kind_of_bundle_stops_the_build() -> None:
    with pytest.raises(BuildError, match="no index"):
        panel_js.trim("(function(){})()", {"ReactiveESM"})


def test_models_are_found_in_a_document() -> None:
    document = '{"name": "panel.models.esm.ReactiveESM"}, {"name":"Screen1"}'
    assert panel_js.named(document) == {"ReactiveESM"}
