// Draws the charts of apps/chart.py with BokehJS, in the colours of the page. An element with
// `data-chart` is a drawing's place: the morph leaves what stands in it alone, `tend` looks after it.

const COLOURS = ["cthulhu", "phnglui", "fhtagn", "mglwnafh", "ia", "wgahnagl", "rlyeh"];
const MARKERS = ["circle", "square", "triangle", "diamond", "inverted_triangle", "star", "cross"];
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [4, 2], [12, 4], [1, 4]];
const HATCHES = [" ", "/", "o", "\\", "x", "-", "|"];

const drawn = new Map(); // place → {spec, view, root_id}
let serial = 0;

/** What charts take from the page: its colours, its letters and their size. */
function look(own) {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue("--" + name).trim();
  return {
    ink: colour("ink"),
    faint: colour("faint"),
    edge: colour("edge"),
    sheet: colour("sheet"),
    series: COLOURS.map((name, i) => colour(own[i] ?? "rune-" + name)),
    font: getComputedStyle(document.body).fontFamily,
    rem: parseFloat(style.fontSize),
  };
}

/** Bokeh's models as the JSON that its documents are made of. */
function models(prefix) {
  let count = 0;
  return (name, attributes = {}) => ({
    type: "object",
    name,
    id: `${prefix}-${count++}`,
    attributes,
  });
}

const field = (name) => ({ type: "field", field: name });
const value = (given) => ({ type: "value", value: given });
const range = (model, start, end) => model("Range1d", { start, end });
const columns = (model, data) =>
  model("ColumnDataSource", { data: { type: "map", entries: Object.entries(data) } });

/** One kind of mark for all rows of a source. */
function glyph(model, data, name, attributes) {
  return model("GlyphRenderer", {
    data_source: columns(model, data),
    glyph: model(name, attributes),
    selection_glyph: null,
    nonselection_glyph: null,
    muted_glyph: null,
    hover_glyph: null,
  });
}

function words(model, theme, data, attributes) {
  return glyph(model, data, "Text", {
    x: field("x"),
    y: field("y"),
    text: field("text"),
    text_color: value(theme.ink),
    text_font: value(theme.font),
    text_font_size: value(`${0.875 * theme.rem}px`),
    text_baseline: value("middle"),
    ...attributes,
  });
}

function plot(model, x, y, height, renderers, more = {}) {
  return model("Plot", {
    x_range: x,
    y_range: y,
    x_scale: model("LinearScale"),
    y_scale: model("LinearScale"),
    sizing_mode: "stretch_width",
    height,
    renderers,
    toolbar_location: null,
    background_fill_alpha: 0,
    border_fill_color: null,
    outline_line_color: null,
    min_border: 4,
    ...more,
  });
}

function axis(model, theme, ticks, labels, more = {}) {
  return model("LinearAxis", {
    ticker: model("FixedTicker", { ticks, minor_ticks: [] }),
    formatter: model("BasicTickFormatter"),
    major_label_overrides: { type: "map", entries: ticks.map((at, i) => [at, labels[i]]) },
    major_label_policy: model("AllLabels"),
    major_label_text_color: theme.faint,
    major_label_text_font: theme.font,
    major_label_text_font_size: `${0.8125 * theme.rem}px`,
    axis_line_color: theme.edge,
    major_tick_line_color: null,
    minor_tick_line_color: null,
    ...more,
  });
}

/** Round numbers from `low` to at least `high`, four or five steps. */
function scale(low, high) {
  const rough = Math.max(high - low, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 5, 10].find((n) => n * power >= rough) * power, high - low < 1 ? 0.25 : 1);
  const ticks = [];
  for (let at = Math.floor(low / step) * step; ; at += step) {
    ticks.push(at);
    if (at >= high) return ticks;
  }
}

/** Every so many categories, so that their names do not run into each other. */
const thinned = (categories, room) => {
  const longest = Math.max(...categories.map((name) => name.length)) + 1;
  const every = Math.ceil((categories.length * longest) / Math.max(room, 1));
  return categories.map((_, i) => i).filter((i) => i % every === 0);
};

const known = (values) => values.filter((each) => each !== null);

