// Each point that the text of the model gives by numbers or parameters has a ring on the picture. If a ring is dragged,
// the new coordinates of its point are written into the text.
import { isNumber, parametersOf } from "./parameters.js";

const PAIR = /\[\s*([^\s,[\]{}]+)\s*,\s*([^\s,[\]{}]+)\s*\]/g;
const ELEMENT = /\b(at|rod):\s*(\[[^{}:]*)?$/; // text before a pair of coordinates
const BEFORE = { points: /[\w-]+:\s*$/, bodies: ELEMENT, joints: ELEMENT, forces: ELEMENT };
const KEY_SHARE = 0.005; // of the picture's width: distance by which an arrow key moves a point

// Returns a coordinate {value, sign, from, to}: value is sign times the number at the positions from to `to` in the text,
// which is the coordinate itself or its parameter. Returns undefined for names of points and for expressions.
function coordinateOf(written, from, parameters) {
  if (isNumber(written)) return { value: Number(written), sign: 1, from, to: from + written.length };
  const sign = written.startsWith("-") ? -1 : 1;
  const parameter = parameters.find(({ name }) => name === written.replace(/^-/, ""));
  return parameter && { value: sign * parameter.value, sign, from: parameter.from, to: parameter.to };
}

// Returns the points of the model, and the points of elements (keys `at` and `rod`), in the order of the text:
// [{name, at: [x, y]}].
export function pointsOf(text) {
  const parameters = parametersOf(text);
  const found = [];
  let section = "";
  let start = 0;
  for (const line of text.split("\n")) {
    section = /^([\w-]+):/.exec(line)?.[1] ?? section;
    for (const pair of line.replace(/(^|\s)#.*/, "").matchAll(PAIR)) {
      const before = line.slice(0, pair.index);
      const first = start + pair.index;
      const x = coordinateOf(pair[1], first + pair[0].indexOf(pair[1]), parameters);
      const y = coordinateOf(pair[2], first + pair[0].lastIndexOf(pair[2]), parameters);
      if (x && y && BEFORE[section]?.test(before))
        found.push({ name: (section === "points" ? /([\w-]+):\s*$/ : /^\s*([\w-]+):/).exec(before)[1], at: [x, y] });
    }
    start += line.length + 1;
  }
  return found;
}

// Joins points that coincide: returns [{name, x, y, members}], where members are indices in `points`.
function mergeCoincident(points) {
  const found = new Map();
  points.forEach(({ name, at: [x, y] }, i) => {
    const key = `${x.value} ${y.value}`;
    if (!found.has(key)) found.set(key, { names: new Set(), x: x.value, y: y.value, members: [] });
    found.get(key).names.add(name);
    found.get(key).members.push(i);
  });
  return [...found.values()].map(({ names, ...point }) => ({ ...point, name: [...names].join(", ") }));
}

// Returns changes of the text that move points to a target. Numbers get as many digits as a pixel needs, which is
// `metres` wide. Each number changes only once.
function changesTo(points, target, metres) {
  const digits = Math.min(12, Math.max(0, Math.ceil(-Math.log10(metres))));
  const changes = points.flatMap(({ at }) => at.map(({ sign, from, to }, axis) => ({ from, to, insert: String(Number((sign * target[axis]).toFixed(digits))) })));
  return [...new Map(changes.reverse().map((one) => [one.from, one])).values()];
}

// Creates the rings over the frame of the report. events: {text(), write(changes), onDragStart(), onDragEnd()}. Returns the
// function that draws the rings again.
export function createHandles(parent, events) {
  const rings = document.createElement("div");
  rings.className = "rings";
  parent.append(rings);
  let dragged = null; // {ring, members, toPixels} while a ring is dragged: members and scale must not change

  // Returns the map from metres to pixels of the frame; undefined: its report has no picture.
  function toPixels() {
    const picture = parent.querySelector("iframe.is-shown")?.contentDocument.getElementById("mechanism");
    const layer = picture?.querySelector(".trails");
    return dragged?.toPixels ?? (layer && picture.getScreenCTM().multiply(layer.transform.baseVal[0].matrix));
  }

  function move(members, x, y) {
    const points = pointsOf(events.text());
    events.write(changesTo(members.map((i) => points[i]), [x, y], 1 / toPixels().a));
  }

  function moveRing(ring, x, y) {
    const pixel = new DOMPoint(x, y).matrixTransform(toPixels());
    ring.style.translate = `${pixel.x}px ${pixel.y}px`;
  }

  function drag(event) {
    if (!dragged) return;
    const box = rings.getBoundingClientRect();
    const { x, y } = new DOMPoint(event.clientX - box.left, event.clientY - box.top).matrixTransform(dragged.toPixels.inverse());
    moveRing(dragged.ring, x, y);
    move(dragged.members, x, y);
  }

  function nudge(event) {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!direction) return;
    event.preventDefault();
    const { x, y, members } = event.target.point;
    const step = (KEY_SHARE * rings.clientWidth) / toPixels().a;
    move(members, x + step * direction[0], y + step * direction[1]);
  }

  function create() {
    const ring = document.createElement("button");
    ring.type = "button";
    ring.addEventListener("pointerdown", (event) => {
      ring.setPointerCapture(event.pointerId);
      dragged = { ring, members: ring.point.members, toPixels: toPixels() };
      events.onDragStart();
    });
    ring.addEventListener("pointermove", drag);
    ring.addEventListener("lostpointercapture", () => { dragged = null; events.onDragEnd(); show(); });
    ring.addEventListener("keydown", nudge);
    return ring;
  }

  function show() {
    if (dragged) return;
    const points = toPixels() ? mergeCoincident(pointsOf(events.text())) : [];
    while (rings.children.length < points.length) rings.append(create());
    while (rings.children.length > points.length) rings.lastChild.remove();
    points.forEach((point, i) => {
      const ring = rings.children[i];
      ring.point = point;
      ring.title = `${point.name} at [${point.x}, ${point.y}]: drag it, or use arrow keys`;
      ring.setAttribute("aria-label", ring.title);
      moveRing(ring, point.x, point.y);
    });
  }

  parent.addEventListener("shown", () => {
    const { contentWindow, contentDocument } = parent.querySelector("iframe.is-shown");
    contentWindow.addEventListener("scroll", show);
    const picture = contentDocument.getElementById("mechanism");
    if (picture) new ResizeObserver(show).observe(picture);
    show();
  });
  return show;
}
