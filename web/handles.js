// Places that stand as numbers or parameters in the model's text are rings on the picture; where one is dragged to is
// written into the text.
import { isNumber, parametersOf } from "./parameters.js";

const PAIR = /\[\s*([^\s,[\]{}]+)\s*,\s*([^\s,[\]{}]+)\s*\]/g;
const ELEMENT = /\b(at|rod):\s*(\[[^{}:]*)?$/; // before a pair
const BEFORE = { points: /[\w-]+:\s*$/, bodies: ELEMENT, joints: ELEMENT, forces: ELEMENT };
const KEY_SHARE = 0.005; // of the picture's width, that an arrow key moves a place

// A coordinate {value, sign, from, to} is sign times the number between from and to in the text, its own or that of its
// parameter; undefined for names of points and expressions.
function coordinateOf(written, from, parameters) {
  if (isNumber(written)) return { value: Number(written), sign: 1, from, to: from + written.length };
  const sign = written.startsWith("-") ? -1 : 1;
  const parameter = parameters.find(({ name }) => name === written.replace(/^-/, ""));
  return parameter && { value: sign * parameter.value, sign, from: parameter.from, to: parameter.to };
}

// Points of the model, and places at and between which elements stand, in the order of the text: [{name, at: [x, y]}].
export function placesOf(text) {
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

// Places that coincide are one: [{name, x, y, members}], members as numbers of places.
function gather(places) {
  const found = new Map();
  places.forEach(({ name, at: [x, y] }, i) => {
    const key = `${x.value} ${y.value}`;
    if (!found.has(key)) found.set(key, { names: new Set(), x: x.value, y: y.value, members: [] });
    found.get(key).names.add(name);
    found.get(key).members.push(i);
  });
  return [...found.values()].map(({ names, ...rest }) => ({ ...rest, name: [...names].join(", ") }));
}

// Changes of the text that bring places to a target, with as many digits as a pixel of so many metres is worth; each number
// changes once.
function changesTo(places, target, metres) {
  const digits = Math.min(12, Math.max(0, Math.ceil(-Math.log10(metres))));
  const changes = places.flatMap(({ at }) => at.map(({ sign, from, to }, axis) => ({ from, to, insert: String(Number((sign * target[axis]).toFixed(digits))) })));
  return [...new Map(changes.reverse().map((one) => [one.from, one])).values()];
}

// Rings over the frame of the report. events: {text(), write(changes), hold(), release()}. Returns what shows them anew.
export function createHandles(parent, events) {
  const rings = document.createElement("div");
  rings.className = "rings";
  parent.append(rings);
  let held = null; // {ring, members, toPixels}: neither the picture's scale nor what is dragged changes under a pointer

  // From metres to pixels of the frame; none where its report has no picture.
  function toPixels() {
    const picture = parent.querySelector("iframe.is-shown")?.contentDocument.getElementById("mechanism");
    const layer = picture?.querySelector(".trails");
    return held?.toPixels ?? (layer && picture.getScreenCTM().multiply(layer.transform.baseVal[0].matrix));
  }

  function move(members, x, y) {
    const places = placesOf(events.text());
    events.write(changesTo(members.map((i) => places[i]), [x, y], 1 / toPixels().a));
  }

  function put(ring, x, y) {
    const pixel = new DOMPoint(x, y).matrixTransform(toPixels());
    ring.style.translate = `${pixel.x}px ${pixel.y}px`;
  }

  function drag(event) {
    if (!held) return;
    const box = rings.getBoundingClientRect();
    const { x, y } = new DOMPoint(event.clientX - box.left, event.clientY - box.top).matrixTransform(held.toPixels.inverse());
    put(held.ring, x, y);
    move(held.members, x, y);
  }

  function nudge(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const { x, y, members } = event.target.place;
    const step = (KEY_SHARE * rings.clientWidth) / toPixels().a;
    move(members, x + step * way[0], y + step * way[1]);
  }

  function create() {
    const ring = document.createElement("button");
    ring.type = "button";
    ring.addEventListener("pointerdown", (event) => {
      ring.setPointerCapture(event.pointerId);
      held = { ring, members: ring.place.members, toPixels: toPixels() };
      events.hold();
    });
    ring.addEventListener("pointermove", drag);
    ring.addEventListener("lostpointercapture", () => { held = null; events.release(); show(); });
    ring.addEventListener("keydown", nudge);
    return ring;
  }

  function show() {
    if (held) return;
    const places = toPixels() ? gather(placesOf(events.text())) : [];
    while (rings.children.length < places.length) rings.append(create());
    while (rings.children.length > places.length) rings.lastChild.remove();
    places.forEach((place, i) => {
      const ring = rings.children[i];
      ring.place = place;
      ring.title = `${place.name} at [${place.x}, ${place.y}]: drag it, or use arrow keys`;
      ring.setAttribute("aria-label", ring.title);
      put(ring, place.x, place.y);
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
