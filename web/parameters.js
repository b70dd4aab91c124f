// Numbers in the section `parameters` of a model's text, and the range of a slider for each.
const NUMBER = "[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?";

export const isNumber = (text) => new RegExp(`^${NUMBER}$`).test(text);

// Returns [{name, value, text, from, to, note}], where from and to are positions in the text; leaves out expressions.
export function parametersOf(text) {
  const head = /^parameters:[ \t]*(\{)?/m.exec(text);
  if (!head) return [];
  const start = head.index + head[0].length;
  const remainder = text.slice(start);
  const end = head[1] ? remainder.indexOf("}") + 1 || remainder.length : remainder.search(/\n(?=[^\s#])/) + 1 || remainder.length;
  const entry = head[1]
    ? new RegExp(`(?<=^|,)(\\s*([\\w.]+):\\s*)(${NUMBER})(?=\\s*[,}])()`, "g")
    : new RegExp(`(?<=\\n)([ \\t]+([\\w.]+):[ \\t]*)(${NUMBER})(?=[ \\t]*(?:#([^\\n]*))?\\n)`, "g");
  return [...`${remainder.slice(0, end)}\n`.matchAll(entry)].map((match) => {
    const [, before, name, number, note] = match;
    const from = start + match.index + before.length;
    return { name, value: Number(number), text: number, note: note?.trim() ?? "", from, to: from + number.length };
  });
}

// Returns the range of a slider: a tenth to ten times the number, on a logarithmic scale; if it is zero, -1 to 1.
export function rangeOf(value) {
  if (value === 0) return { min: -1, max: 1, valueAt: (position) => position, positionOf: (now) => now };
  const sign = Math.sign(value);
  return { min: -1, max: 1, valueAt: (position) => value * 10 ** position, positionOf: (now) => Math.log10(Math.max(1e-300, (sign * now) / Math.abs(value))) };
}
