// Plots of columns over time, drawn by dygraphs. They have a common time range and cursor.
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colours = () => [0, 1, 2, 3, 4, 5].map((i) => colour(`--s${i}`));

// Columns of one element with one unit share a plot if they are in the same table.
function groupColumns() {
  const groups = new Map();
  for (const run of report.runs)
    for (const column of run.columns) {
      const key = `${column.table}\n${column.element}\n${column.unit}`;
      if (!groups.has(key)) groups.set(key, { key, element: column.element, unit: column.unit, isMeasure: column.isMeasure, names: [] });
      const names = groups.get(key).names;
      if (!names.includes(column.name)) names.push(column.name);
    }
  return groups;
}

const groups = groupColumns();
const quantityOf = (group, name) => (name.startsWith(`${group.element}.`) ? name.slice(group.element.length + 1) : name);
const titleOf = (group) => group.names.map((name) => quantityOf(group, name)).join(", ") + (group.unit ? ` [${group.unit}]` : "");

const paperWidth = 320; // px, half of the width of A4 between its margins
const patterns = [null, [8, 3], [2, 2], [8, 3, 2, 3], [14, 3], [4, 4]];

// Curves of failed runs may be much larger than the others, so they are hidden at first; the reader may show them.
const isSound = (run) => run.status === "done" || run.status === "wrong" || run.status === "suspect";

// Failed runs are shown if all runs failed.
const isSeen = (run, runs) => isSound(run) || !runs.some(isSound);

// Colours distinguish runs or columns, whichever are more numerous; dashes distinguish the other. The monolithic run is
// grey or finely dashed.
function curvesOf(group, difference) {
  const palette = colours();
  const runs = report.runs.filter((run) => group.names.some((name) => run.byName.has(name)));
  const others = runs.filter((run) => run !== monolithic || runs.length === 1);
  const byRun = others.length > group.names.length || group.names.length === 1;
  const styleOf = (run, row) => {
    const isGhost = !others.includes(run);
    const index = others.indexOf(run);
    if (byRun) return { colour: isGhost ? colour("--ghost") : palette[index % 6], pattern: patterns[row % 6] };
    return { colour: palette[row % 6], pattern: isGhost ? [3, 3] : patterns[index % 6] };
  };
  const drawn = runs.filter((run) => !difference || group.names.some((name) => run.byName.get(name)?.difference));
  return group.names.flatMap((name, row) => drawn.filter((run) => run.byName.has(name))
    .map((run) => ({ run, name, column: run.byName.get(name), shown: isSeen(run, drawn), ...styleOf(run, row) })));
}

const valuesOf = (curve, difference) => numbers(difference ? curve.column.difference : curve.column.values);

// Returns rows for dygraphs: a time, then a value for each curve; null: the curve has no value at that time.
function mergeRows(curves, difference) {
  const lists = curves.map((curve) => timesOf(curve.run, curve.column));
  const values = curves.map((curve) => valuesOf(curve, difference));
  const at = lists.map(() => 0);
  const rows = [];
  for (;;) {
    let t = Infinity;
    lists.forEach((times, i) => { if (at[i] < times.length) t = Math.min(t, times[at[i]]); });
    if (t === Infinity) return rows;
    rows.push([t, ...lists.map((times, i) => (times[at[i]] === t ? values[i][at[i]++] : null))]);
  }
}

// Escapes text, because dygraphs interprets titles of axes as markup.
const markupOf = (text) => element("span", {}, text).innerHTML;

function sample(curve) {
  const line = shape("path", { d: "M0 5h24", fill: "none", stroke: curve.colour, "stroke-width": 2 });
  if (curve.pattern) line.setAttribute("stroke-dasharray", curve.pattern.join(" "));
  return shape("svg", { viewBox: "0 0 24 10", "aria-hidden": true }, line);
}

const range = { from: 0, to: end };
const panels = [];
let cursor = 0;
let moveCursor = () => {};

