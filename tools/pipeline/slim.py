"""Source of other people's packages without what only a reader of it needs.

Docstrings, the help texts of Bokeh's properties and Param's parameters, and annotations of
functions stay in memory as long as the code does: a third of the snapshot. So do the parts of the
standard library that packages import for one name: `email` and `zipfile` to learn their own version
from `importlib.metadata`, `unittest` to know a mock when Panel caches one.
"""

from __future__ import annotations

import ast

PACKAGES = ("bokeh", "panel", "param", "pyviz_comms", "jinja2", "segno")


class _Slim(ast.NodeTransformer):
    def _without_docstring(self, node: ast.AST) -> None:
        body = getattr(node, "body", [])
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body[0].value = ast.Constant("")  # not None: some modules format their own

    def visit_Import(self, node: ast.Import) -> ast.AST:
        if [name.name for name in node.names] == ["unittest.mock"]:
            return ast.ImportFrom("lovecraft_absent", [ast.alias("unittest")], 0)
        for name in node.names:
            if name.name == "importlib.metadata" and name.asname:
                name.name = "lovecraft_versions"
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        if node.module == "importlib.metadata" and not node.level:
            node.module = "lovecraft_versions"
        return node

    def visit_Module(self, node: ast.Module) -> ast.AST:
        self._without_docstring(node)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._without_docstring(node)
        return self.generic_visit(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self._without_docstring(node)
        node.returns = None
        given = node.args
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        for argument in every:
            if argument is not None:
                argument.annotation = None
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        for keyword in node.keywords:
            text = keyword.value
            if keyword.arg in ("help", "doc") and (
                isinstance(text, ast.JoinedStr)
                or (isinstance(text, ast.Constant) and isinstance(text.value, str))
            ):
                keyword.value = ast.Constant("")
        return self.generic_visit(node)


def apply(files: dict[str, bytes]) -> None:
    """Slim the packages' modules in place."""
    for name, data in files.items():
        if name.endswith(".py") and name.split("/")[0] in PACKAGES:
            tree = ast.fix_missing_locations(_Slim().visit(ast.parse(data)))
            files[name] = ast.unparse(tree).encode()
