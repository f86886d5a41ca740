// Bokeh's side of the document: renders it, applies Python's patches, sends the page's own.

/** Panel asks a module loader of that name for a component's file and for its render function. */
function answerImports(assets) {
  const render = (id) => {
    const view = Bokeh.index.find_one_by_id(id);
    if (view == null) return;
    const { model, container } = view;
    const output = view.render_fn({ view, model: view.model_proxy, data: model.data, el: container });
    Promise.resolve(output).then((element) => {
      if (element instanceof Element) container.replaceChildren(element);
      view.after_rendered();
    });
  };
  globalThis.importShim = async (url) => {
    // Panel would run this one constant module from a blob, which the page's policy forbids.
    if (url.startsWith("blob:")) return { default: { render } };
    const file = new URL(assets[url.replace(/^\.\//, "")].url, document.baseURI);
    return import(file).catch((error) => {
      globalThis.lovecraft.missed(file.href);
      throw error;
    });
  };
  globalThis.importShim.addImportMap = () => {};
}

export class PageDocument {
  #document = null;
  #json = null;
  #arrived = []; // patches from Python that came before the document stood
  #applying = false;
  #views = [];

  constructor(assets, root, send) {
    this.root = root;
    this.send = send;
    answerImports(assets);
  }

  /** Render `json` unless it stands already. */
  async render(json) {
    if (json === this.#json) return;
    this.#json = json;
    this.#document = null;
    for (const view of this.#views) view.remove();
    this.root.replaceChildren();
    const { doc, roots } = JSON.parse(json);
    const item = { docid: "document", root_ids: roots, roots: {} };
    for (const id of roots) {
      const place = document.createElement("div");
      place.id = "root-" + id;
      this.root.append(place);
      item.roots[id] = place.id;
    }
    const [views] = await Bokeh.embed.embed_items({ document: doc }, [item]);
    this.#views = [...views.roots];
    const rendered = (this.#document = this.#views[0].model.document);
    rendered.on_change((event) => {
      if (this.#applying || this.#document !== rendered) return;
      this.send(JSON.stringify(rendered.create_json_patch([event])));
    }, false);
    for (const patch of this.#arrived.splice(0)) this.apply(patch);
  }

  apply(patch) {
    if (!this.#document) return this.#arrived.push(patch);
    this.#applying = true;
    try {
      this.#document.apply_json_patch(JSON.parse(patch), new Map());
    } finally {
      this.#applying = false;
    }
  }
}