const kinds = {
  lines({ categories, series, most }, model, theme, room) {
    const every = series.flatMap(({ values }) => known(values));
    const ticks = scale(Math.min(0, ...every), most ?? Math.max(1, ...every));
    const shown = thinned(categories, room);
    const renderers = series.flatMap(({ values }, i) => {
      const x = values.map((_, at) => at);
      const y = values.map((each) => each ?? NaN);
      const colour = theme.series[i];
      const line = { line_color: value(colour), line_width: value(2.5), line_dash: value(DASHES[i]) };
      const many = values.length > 16;
      const last = values.findLastIndex((each) => each !== null);
      const marked = x.filter((at) => values[at] !== null && (!many || at === last));
      return [
        glyph(model, { x, y }, "Line", { x: field("x"), y: field("y"), ...line }),
        glyph(model, { x: marked, y: marked.map((at) => y[at]) }, "Scatter", {
          x: field("x"), y: field("y"), marker: value(MARKERS[i]), size: value(10),
          fill_color: value(i === 6 ? theme.sheet : colour), line_color: value(colour), line_width: value(i === 6 ? 3 : 1),
        }),
      ];
    });
    const labels = ticks.map((each) => each.toLocaleString(document.documentElement.lang));
    const up = axis(model, theme, ticks, labels);
    const along = axis(model, theme, shown, shown.map((at) => categories[at]));
    const grid = model("Grid", { dimension: 1, axis: up, grid_line_color: theme.edge });
    return plot(
      model,
      range(model, -0.3, categories.length - 0.7),
      range(model, ticks[0], ticks.at(-1) + (ticks.at(-1) - ticks[0]) * 0.06),
      14 * theme.rem,
      renderers,
      { left: [up], below: [along], center: [grid] },
    );
  },

  columns({ categories, series: [{ values, shown }] }, model, theme, room) {
    const x = values.map((_, i) => i);
    const ticks = thinned(categories, room);
    const along = axis(model, theme, ticks, ticks.map((at) => categories[at]));
    return plot(
      model,
      range(model, -0.6, categories.length - 0.4),
      range(model, 0, Math.max(1, ...known(values)) * 1.2),
      11 * theme.rem,
      [
        glyph(model, { x, top: values }, "VBar", {
          x: field("x"), top: field("top"), bottom: value(0), width: value(0.8),
          fill_color: value(theme.series[0]), line_color: value(theme.series[0]),
        }),
        words(model, theme, { x, y: values, text: shown.map((each, i) => (values[i] ? each : "")) }, {
          text_align: value("center"), text_baseline: value("bottom"), y_offset: value(-2),
        }),
      ],
      { below: [along] },
    );
  },

  bars(spec, model, theme) {
    return kinds.stacked(spec, model, theme);
  },

  stacked({ categories, series, sums: shownSums, most }, model, theme) {
    const n = categories.length;
    const rows = categories.map((_, i) => n - i - 0.68);
    const sums = categories.map((_, i) => series.reduce((sum, { values }) => sum + Math.max(values[i] ?? 0, 0), 0));
    const end = most ?? Math.max(1, ...sums);
    const renderers = [];
    const at = categories.map(() => 0);
    series.forEach(({ values, shown }, i) => {
      const left = [...at];
      values.forEach((each, row) => (at[row] += Math.max(each ?? 0, 0)));
      const right = [...at];
      const colour = theme.series[i];
      renderers.push(
        glyph(model, { left, right, y: rows }, "HBar", {
          left: field("left"), right: field("right"), y: field("y"), height: value(0.46),
          fill_color: value(colour), line_color: value(theme.sheet), line_width: value(1),
          ...(HATCHES[i] === " " ? {} : {
            hatch_pattern: value(HATCHES[i]), hatch_color: value(theme.sheet), hatch_alpha: value(0.55),
            hatch_scale: value(8), hatch_weight: value(1.5),
          }),
        }),
      );
      if (series.length === 1)
        renderers.push(
          words(model, theme, { x: right, y: rows, text: shown }, { x_offset: value(6) }),
        );
    });
    if (series.length > 1)
      renderers.push(
        words(model, theme, { x: at, y: rows, text: shownSums }, { x_offset: value(6) }),
      );
    renderers.push(
      words(model, theme, { x: rows.map(() => 0), y: rows.map((y) => y + 0.47), text: categories }, {
        text_color: value(theme.faint),
      }),
    );
    return plot(model, range(model, 0, end * 1.18), range(model, 0, n), (0.5 + 2.9 * n) * theme.rem, renderers);
  },
};

/** The document of one chart, as BokehJS reads it. */
function documentOf(spec, place) {
  const theme = look(spec.colours);
  const model = models(`chart${++serial}`);
  const room = (place.clientWidth || 300) / (0.5 * theme.rem); // characters side by side
  const root = kinds[spec.kind](spec, model, theme, room);
  return { root_id: root.id, doc: { version: Bokeh.version, title: "", roots: [root] } };
}

/** BokehJS keeps a list of its documents; what is no longer shown must leave it. */
function forget(root_id) {
  const at = Bokeh.documents.findIndex((doc) => doc.roots().some((root) => root.id === root_id));
  if (at >= 0) Bokeh.documents.splice(at, 1)[0].clear();
}

function remove(place) {
  const { view, root_id } = drawn.get(place) ?? {};
  drawn.delete(place);
  view?.remove();
  if (root_id) forget(root_id);
}

async function draw(place) {
  remove(place);
  const spec = place.dataset.chart;
  const box = document.createElement("div");
  place.replaceChildren(box);
  const item = documentOf(JSON.parse(spec), place);
  try {
    const views = await Bokeh.embed.embed_item(item, box);
    drawn.set(place, { spec, view: views.roots[0], root_id: item.root_id });
  } catch (error) {
    forget(item.root_id);
    if (place.isConnected) throw error; // otherwise the page has moved on, and nobody misses it
  }
}

let wanted = null; // the target to look after once more
let busy = false;
let anew = false;

/** Draw what is new or changed in `target`, let go of what has left the page; one after another. */
export async function tend(target) {
  wanted = target;
  if (busy) return;
  busy = true;
  while (wanted) {
    const [here, all] = [wanted, anew];
    wanted = null;
    anew = false;
    for (const place of drawn.keys()) if (!place.isConnected) remove(place);
    for (const place of here.querySelectorAll("[data-chart]")) {
      if (!place.offsetWidth) continue; // folded away
      if (!all && drawn.get(place)?.spec === place.dataset.chart) continue;
      await draw(place).catch((error) => console.error(`chart ${place.id}: ${error.message}`));
    }
  }
  busy = false;
}

/** Draw again when the page's colours change. */
export function follow(target) {
  const again = () => {
    anew = true;
    tend(target);
  };
  target.addEventListener("toggle", () => tend(target), true);
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
}
