// The data of the page: runs with their columns, as base64 of little-endian numbers. Columns are decoded when needed.
const report = JSON.parse(document.getElementById("report-data").textContent);

const byId = (id) => document.getElementById(id);

function build(created, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

const element = (tag, attributes = {}, ...children) => build(document.createElement(tag), attributes, children);
const shape = (tag, attributes = {}, ...children) => build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const decoded = new Map();

function decode({ f4, f8 }) {
  const letters = atob(f4 ?? f8);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i); // ten times as fast as Uint8Array.from()
  return f4 !== undefined ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
}

function numbers(array) {
  if (!decoded.has(array)) decoded.set(array, decode(array));
  return decoded.get(array);
}

// Returns the index of the last time <= t; 0: all times are later.
function indexAt(times, t) {
  let low = 0;
  let high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

// Interpolates linearly. Before the first time returns the first value; after the last time, when the run has ended, NaN.
function valueAt(times, values, t) {
  const last = times.length - 1;
  if (last < 0 || t > times[last] + 1e-6 * Math.abs(times[last])) return NaN;
  const i = indexAt(times, t);
  if (i === last || t <= times[i]) return values[i];
  const share = (t - times[i]) / (times[i + 1] - times[i]);
  return values[i] + share * (values[i + 1] - values[i]);
}

// Writes a number with at most this many significant digits, without zeros at the end.
function format(value, digits = 5) {
  if (!Number.isFinite(value)) return "\u2013";
  const rounded = Number(value.toPrecision(digits));
  const isFar = rounded !== 0 && (Math.abs(rounded) >= 1e6 || Math.abs(rounded) < 1e-4);
  return (isFar ? rounded.toExponential() : String(rounded)).replaceAll("-", "\u2212").replace("e+", "e");
}

const monolithic = report.runs.find((run) => run.isWhole);

for (const run of report.runs) run.byName = new Map(run.columns.map((column) => [column.name, column]));

// A column from which rows were left out has its own times; other columns have the index of their table and its times.
const timesOf = (run, column) => numbers(typeof column.time === "number" ? run.times[column.time] : column.time);

function columnAt(run, name, t) {
  const column = run.byName.get(name);
  return column ? valueAt(timesOf(run, column), numbers(column.values), t) : NaN;
}

const end = Math.max(...report.runs.map((run) => run.end), 0);
