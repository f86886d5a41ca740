// The first thing that runs: send the worker off, then paint the launcher in the right language.
"use strict";
{
  const data = JSON.parse(document.getElementById("build-data").textContent);
  const kept = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // storage is forbidden here
    }
  };
  const languages = [...(navigator.languages ?? [navigator.language])];

  /** A new worker; its messages wait in `inbox` until the shell listens. */
  const boot = () => {
    const worker = new Worker(data.assets["worker.js"].url, { type: "module" });
    const inbox = [];
    worker.onmessage = (event) => inbox.push(event);
    worker.onerror = (event) =>
      inbox.push({ data: { type: "failed", step: "worker", message: event.message || "worker.js" } });
    const { assets, python, build } = data;
    const page = { route: location.hash, languages, lang: kept("lang"), theme: kept("theme"), build };
    const query = new URLSearchParams(location.search);
    worker.postMessage({ type: "boot", assets, python, page, plain: query.get("boot") === "plain" });
    return { worker, inbox, route: location.hash };
  };

  /** What was open last, as a link on the launcher, until Python lists everything kept. */
  const showLast = (text, link) => {
    try {
      const { href, label } = JSON.parse(text);
      if (!link || !/^#\/[\w/-]+$/.test(href) || typeof label !== "string") return;
      Object.assign(link, { href, textContent: label, hidden: false });
    } catch {
      // nothing, or nothing of ours
    }
  };

  const known = Object.keys(data.words);
  const wanted = [kept("lang"), ...languages].map((tag) => tag?.toLowerCase().split("-")[0]);
  const lang = wanted.find((tag) => known.includes(tag)) ?? "en";
  globalThis.lovecraft = { data, lang, boot, kept, ...boot() };

  /** A file of the page that did not come: said at once, and loading it all again may mend it. */
  const app = globalThis.lovecraft;
  app.missed = (url) => {
    if (app.missing) return;
    app.missing = true;
    const say = (key) => data.words[app.lang][key];
    const $ = (id) => document.getElementById(id);
    $("failed-text").textContent = say("site.missing").replace("{message}", url.split("/").pop());
    $("retry").textContent = say("site.retry");
    $("retry").addEventListener("click", () => location.reload());
    $("failed").hidden = false;
  };
  addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLScriptElement) app.missed(target.src);
      else if (target instanceof HTMLLinkElement && target.rel === "stylesheet") app.missed(target.href);
    },
    true, // such errors do not bubble
  );
  // A style sheet may have failed before anybody listened; the rules of one that did cannot be read.
  const came = ({ sheet }) => {
    try {
      return sheet.cssRules.length > 0;
    } catch {
      return false;
    }
  };
  const styled = () => {
    for (const link of document.querySelectorAll("link[rel=stylesheet]"))
      if (!came(link)) app.missed(link.href);
  };
  if (document.readyState === "complete") styled();
  else addEventListener("load", styled, { once: true });

  document.documentElement.lang = lang;
  const theme = kept("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  const template = document.querySelector(`template[data-lang="${lang}"]`);
  if (template && lang !== "en")
    document.getElementById("screen").replaceChildren(template.content.cloneNode(true));

  // Any other page than the launcher is Python's to paint: until then only the progress is shown.
  if (location.hash.length > 2) document.documentElement.dataset.elsewhere = "";
  else showLast(kept("last"), document.getElementById("last"));
}
