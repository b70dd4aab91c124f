// The mechanism as SVG. Each shape except cables has an affine map, which drawing/scene.h defines; y points up.

/* ---- Poses ---- */

function posesAt(run, t) {
  const times = numbers(run.frames.time);
  const at = Math.min(t, times.at(-1));
  return run.frames.bodies.map((body) => {
    const [x, y, phi] = ["x", "y", "phi"].map((name) => valueAt(times, numbers(body[name]), at));
    return { x, y, c: Math.cos(phi), s: Math.sin(phi) };
  });
}

const groundPose = { x: 0, y: 0, c: 1, s: 0 };
const poseOf = (poses, body) => poses[body] ?? groundPose;

function pointAt(poses, body, [x, y]) {
  const pose = poseOf(poses, body);
  return [pose.x + pose.c * x - pose.s * y, pose.y + pose.s * x + pose.c * y];
}

/* ---- Transforms of shapes ---- */

const onBody = (item, poses) => {
  const { x, y, c, s } = poseOf(poses, item.bodies[0]);
  return [c, s, -s, c, x, y];
};

const upright = (item, poses) => [1, 0, 0, 1, ...pointAt(poses, item.bodies[0], item.at[0])];

// The x axis of the shape is the line from the first end of an element to the second.
function along(item, poses) {
  const [first, second] = [0, 1].map((side) => pointAt(poses, item.bodies[side], item.at[side]));
  const distance = Math.hypot(second[0] - first[0], second[1] - first[1]);
  const [c, s] = distance > 0 ? [(second[0] - first[0]) / distance, (second[1] - first[1]) / distance] : [1, 0];
  const [end, inset] = item.anchor === "second" ? [second, -item.inset] : [first, item.inset];
  const scale = item.anchor === "stretched" ? Math.max(0, distance - 2 * item.inset) : 1;
  return [scale * c, scale * s, -s, c, end[0] + inset * c, end[1] + inset * s];
}

const transforms = { body: onBody, upright, first: along, second: along, stretched: along };

/* ---- Cables: straight along tangents, round the discs that they touch; drawing/scene_cables.c has the rules ---- */

const fullCircle = 2 * Math.PI;

function cableAt(item, poses, before) {
  const discs = item.places.map(({ body, at, radius }) => ({ centre: pointAt(poses, body, at), radius }));
  const mayLeave = (k) => k > 0 && k < discs.length - 1 && discs[k].radius !== 0;
  const touched = discs.map((_, k) => !mayLeave(k) || !(before[k] < 0));
  const direction = (i, j) => {
    const [x, y] = [0, 1].map((axis) => discs[j].centre[axis] - discs[i].centre[axis]);
    const sine = (discs[j].radius - discs[i].radius) / Math.hypot(x, y);
    return Math.atan2(y, x) - (Math.abs(sine) <= 1 ? Math.asin(sine) : 0);
  };
  const after = (k) => touched.indexOf(true, k + 1);
  const angleAt = (k) => {
    const angle = direction(k, after(k)) - direction(touched.lastIndexOf(true, k - 1), k);
    const middle = before[k] ?? Math.PI / 4;
    const offset = (discs[k].radius < 0 ? -angle : angle) - middle;
    return offset - fullCircle * Math.round(offset / fullCircle) + middle;
  };
  const isWrong = (k) => mayLeave(k) && (touched[k] ? angleAt(k) < -1e-9 : angleAt(k) > 1e-9);
  for (let round = 0; round < 2 * discs.length; round++) {
    const wrong = discs.findIndex((_, k) => isWrong(k));
    if (wrong < 0) break;
    touched[wrong] = !touched[wrong];
  }
  const angles = discs.map((_, k) => (mayLeave(k) ? angleAt(k) : null)).map((angle) => (angle !== null && angle < -fullCircle ? angle + fullCircle : angle));
  return { discs, touched, angles, direction, after };
}

function cablePath({ discs, touched, angles, direction, after }) {
  const tangent = (k, angle) => `${discs[k].centre[0] + discs[k].radius * Math.sin(angle)} ${discs[k].centre[1] - discs[k].radius * Math.cos(angle)}`;
  let path = "M";
  for (let k = 0; k < discs.length - 1; k = after(k)) {
    const next = direction(k, after(k));
    const size = Math.abs(discs[k].radius);
    if (angles[k] > 0) path += ` A${size} ${size} 0 ${angles[k] % fullCircle > Math.PI ? 1 : 0} ${discs[k].radius > 0 ? 1 : 0} ${tangent(k, next)}`;
    else path += ` ${k > 0 ? "L" : ""}${tangent(k, next)}`;
    path += ` L${tangent(after(k), next)}`;
  }
  return path;
}

