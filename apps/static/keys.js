// Shortcut keys. An element with `data-key` is clicked by its key; the things in containers marked
// `data-numbered` by 1 to 9, in the order in which they stand (only in the containers marked
// "first" while there are any). Never while something is typed, and never with a modifier key.

const WRITING = "input:not([type=checkbox]):not([type=radio]):not([type=range]):not([type=file]), textarea, select, [contenteditable]";
const enabled = (element) => element.getAttribute("aria-disabled") !== "true" && !element.disabled;
const visible = (element) => element.checkVisibility();

/** The things that 1 to 9 stand for now. */
function numbered(root) {
  const first = [...root.querySelectorAll("[data-numbered=first]")];
  const places = first.length ? first : [...root.querySelectorAll("[data-numbered]")];
  return places.flatMap((place) => [...place.querySelectorAll("button[data-act]")]).filter(enabled).filter(visible);
}

function wanted(root, key) {
  if (/^[1-9]$/.test(key)) return numbered(root)[Number(key) - 1];
  const named = [...root.querySelectorAll("[data-key]")].filter((one) => one.dataset.key === key);
  return named.reverse().find(enabled); // what lies on top of the page stands last in it
}

/** Listen to the keys of one screen. */
export function shortcuts(root) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.isComposing || (event.target.closest?.(WRITING) && event.key !== "Escape")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const element = wanted(root, key);
    if (!element) return;
    event.preventDefault();
    if (visible(element) && !element.matches("summary")) element.focus({ preventScroll: true });
    element.click();
  });
}

/** Lead the focus to what calls for an answer when it appears, and back where it was afterwards. */
export function attend(root) {
  let called = null;
  let before = null;
  return () => {
    const now = root.querySelector("[data-call]");
    if (now && now.id !== called) {
      before = document.activeElement?.id;
      now.focus({ preventScroll: true });
      const box = now.getBoundingClientRect();
      if (box.top < 0 || box.bottom > innerHeight) now.scrollIntoView({ block: "nearest" });
    } else if (!now && called && (!document.activeElement || document.activeElement === document.body)) {
      document.getElementById(before ?? "")?.focus();
    }
    called = now?.id ?? null;
  };
}