function setRange(from, to) {
  const width = Math.min(Math.max(to - from, end * 1e-6), end);
  range.from = Math.min(Math.max(from, 0), end - width);
  range.to = range.from + width;
  for (const panel of panels) panel.follow();
}

const showsAllTimes = () => range.from <= 0 && range.to >= end;

class Panel {
  constructor(group) {
    this.root = element("article", { class: "panel" });
    this.choice = element("select", { "aria-label": "Columns of this plot" });
    this.fillChoice();
    this.head = element("div", { class: "panel-head" }, this.choice);
    this.addDifference();
    this.addClose();
    this.plot = element("div", { class: "plot", role: "img" });
    this.series = element("div", { class: "series" });
    this.note = element("p", { class: "note" });
    panels.push(this);
    this.root.append(this.head, this.plot, this.series, this.note);
    this.choice.addEventListener("change", () => this.show(groups.get(this.choice.value)));
    byId("panels").append(this.root);
    this.show(group);
  }

  fillChoice() {
    const elements = new Map();
    for (const group of groups.values()) {
      if (!elements.has(group.element)) elements.set(group.element, element("optgroup", { label: group.element }));
      elements.get(group.element).append(element("option", { value: group.key }, `${group.element}: ${titleOf(group)}`));
    }
    this.choice.append(...elements.values());
  }

  addDifference() {
    this.difference = element("input", { type: "checkbox" });
    this.differenceLabel = element("label", {}, this.difference, ` difference from ${monolithic ? monolithic.name : ""}`);
    this.difference.addEventListener("change", () => this.draw());
    this.head.append(this.differenceLabel);
  }

  showDifference() {
    this.difference.checked = true;
    this.draw();
  }

  addClose() {
    const close = element("button", { type: "button", class: "close", "aria-label": "Remove this plot", title: "Remove this plot" }, "×");
    close.addEventListener("click", () => this.remove());
    this.head.append(close);
  }

  remove() {
    panels.splice(panels.indexOf(this), 1);
    this.graph?.destroy();
    this.root.remove();
    byId("add-panel").focus();
  }

  show(group) {
    this.group = group;
    this.choice.value = group.key;
    this.plot.setAttribute("aria-label", `${group.element}: ${titleOf(group)} over time`);
    const names = new Set(group.names);
    this.hasDifference = report.runs.some((run) => run.columns.some((column) => names.has(column.name) && column.difference));
    this.differenceLabel.hidden = !this.hasDifference;
    if (!this.hasDifference) this.difference.checked = false;
    this.draw();
  }

  draw() {
    const difference = this.difference.checked;
    this.curves = curvesOf(this.group, difference).filter((curve) => !difference || curve.column.difference);
    this.graph?.destroy();
    this.graph = new Dygraph(this.plot, mergeRows(this.curves, difference), this.options());
    this.line = element("div", { class: "cursor" });
    this.plot.append(this.line);
    this.fillSeries();
    this.note.textContent = notesOf(this.curves);
    this.note.hidden = this.note.textContent === "";
    this.setCursor(cursor);
  }

  options() {
    const labels = this.curves.map((curve) => `${curve.name} | ${curve.run.name}`);
    const series = {};
    this.curves.forEach((curve, i) => {
      series[labels[i]] = { color: curve.colour, strokePattern: curve.pattern, strokeWidth: curve.pattern ? 1.3 : 1.7 };
    });
    return {
      labels: ["time", ...labels], series, visibility: this.curves.map((curve) => curve.shown),
      legend: "never", connectSeparatedPoints: true, animatedZooms: false, drawGapEdgePoints: true,
      ylabel: markupOf(this.group.unit), xlabel: "time [s]", xLabelHeight: 16, yLabelWidth: 16,
      dateWindow: showsAllTimes() ? null : [range.from, range.to], xRangePad: 0, yRangePad: 8,
      gridLineColor: colour("--line"), axisLineColor: colour("--soft"), gridLineWidth: 0.6,
      highlightCircleSize: 3, interactionModel: Dygraph.defaultInteractionModel,
      axes: {
        x: { axisLabelFormatter: (t) => format(t), pixelsPerLabel: 60 },
        y: { axisLabelFormatter: (value) => format(value, 6), axisLabelWidth: 62 },
      },
      underlayCallback: (context, area, graph) => this.drawEvents(context, area, graph),
      clickCallback: (event, t) => moveCursor(t),
      zoomCallback: (from, to) => setRange(from, to),
      drawCallback: (graph) => this.onDraw(graph),
      highlightCallback: (event, t) => this.setValues(t),
      unhighlightCallback: () => this.setValues(cursor),
    };
  }

