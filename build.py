"""The one entry: `python3 build.py {site,serve,test,bench,clean}`.

Standard library only; what needs more runs in the environment it makes under `.cache/`.
The steps live in `tools/pipeline`, one concern a file.
"""

from __future__ import annotations

import argparse
import shutil
import sys

from tools.pipeline import checks, server, site, venv
from tools.pipeline.paths import CACHE, DIST, ROOT
from tools.pipeline.steps import BuildError, node, say


def make_site() -> None:
    node()
    venv.ensure()
    site.build()


def serve(host: str, port: int, base: str) -> None:
    make_site()
    with server.make(DIST, host=host, port=port, base=base) as running:
        shown = "localhost" if host in ("127.0.0.1", "0.0.0.0") else host  # noqa: S104
        print(f"http://{shown}:{running.server_address[1]}{base}", flush=True)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            say("stopped")


def clean() -> None:
    for folder in (ROOT / "dist", CACHE):
        shutil.rmtree(folder, ignore_errors=True)


def base_path(text: str) -> str:
    """`repo`, `/repo` and `/repo/` all mean /repo/."""
    return "/" + f"{text.strip('/')}/".lstrip("/")


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(prog="build.py", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("site", "write dist/site"), ("serve", "write it and serve it")):
        command = commands.add_parser(name, help=text)
        command.add_argument("--base", type=base_path, default="/", help="sub-path, as in /repo/")
        if name == "serve":
            command.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for a phone near you")
            command.add_argument("--port", type=int, default=0, help="0: any free one")
    test = commands.add_parser("test", help="lint, types, every test; other arguments go to pytest")
    test.add_argument("--long", action="store_true", help="the tests that take minutes, too")
    test.add_argument(
        "--browsers", metavar="NAMES", default="", help="only firefox,webkit: see docs/browsers.md"
    )
    bench = commands.add_parser("bench", help="measure the boot; other arguments go to the bench")
    bench.add_argument("--json", action="store_true", help="print JSON")
    commands.add_parser("clean", help="remove dist/ and .cache/")
    known, rest = parser.parse_known_args(arguments)
    if rest and known.command not in ("test", "bench"):
        parser.error(f"unknown: {' '.join(rest)}")
    return known, rest


def main(arguments: list[str]) -> int:
    known, rest = parse(arguments)
    try:
        if known.command == "site":
            make_site()  # only relative addresses: the same bytes serve under every base
            print(DIST)
        elif known.command == "serve":
            serve(known.host, known.port, known.base)
        elif known.command == "test":
            if known.browsers:
                make_site()
                return checks.other_browsers(known.browsers, rest)
            node()
            venv.ensure()  # the site is built beside the tests that can do without it
            return checks.test(long=known.long, arguments=rest)
        elif known.command == "bench":
            make_site()
            return checks.bench(as_json=known.json, arguments=rest)
        else:
            clean()
    except BuildError as error:
        say(f"build.py: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
