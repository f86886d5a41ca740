// Begins the kernel's worker with the page, beside JupyterLab and not after it: the first cell waits
// for the longer of the two instead of for both. Whoever then makes that worker gets this one.
{
  const home = new URL(".", document.currentScript.src);
  const wanted = new URL("{{worker}}", home).href;
  const ours = new URL("../../service-worker.js?enableCache=false", home).href;
  const { serviceWorker } = navigator;
  let early = null;

  // Where it finds no version of the service worker noted, JupyterLite throws away every service
  // worker of the origin, the tables' too. Which files belong together is ours to know.
  try {
    localStorage.setItem(`${ours}-version`, "{{version}}");
  } catch {
    // no storage: then no service worker either
  }

  /** Resolves when the page is controlled, so that the worker will be: files of the drive need it. */
  async function controlled() {
    if (!serviceWorker) return;
    const changed = new Promise((done) => serviceWorker.addEventListener("controllerchange", done));
    if (serviceWorker.controller) return;
    await serviceWorker.register(ours);
    if (!serviceWorker.controller) await changed;
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
