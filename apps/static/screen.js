// Paints the screen and reports what people do to it. In the site it paints into the page itself
// (#screen), so that the prepared launcher is taken over as it stands; elsewhere into its own root.
import { follow, tend } from "./chart.js";
import { Idiomorph } from "./idiomorph.esm.js";
import { attend, shortcuts } from "./keys.js";

/** What an element with `data-act` reports: [action, arguments, value or null]. */
function report(element) {
  const args = JSON.parse(element.dataset.args ?? "[]");
  let value = null;
  if (element.matches("input[type=checkbox]")) value = element.checked;
  else if (element.matches("input, select, textarea")) value = element.value;
  return [element.dataset.act, args, value];
}

const TYPED = "input[type=text], input[type=date], textarea";
const LARGEST_FILE = 4_000_000;

/** A chosen file is reported by what stands in it; one that is too large by nothing. */
async function readFile(input) {
  const file = input.files[0];
  const text = file && file.size <= LARGEST_FILE ? await file.text() : "";
  input.value = "";
  return text;
}

export function render({ model, el }) {
  const target = document.getElementById("screen") ?? el;
  let taps = 0;
  let page = null;
  let step = "";
  let near = "";
  const attention = attend(target);

  /** Until Python has dealt with everything it was told, the screen says that it is busy. */
  const tell = (act) => {
    target.dataset.busy = "";
    model.tap = [...act, ++taps];
  };
  const send = (element) => tell(report(element));
  const paint = () => {
    const { html, page: next, prepared, answered } = model.view;
    if (prepared && target.id === "screen") return;
    // Chromium dies when a datalist is moved while an input points at it; the morph ties them anew.
    for (const input of target.querySelectorAll("input[list]")) input.removeAttribute("list");
    Idiomorph.morph(target, html, {
      morphStyle: "innerHTML",
      callbacks: {
        beforeNodeMorphed: (from, to) => {
          if (from.id === "sigils") return false;
          // what the person is typing, and what they have unfolded, is theirs
          if (from === document.activeElement && from.matches?.(TYPED)) return false;
          if (from.dataset?.chart && to.dataset?.chart) {
            // what is drawn inside is no markup of ours
            from.dataset.chart = to.dataset.chart;
            return false;
          }
          if (from.tagName === "DETAILS" && to.tagName === "DETAILS") to.open = from.open;
        },
      },
    });
    if (page !== null && page !== next) {
      scrollTo(0, 0);
      target.querySelector("h1")?.focus({ preventScroll: true });
    }
    page = next;
    // a result, or a step for which the page is laid out anew, is read from its beginning
    const begins = target.querySelector("[data-top]")?.dataset.top ?? "";
    if (begins && begins !== step) scrollTo(0, 0);
    step = begins;
    // what explains something is brought into sight, as little as it takes
    const beside = target.querySelector("[data-near]");
    if (beside && beside.dataset.near !== near) beside.scrollIntoView({ block: "nearest" });
    near = beside?.dataset.near ?? "";
    // the phase in a row of them, where the row is wider than the screen
    const phase = target.querySelector(".strip [aria-current]")?.parentElement;
    if (phase) phase.parentElement.scrollLeft = phase.offsetLeft - phase.parentElement.offsetLeft - 24;
    tend(target);
    attention();
    if (answered === taps) delete target.dataset.busy;
    target.dataset.painted = String(Number(target.dataset.painted ?? 0) + 1);
  };

  target.addEventListener("click", (event) => {
    const element = event.target.closest("[data-act]");
    if (element && !element.matches("input, select, textarea")) send(element);
  });
  // What is being typed is reported a moment after the last key, and before the page goes away.
  let typing = null;
  let typed = 0;
  const flush = () => {
    clearTimeout(typed);
    if (typing) send(typing);
    typing = null;
  };
  target.addEventListener("input", (event) => {
    if (!event.target.matches?.(TYPED) || !event.target.dataset.act) return;
    typing = event.target;
    clearTimeout(typed);
    typed = setTimeout(flush, 600);
  });
  target.addEventListener("change", async ({ target: changed }) => {
    if (changed === typing) return flush();
    if (!changed.matches?.("[data-act]")) return;
    if (!changed.matches("input[type=file]")) return send(changed);
    const { act, args } = changed.dataset;
    tell([act, JSON.parse(args ?? "[]"), await readFile(changed)]);
  });
  addEventListener("pagehide", flush);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") flush();
  });
  target.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches?.("input[data-act]:not([type=file])")) event.target.blur();
  });
  shortcuts(target);
  follow(target);
  model.on("view", paint);
  paint();
}
