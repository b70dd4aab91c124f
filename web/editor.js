// The editor of a model file: CodeMirror. It shows messages of Seam at their lines and completes keys of the schema.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = syntaxHighlighting(HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool], color: "var(--good)" },
  { tag: tags.string, color: "var(--good)" },
]));

/* ---- Keys and values that the schema knows ---- */

// Returns the keys that enclose a position, outermost first: those of flow mappings in its line, and those of lines above
// that are indented less.
function pathAt(state, position) {
  const line = state.doc.lineAt(position);
  const before = line.text.slice(0, position - line.from);
  const path = [];
  let depth = 0;
  let at = before.length;
  while (--at >= 0) {
    if ("}]".includes(before[at])) depth++;
    if ("{[".includes(before[at]) && depth-- === 0) {
      const key = /([\w.-]+):\s*$/.exec(before.slice(0, at));
      if (key) path.unshift(key[1]);
      depth = 0;
    }
  }
  let indent = /^\s*/.exec(line.text)[0].length;
  for (let number = line.number - 1; number >= 1 && indent > 0; number--) {
    const key = /^(\s*)([\w.-]+):/.exec(state.doc.line(number).text);
    if (!key || key[1].length >= indent) continue;
    indent = key[1].length;
    path.unshift(key[2]);
  }
  return path;
}

// Returns all schemas that may apply to a node: follows references and lists all alternatives.
function alternatives(schema, node) {
  if (!node || typeof node !== "object") return [];
  const referred = node.$ref ? alternatives(schema, schema.definitions[node.$ref.split("/").pop()]) : [];
  const others = ["anyOf", "oneOf", "allOf"].flatMap((word) => (node[word] ?? []).flatMap((one) => alternatives(schema, one)));
  const then = ["if", "then", "else"].flatMap((word) => alternatives(schema, node[word]));
  return [node, ...referred, ...others, ...then];
}

const below = (schema, nodes, key) =>
  nodes.flatMap((node) => alternatives(schema, node.properties?.[key] ?? node.items ?? (node.additionalProperties || null)));

function complete(schema, context) {
  const word = context.matchBefore(/[\w-]*/);
  const before = context.state.doc.lineAt(context.pos).text.slice(0, word.from - context.state.doc.lineAt(context.pos).from);
  const value = /([\w.-]+):\s*$/.exec(before);
  const isKey = /(^\s*|[{,]\s*)$/.test(before);
  if ((word.from === word.to && !context.explicit) || (!value && !isKey)) return null;
  let nodes = alternatives(schema, schema);
  for (const key of pathAt(context.state, word.from)) nodes = below(schema, nodes, key);
  if (value) nodes = below(schema, nodes, value[1]);
  const found = new Map();
  for (const node of nodes)
    if (value) for (const one of node.enum ?? (node.const !== undefined ? [node.const] : [])) found.set(String(one), { type: "enum" });
    else for (const [key, one] of Object.entries(node.properties ?? {})) found.set(key, { type: "property", detail: one.description, apply: `${key}: ` });
  return { from: word.from, options: [...found].map(([label, details]) => ({ label, ...details })), validFor: /^[\w-]*$/ };
}

/* ---- The editor ---- */

export function createEditor(parent, schema, onChange, keys) {
  return new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
        highlightActiveLine(), highlightSelectionMatches(), yaml(), colours,
        autocompletion({ override: [(context) => complete(schema, context)] }),
        keymap.of([...keys, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ "aria-label": "Model file", spellcheck: "false" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) onChange(update); }),
      ],
    }),
  });
}

export const textOf = (view) => view.state.doc.toString();

export function setText(view, text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

export function change(view, changes) {
  view.dispatch({ changes, userEvent: "input.control" });
}

// Shows messages in the form of the command: "model.yaml:LINE:COLUMN: error: TEXT", the line, a "^" below it, and advice.
export function showMessages(view, text) {
  const diagnostics = [];
  const lines = text.split("\n");
  lines.forEach((line, i) => {
    const found = /^model\.yaml:(\d+)(?::(\d+))?: (error|warning|note): (.*)/.exec(line);
    if (!found || Number(found[1]) > view.state.doc.lines) return;
    const at = view.state.doc.line(Math.max(1, Number(found[1])));
    const from = Math.min(at.from + Math.max(0, Number(found[2] ?? 1) - 1), at.to);
    const advice = lines[i + 2]?.trim() === "^" && lines[i + 3] ? `\n${lines[i + 3]}` : "";
    const severity = found[3] === "note" ? "info" : found[3];
    diagnostics.push({ from, to: Math.max(from, at.to), severity, message: found[4] + advice });
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
  return diagnostics;
}