// Returns the angles by which a cable changes direction at its nodes, for each frame; they depend on the previous frame.
function anglesOf(run, item) {
  let angles = item.places.map(() => null);
  return numbers(run.frames.time).map((t) => (angles = cableAt(item, posesAt(run, t), angles).angles));
}

function moveCable(run, item, path, poses, t) {
  item.angles ??= anglesOf(run, item);
  path.setAttribute("d", cablePath(cableAt(item, poses, item.angles[indexAt(numbers(run.frames.time), t)])));
}

/* ---- The picture ---- */

// The picture is 1000 units wide, because text sizes in metres may be too small for browsers.
const view = { svg: byId("mechanism"), run: null, drawings: [], points: [], chosen: null, trackTimes: [], trails: [], arrows: [], box: null, unitsPerMetre: 1 };
const inMetres = () => `scale(${view.unitsPerMetre} ${-view.unitsPerMetre})`;

// Returns the bounding box of the runs; failed runs count only if all runs failed.
function boxOf(all) {
  const runs = all.filter((run) => isSeen(run, all));
  const low = [0, 1].map((i) => Math.min(...runs.map((run) => run.scene.box[0][i])));
  const high = [0, 1].map((i) => Math.max(...runs.map((run) => run.scene.box[1][i])));
  const margin = 0.06 * Math.max(high[0] - low[0], high[1] - low[1], 1e-9);
  const height = high[1] - low[1] + 2 * margin;
  const width = Math.max(high[0] - low[0] + 2 * margin, 1.25 * height); // the picture is wider than high, also for tall mechanisms
  return { x: (low[0] + high[0] - width) / 2, y: low[1] - margin, width, height };
}

function subsystemOf(scene, item) {
  const subsystem = scene.bodies[item.bodies[0]]?.subsystem ?? -1;
  return subsystem < 0 ? "" : ` subsystem-${subsystem % 6}`;
}

// Paths are in metres; the style sheet makes the width of lines independent of the scale.
function drawScene(run, className) {
  const layer = shape("g", { class: className, transform: inMetres() });
  const items = run.scene.shapes.filter((item) => className === "" || ghostClasses.has(item.class)).map((item) => {
    const path = shape("path", { d: item.path, class: `shape ${item.class}${subsystemOf(run.scene, item)}` }, shape("title", {}, item.owner));
    layer.append(path);
    return { item, path };
  });
  return { run, layer, items };
}

const ghostClasses = new Set(["link", "line", "guide", "element", "housing", "block", "pin"]);

function moveScene(drawing, t) {
  const poses = posesAt(drawing.run, t);
  for (const { item, path } of drawing.items)
    if (item.anchor === "cable") moveCable(drawing.run, item, path, poses, t);
    else path.setAttribute("transform", `matrix(${transforms[item.anchor](item, poses).join(" ")})`);
  return poses;
}

/* ---- Names ---- */

function drawNames(run) {
  const layer = shape("g", { class: "names" });
  const items = (run.scene.labels ?? []).map((label) => {
    const text = shape("text", { "text-anchor": "middle", "dominant-baseline": "central", "font-size": run.scene.text * view.unitsPerMetre }, label.text);
    layer.append(text);
    return { label, text };
  });
  return { layer, items };
}

function moveNames(names, poses) {
  for (const { label, text } of names.items) {
    const [x, y] = pointAt(poses, label.body, label.at);
    text.setAttribute("x", view.unitsPerMetre * (x + label.offset[0]));
    text.setAttribute("y", -view.unitsPerMetre * (y + label.offset[1]));
  }
}

/* ---- Trails: paths of moving points ---- */

const MAX_TRAILS = 6; // trails at first; the reader may choose others
const MAX_TRAIL_POINTS = 600;
const MAX_EXTENT_TIMES = 60; // number of frames from which the extent of the path of a point is computed

// Returns measured points, points of elements, and centres of bodies: {name, at(poses, t)}.
function pointsOf(run) {
  const fixed = ({ name, body, at }) => ({ name, body, at: (poses) => pointAt(poses, body, at) });
  const ofElements = run.points.map(fixed);
  const centres = run.scene.bodies.map(({ name }, body) => fixed({ name: `centre of ${name}`, body, at: [0, 0] }));
  const measured = run.columns.filter(({ name, isMeasure }) => isMeasure && name.endsWith(".x") && run.byName.has(name.replace(/x$/, "y")))
    .map(({ name, element }) => ({ name: element, at: (_, t) => ["x", "y"].map((axis) => columnAt(run, name.replace(/x$/, axis), t)) }));
  return [...measured, ...ofElements, ...centres];
}

