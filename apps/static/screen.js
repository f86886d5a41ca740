// Placeholder for the component that paints the screen.
import { Idiomorph } from "./idiomorph.esm.js";

export function render({ model, el }) {
  const target = document.getElementById("screen") ?? el;
  let taps = 0;
  const paint = () =>
    Idiomorph.morph(target, model.view.html, { morphStyle: "innerHTML" });
  target.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]");
    if (button) model.tap = [button.dataset.act, ++taps];
  });
  model.on("view", paint);
  paint();
}
