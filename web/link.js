// A model in the fragment of a web address, as JSON, compressed and in base64url. Browsers do not send the fragment.
const MAX_BYTES = 4 * 1024 * 1024; // bytes of a model after decompression

const pipe = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream).getReader();

async function readAll(reader, limit) {
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > limit) throw new Error("the model of the link is too long");
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export async function linkTo(content) {
  const bytes = await readAll(pipe(new TextEncoder().encode(JSON.stringify(content)), new CompressionStream("deflate-raw")), Infinity);
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return `#m=${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

// Returns {model, scheme, step, cosim}, converted to their types, or null if the address has no model.
export async function modelOfLink(hash) {
  if (!hash.startsWith("#m=")) return null;
  const bytes = Uint8Array.from(atob(hash.slice(3).replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const content = JSON.parse(new TextDecoder().decode(await readAll(pipe(bytes, new DecompressionStream("deflate-raw")), MAX_BYTES)));
  return { model: String(content.model), scheme: String(content.scheme ?? ""), step: Number(content.step) || 0, cosim: content.cosim !== false };
}