  // Draws the events of the run in the animation; of several events with the same name only the first one gets its name.
  drawEvents(context, area, graph) {
    const run = view.run ?? report.runs.find((one) => one.events.length > 0);
    const named = new Set();
    context.save();
    context.strokeStyle = context.fillStyle = colour("--soft");
    context.font = "11px sans-serif";
    context.textAlign = "right";
    context.setLineDash([2, 3]);
    for (const { name, time } of run?.events ?? []) {
      const x = graph.toDomXCoord(time);
      if (!(x >= area.x && x <= area.x + area.w)) continue;
      context.beginPath();
      context.moveTo(x, area.y);
      context.lineTo(x, area.y + area.h);
      context.stroke();
      if (named.has(name)) continue;
      named.add(name);
      context.save();
      context.translate(x + (x - area.x < 14 ? 11 : -3), area.y + 3);
      context.rotate(-Math.PI / 2);
      context.fillText(name, 0, 0);
      context.restore();
    }
    context.restore();
  }

  // If this plot is moved along time, the other plots follow.
  onDraw(graph) {
    const [from, to] = graph.xAxisRange();
    if (this.follows || !graph.isZoomed("x") || (from === range.from && to === range.to)) return;
    setRange(from, to);
  }

  follow() {
    this.follows = true;
    const [from, to] = this.graph.xAxisRange();
    if (from !== range.from || to !== range.to) this.graph.updateOptions({ dateWindow: showsAllTimes() ? null : [range.from, range.to] });
    this.follows = false;
    this.placeLine();
  }

  // On paper two plots are side by side, for any size of the screen.
  fit(isPaper) {
    if (isPaper) this.graph.resize(paperWidth, 170);
    else if (this.plot.style.width) {
      this.plot.style.width = this.plot.style.height = "";
      this.graph.resize();
    }
    this.placeLine();
  }

  fillSeries() {
    const runs = [...new Set(this.curves.map((curve) => curve.run))];
    const head = element("tr", {}, element("td"), ...runs.map((run) =>
      element("th", { scope: "col" }, this.toggle(run.name, this.curves.filter((curve) => curve.run === run)))));
    const rows = this.group.names.map((name) => this.seriesRow(name, runs));
    this.series.replaceChildren(element("table", { "aria-label": "Values at the cursor" }, element("thead", {}, head), element("tbody", {}, ...rows)));
  }

  seriesRow(name, runs) {
    const curves = this.curves.filter((curve) => curve.name === name);
    const cells = runs.map((run) => {
      const curve = curves.find((one) => one.run === run);
      if (!curve) return element("td");
      curve.cell = element("span");
      return element("td", {}, sample(curve), " ", curve.cell);
    });
    return element("tr", {}, element("th", { scope: "row" }, this.toggle(quantityOf(this.group, name), curves)), ...cells);
  }