// Returns at most `most` of the times of the frames, at equal distances in the list.
function timesFrom(run, most) {
  const times = numbers(run.frames.time);
  const step = Math.max(1, Math.ceil(times.length / most));
  return Array.from(times).filter((_, i) => i % step === 0);
}

const tracksOf = (run, points, times) => times.reduce((tracks, t) => {
  const poses = posesAt(run, t);
  points.forEach((point, i) => tracks[i].push([t, ...point.at(poses, t)]));
  return tracks;
}, points.map(() => []));

const extentOf = (track) => Math.max(...[1, 2].map((k) => Math.max(...track.map((point) => point[k])) - Math.min(...track.map((point) => point[k]))));

// Points with the same path, such as both ends of a joint, become one point with all their names.
function mergeSame(points, tracks) {
  const merged = [];
  const isSame = (a, b) => a.every(([, x, y], k) => Math.hypot(x - b[k][1], y - b[k][2]) < 1e-4 * view.box.width);
  points.forEach((point, i) => {
    const other = merged.find(({ track }) => isSame(track, tracks[i]));
    if (other) other.name += `, ${point.name}`;
    else merged.push({ ...point, track: tracks[i] });
  });
  return merged;
}

// Returns the points that move, and chooses the first trails: measured points, elements, bodies without moving elements.
function movingPoints(run) {
  const points = pointsOf(run);
  const times = timesFrom(run, MAX_EXTENT_TIMES);
  const moving = mergeSame(points, tracksOf(run, points, times)).filter((point) => { point.extent = extentOf(point.track); return point.extent > 0.002 * view.box.width; });
  const isBare = (point) => !point.name.startsWith("centre of ") || !moving.some((other) => other !== point && other.body === point.body);
  const first = moving.filter((point) => point.extent > 0.02 * view.box.width && isBare(point)).slice(0, MAX_TRAILS);
  view.chosen ??= new Set(first.map(({ name }) => name));
  return moving;
}

const coordinateText = (point) => point.map((length) => length.toPrecision(7)).join(" ");

function drawTrails(run) {
  const layer = shape("g", { class: "trails", transform: inMetres() });
  const chosen = view.points.filter(({ name }) => view.chosen.has(name));
  view.trackTimes = timesFrom(run, 8 * MAX_TRAIL_POINTS);
  const tracks = tracksOf(run, chosen, view.trackTimes);
  view.trails = chosen.map((point, i) => {
    const path = shape("path", { class: "trail" }, shape("title", {}, point.name));
    layer.append(path);
    return { ...point, track: tracks[i].map(([, x, y]) => coordinateText([x, y])), path };
  });
  return layer;
}

function moveTrails(poses, t) {
  const last = indexAt(view.trackTimes, t);
  for (const { track, at, path } of view.trails) {
    const now = at(poses, Math.min(t, numbers(view.run.frames.time).at(-1)));
    path.setAttribute("d", `M${[...track.slice(Math.max(0, last + 1 - MAX_TRAIL_POINTS), last + 1), coordinateText(now)].join("L")}`);
  }
}

function listTrails(redraw) {
  byId("ways").replaceChildren(...view.points.map(({ name }) => {
    const box = element("input", { type: "checkbox" });
    box.checked = view.chosen.has(name);
    box.addEventListener("change", () => {
      view.chosen[box.checked ? "add" : "delete"](name);
      redraw();
    });
    return element("label", {}, box, ` ${name}`);
  }));
}

/* ---- Forces at cuts ---- */

const forceAt = (run, name, t) => [columnAt(run, `${name}.lambda_x`, t), columnAt(run, `${name}.lambda_y`, t)];

function largestForce(run) {
  let largest = 0;
  for (const { name } of run.cuts) {
    const [x, y] = ["x", "y"].map((axis) => run.byName.get(`${name}.lambda_${axis}`)).map((column) => (column ? numbers(column.values) : []));
    for (let i = 0; i < Math.max(x.length, y.length); i++) largest = Math.max(largest, Math.hypot(x[i] ?? 0, y[i] ?? 0));
  }
  return largest;
}

// Draws the force on the first side and its opposite on the second; the longest arrow is a fifth of the picture.
function drawForces(run) {
  const layer = shape("g", { class: "forces", transform: inMetres() });
  const largest = largestForce(run);
  view.metresPerNewton = largest > 0 ? 0.2 * Math.min(view.box.width, view.box.height * 1.5) / largest : 0;
  view.arrows = run.cuts.flatMap((cut) => cut.ends.map((end, side) => {
    const line = shape("path", { class: `force side-${side}` });
    const head = shape("path", { class: `force-head side-${side}` });
    layer.append(line, head);
    return { run, name: cut.name, end, sign: side === 0 ? 1 : -1, line, head };
  }));
  return layer;
}

