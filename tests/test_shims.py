"""The stand-ins for NumPy and friends, held against the real packages."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy
import pytest

from tools.pipeline import fetch, pack, slim

SHIMS = Path(__file__).parents[1] / "site" / "shims"


def load(name: str) -> ModuleType:
    """A shim under a name of its own: the real package stays importable beside it."""
    spec = importlib.util.spec_from_file_location(f"shim_{name}", SHIMS / name / "__init__.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(SHIMS))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SHIMS))
        sys.modules.pop("lovecraft_absent", None)
    return module


shim = load("numpy")
CLASSES = [
    name
    for name, value in vars(shim).items()
    if isinstance(value, type) and not name.startswith("_") and name != "NotInThisBuild"
]
SCALARS = [name for name in CLASSES if name not in ("ndarray", "dtype")]
VALUES: list[Any] = [0, 1.5, True, None, "x", b"x", [1], (1,), {"a": 1}, object(), int, 1j]


def test_every_class_exists_in_numpy() -> None:
    assert len(CLASSES) > 15
    for name in CLASSES:
        assert isinstance(getattr(numpy, name), type), name


@pytest.mark.parametrize("name", SCALARS)
def test_the_scalar_tree_is_numpys(name: str) -> None:
    for other in SCALARS:
        expected = issubclass(getattr(numpy, name), getattr(numpy, other))
        assert issubclass(getattr(shim, name), getattr(shim, other)) is expected, other


@pytest.mark.parametrize("name", CLASSES)
def test_no_plain_value_is_an_instance(name: str) -> None:
    for value in VALUES:
        assert isinstance(value, getattr(shim, name)) is isinstance(value, getattr(numpy, name))


@pytest.mark.parametrize("kind", [int, float, bool, str, list, object])
@pytest.mark.parametrize("other", ["integer", "floating", "bool_", "number"])
def test_issubdtype_answers_as_numpy_for_python_types(kind: type, other: str) -> None:
    expected = numpy.issubdtype(kind, getattr(numpy, other))
    assert shim.issubdtype(kind, getattr(shim, other)) is bool(expected)


def test_dtypes_compare_and_hash_by_their_type() -> None:
    for module in (numpy, shim):
        kinds = {module.dtype(module.float32), module.dtype(module.float64)}
        assert module.dtype(module.float32) in kinds
        assert module.dtype(module.int8) not in kinds


def test_constants() -> None:
    assert shim.nan != shim.nan
    assert shim.inf == numpy.inf
    assert shim.__version__ == numpy.__version__


@pytest.mark.parametrize("name", ["array", "zeros", "linspace", "random", "no_such_name"])
def test_everything_else_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(AttributeError, match=f"numpy is not part of this build: numpy.{name}"):
        getattr(shim, name)


@pytest.mark.parametrize("name", ["ndarray", "float64", "datetime64", "int8"])
def test_no_instance_can_be_made(name: str) -> None:
    with pytest.raises(AttributeError, match="not part of this build"):
        getattr(shim, name)(3)


def test_the_sanitiser_lets_no_markup_through() -> None:
    assert load("nh3").clean("<img src=x onerror=alert(1)> & 'co'") == (
        "&lt;img src=x onerror=alert(1)&gt; &amp; &#x27;co&#x27;"
    )


def test_yaml_refuses_use_not_import() -> None:
    yaml = load("yaml")
    with pytest.raises(ImportError, match=r"yaml.load is not part of this build"):
        yaml.load("a: 1", Loader=yaml.SafeLoader)
    with pytest.raises(ImportError, match="not part of this build"):
        yaml.SafeLoader("")


def test_http_patching_is_a_no_op() -> None:
    assert load("pyodide_http").patch_all() is None


def test_packages_learn_their_own_versions_from_the_lock() -> None:
    space: dict[str, Any] = {}
    table = {name: entry["version"] for name, entry in fetch.lock()["wheels"].items()}
    exec(pack.VERSIONS.format(table=table), space)  # noqa: S102 - our own text
    assert space["version"]("bokeh") == table["bokeh"]
    assert space["version"]("pyviz_comms") == table["pyviz-comms"]
    with pytest.raises(ModuleNotFoundError):
        space["version"]("no-such-package")


def test_slim_sources_ask_the_stand_ins() -> None:
    files = {
        "panel/a.py": b"import unittest.mock\nkinds = {unittest.mock.Mock: 1}\n",
        "bokeh/b.py": b"import importlib.metadata as im\nfrom importlib.metadata import version\n",
        "other/c.py": b"import unittest.mock\n",
    }
    slim.apply(files)
    assert b"from lovecraft_absent import unittest" in files["panel/a.py"]
    assert b"importlib" not in files["bokeh/b.py"]
    assert files["other/c.py"] == b"import unittest.mock\n"
    assert isinstance(load_absent().unittest.mock.Mock, type)


def load_absent() -> ModuleType:
    spec = importlib.util.spec_from_file_location("shim_absent", SHIMS / "lovecraft_absent.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