  toggle(text, curves) {
    const button = element("button", { type: "button", "aria-pressed": curves.some((curve) => curve.shown), title: "Show or hide" }, text);
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") === "false";
      button.setAttribute("aria-pressed", shown);
      for (const curve of curves) {
        curve.shown = shown;
        this.graph.setVisibility(this.curves.indexOf(curve), shown);
      }
    });
    return button;
  }

  setValues(t) {
    for (const curve of this.curves)
      if (curve.cell) curve.cell.textContent = format(valueAt(timesOf(curve.run, curve.column), valuesOf(curve, this.difference.checked), t), 6);
  }

  placeLine() {
    const area = this.graph.getArea();
    const x = this.graph.toDomXCoord(cursor);
    this.line.hidden = !(x >= area.x - 0.5 && x <= area.x + area.w + 0.5);
    this.line.style.transform = `translateX(${x}px)`;
    this.line.style.top = `${area.y}px`;
    this.line.style.height = `${area.h}px`;
  }

  setCursor() {
    this.placeLine();
    this.setValues(cursor);
  }
}

// Returns notes on these curves: values that were not checked, and rows that were left out.
function notesOf(curves) {
  const notes = new Set();
  for (const { run, column } of curves) {
    if (column.unchecked) notes.add(`${run.name}: between macro points ${column.unchecked}.`);
    if (column.rows) notes.add(`${run.name}: thinned out from ${column.rows} rows, extremes are kept.`);
  }
  return [...notes].join(" ");
}

// Returns the groups that are shown at first: measures, energies, forces at cuts, then motion.
function usualGroups() {
  const all = [...groups.values()];
  const measures = all.filter((group) => group.isMeasure);
  const first = measures.filter((group) => measures.find((one) => one.element === group.element) === group);
  const chosen = [...first, all.find((group) => group.element === "energy"), all.find((group) => group.names.some((name) => name.endsWith(".lambda_x"))),
    ...all.filter((group) => group.unit === "m"), ...all.filter((group) => group.unit === "rad"), ...all];
  return [...new Set(chosen.filter((group) => group))].slice(0, (monolithic && report.runs.length > 1 ? 3 : 4) + Math.min(2, first.length));
}

// Shows the usual groups; the last of these with a difference from the monolithic run is shown again as this difference.
function startPlots() {
  for (const group of usualGroups()) new Panel(group);
  const last = panels.findLast((panel) => panel.hasDifference && panel.group.element !== "energy");
  if (last && panels.length < 4) new Panel(last.group).showDifference();
  byId("add-panel").addEventListener("click", () => {
    const shown = new Set(panels.map((panel) => panel.group));
    new Panel([...groups.values()].find((group) => !shown.has(group)) ?? [...groups.values()][0]);
    panels.at(-1).choice.focus();
  });
  const leftOut = report.runs.filter((run) => run.leftOut > 0).map((run) => ` Of ${run.name}, ${run.leftOut} columns are left out.`);
  const unmarked = report.runs.filter((run) => run.eventsLeftOut > 0).map((run) => ` Of ${run.name}, ${run.eventsLeftOut} later events are not marked.`);
  document.querySelector(".hint").append(...leftOut, ...unmarked);
  const zoom = (factor) => {
    const about = cursor >= range.from && cursor <= range.to ? cursor : (range.from + range.to) / 2;
    setRange(about - (about - range.from) * factor, about + (range.to - about) * factor);
  };
  const pan = (share) => setRange(range.from + share * (range.to - range.from), range.to + share * (range.to - range.from));
  byId("zoom-in").addEventListener("click", () => zoom(0.5));
  byId("zoom-out").addEventListener("click", () => zoom(2));
  byId("pan-left").addEventListener("click", () => pan(-0.25));
  byId("pan-right").addEventListener("click", () => pan(0.25));
  byId("zoom-all").addEventListener("click", () => setRange(0, end));
  const paper = matchMedia("print");
  const fitPaper = () => panels.forEach((panel) => panel.fit(paper.matches));
  paper.addEventListener("change", fitPaper);
  fitPaper();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => panels.forEach((panel) => panel.draw()));
}

function setPlotCursor(t) {
  cursor = t;
  for (const panel of panels) panel.setCursor();
}