function moveForces(poses, t) {
  const size = 0.016 * view.box.width;
  for (const { run, name, end, sign, line, head } of view.arrows) {
    const [fx, fy] = forceAt(run, name, t).map((force) => sign * force * view.metresPerNewton);
    const [x, y] = pointAt(poses, end.body, end.at);
    const length = Math.hypot(fx, fy);
    const [c, s] = length > 0 ? [fx / length, fy / length] : [1, 0];
    const reach = Math.min(size, length);
    const base = [x + fx - reach * c, y + fy - reach * s];
    line.setAttribute("d", length > 0 ? `M${x} ${y}L${base.join(" ")}` : "");
    head.setAttribute("d", length > 0 ? `M${x + fx} ${y + fy}L${base[0] - 0.38 * reach * s} ${base[1] + 0.38 * reach * c}L${base[0] + 0.38 * reach * s} ${base[1] - 0.38 * reach * c}Z` : "");
  }
}

/* ---- A bar of known length ---- */

function drawScale() {
  const wanted = view.box.width / 5;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const metres = [5, 2, 1].map((factor) => factor * power).find((length) => length <= wanted);
  const length = metres * view.unitsPerMetre;
  const x = view.box.x * view.unitsPerMetre + 20;
  const y = -view.box.y * view.unitsPerMetre - 16;
  return shape("g", { class: "scale-bar" },
    shape("path", { class: "scale", d: `M${x} ${y - 6}v6h${length}v-6` }),
    shape("text", { x: x + length / 2, y: y - 9, "text-anchor": "middle", "font-size": 20, class: "quiet" }, `${format(metres)} m`));
}

/* ---- All layers ---- */

function showRun(run) {
  view.run = run;
  const ghost = byId("ghost").checked && monolithic && monolithic !== run && monolithic.scene ? [drawScene(monolithic, "is-ghost")] : [];
  view.drawings = [...ghost, drawScene(run, "")];
  view.points = movingPoints(run);
  view.names = drawNames(run);
  const layers = [drawScale(), ...ghost.map((drawing) => drawing.layer), drawTrails(run), view.drawings.at(-1).layer, drawForces(run), view.names.layer];
  view.svg.replaceChildren(...layers);
  startEnergies(run);
  showEvents(run);
  for (const panel of panels) panel.graph.updateOptions({});
  listTrails(() => {
    view.svg.querySelector(".trails").replaceWith(drawTrails(run));
    showOptions();
    setTime(player.time);
  });
  showOptions();
  caption();
}

function showOptions() {
  for (const name of ["trails", "forces", "names"]) view.svg.querySelector(`.${name}`).style.display = byId(name).checked ? "" : "none";
}

function caption() {
  const { run } = view;
  const parts = [run.caption];
  if (view.drawings.length > 1) parts.push(`Grey: ${monolithic.name}.`);
  if (view.arrows.length > 0 && view.metresPerNewton > 0)
    parts.push(`Arrows: what the cuts transmit, the longest ${format(largestForce(run), 3)} N.`);
  if (run.astray !== undefined) parts.push(`From t = ${format(run.astray, 4)} s on it leaves the picture.`);
  if (run.frames.rows) parts.push(`${numbers(run.frames.time).length} of ${run.frames.rows} rows are shown.`);
  byId("motion-caption").textContent = parts.filter((part) => part).join(" ");
}

function startMechanism(runs) {
  view.box = boxOf(runs);
  const { x, y, width, height } = view.box;
  view.unitsPerMetre = 1000 / width;
  view.svg.setAttribute("viewBox", [x, -y - height, width, height].map((length) => length * view.unitsPerMetre).join(" "));
  const shown = runs.find((run) => !run.isWhole) ?? runs[0];
  byId("shown").append(...runs.map((run) => element("option", { value: report.runs.indexOf(run) }, run.name)));
  byId("shown").value = report.runs.indexOf(shown);
  byId("shown-label").hidden = runs.length < 2;
  document.querySelector(".ghost").hidden = !(monolithic?.scene && runs.length > 1);
  document.querySelector(".forces").hidden = runs.every((run) => run.cuts.length === 0);
  const redraw = () => { showRun(report.runs[byId("shown").value]); setTime(player.time); };
  for (const id of ["shown", "ghost"]) byId(id).addEventListener("change", redraw);
  for (const id of ["trails", "forces", "names"]) byId(id).addEventListener("change", showOptions);
  showRun(shown);
}

function drawMechanism(t) {
  if (!view.run) return;
  const poses = view.drawings.map((drawing) => moveScene(drawing, t)).at(-1);
  moveTrails(poses, t);
  moveForces(poses, t);
  moveNames(view.names, poses);
}
