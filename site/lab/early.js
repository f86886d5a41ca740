// Begins the kernel's worker with the page, beside JupyterLab and not after it: the first cell waits
// for the longer of the two instead of for both. Whoever then makes that worker gets this one.
{
  const home = new URL(".", document.currentScript.src);
  const wanted = new URL("{{worker}}", home).href;
  const ours = new URL("../../service-worker.js?enableCache=false", home).href;
  const { serviceWorker } = navigator;
  let early = null;

  // Where it finds no version noted for the service worker that controls the page (at first the
  // tables', if they were here before), JupyterLite throws away every one of the origin.
  try {
    for (const url of [ours, serviceWorker?.controller?.scriptURL])
      if (url) localStorage.setItem(`${url}-version`, "{{version}}");
  } catch {
    // no storage: then no service worker either
  }

  const mine = () => serviceWorker.controller?.scriptURL === ours;

  /** Resolves when the page is ours to serve, so that the worker will be: its drive needs that. */
  async function controlled() {
    if (!serviceWorker || mine()) return;
    const changed = new Promise((done) =>
      serviceWorker.addEventListener("controllerchange", () => mine() && done()),
    );
    await serviceWorker.register(ours);
    if (!mine()) await changed;
  }

  function begin() {
    const worker = (early = new Worker(new URL("worker.mjs", home), { type: "module" }));
    worker.addEventListener("message", ({ data }) => {
      if (data?.type === "begun") serviceWorker?.controller?.postMessage(data); // time to keep the files
    });
  }

  self.Worker = new Proxy(self.Worker, {
    construct(Native, [url, options], target) {
      if (!early || String(url) !== wanted) return Reflect.construct(Native, [url, options], target);
      const one = early;
      early = null;
      return one;
    },
  });

  controlled().then(begin, begin);
}
