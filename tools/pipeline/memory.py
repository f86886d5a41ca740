"""Memory of page and worker, after the boot and after a whole game.

The game is played by a script inside of the page: an inspector, Playwright's for one, keeps a copy
of every response in the page's own process, fifty megabytes that nobody's visit has.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

from tools.pipeline import browser, processes, server
from tools.pipeline.paths import DIST
from tools.pipeline.steps import BuildError, sha256

TIMEOUT = 300  # seconds for each of the two stages

PLAY = """
const shown = (selector) =>
  [...document.querySelectorAll(selector)].find((element) => element.checkVisibility());
const wait = (selector) =>
  new Promise((resolve) => {
    const timer = setInterval(() => {
      const found = shown(selector);
      if (!found) return;
      clearInterval(timer);
      resolve(found);
    }, 50);
  });
const tell = (what) => fetch("./bench-" + what, { cache: "no-store" });

await wait("html[data-ready] #start");
await tell("booted");
await new Promise((resolve) => setTimeout(resolve, 8000)); // measured; and what comes later came
shown("#start").click();
await wait(".hand .card");
document.querySelector(".more > summary").click();
const pace = await wait("#pace");
pace.value = "instant";
pace.dispatchEvent(new Event("change", { bubbles: true }));
for (;;) {
  const next = await wait(".hand:not(.waiting) .card, #deal, #rematch");
  if (next.id === "rematch") break;
  next.click();
  await new Promise((resolve) => setTimeout(resolve, 100));
}
await tell("played");
"""


def _site(target: Path) -> None:
    """The site with a script that plays; its service worker knows the changed page."""
    shutil.copytree(DIST, target, ignore=shutil.ignore_patterns("lab"))
    (target / "bench.js").write_text(PLAY, encoding="utf-8")
    for name in ("booted", "played"):
        (target / f"bench-{name}").write_text(name, encoding="utf-8")
    index, worker = target / "index.html", target / "sw.js"
    page = index.read_text("utf-8")
    played = page.replace("</body>", '<script type="module" src="./bench.js"></script></body>')
    index.write_text(played, encoding="utf-8")
    before, after = (sha256(text.encode()) for text in (page, played))
    worker.write_text(worker.read_text("utf-8").replace(before, after), encoding="utf-8")


def measure() -> dict[str, float]:
    """Megabytes of page, worker and Python in a browser that nobody looks into."""
    found: dict[str, float] = {}
    told = {f"/bench-{name}": threading.Event() for name in ("booted", "played")}

    def sent(path: str, _size: int) -> None:
        if path in told:
            told[path].set()

    with tempfile.TemporaryDirectory() as folder:
        site, profile = Path(folder) / "site", Path(folder) / "profile"
        _site(site)
        with server.serving(site, sent=sent) as url:
            running = subprocess.Popen(
                [
                    browser.find(), *browser.FLAGS, "--headless", "--window-size=390,844",
                    f"--user-data-dir={profile}", url + "#/ancient-cards/table/new",
                ],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            try:
                for event, name in zip(told.values(), ("boot", "game"), strict=True):
                    if not event.wait(TIMEOUT):
                        raise BuildError("The game for the measure of memory did not end.")
                    used = processes.renderer_memory(str(profile))
                    found[f"memory_after_{name}_mb"] = round(used / 1e6, 1)
            finally:
                running.terminate()
                running.wait()
    return found


if __name__ == "__main__":
    print(measure())
