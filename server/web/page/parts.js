// Small parts of the page. Everything from documents, models and people goes in as text, never as markup.

// The same signs as on a terminal: controls but tab and newline, separators of lines and paragraphs, overrides and
// isolates of direction, the byte order mark, lone surrogates, tag characters.
const UNSAFE = new RegExp("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff"
  + "\\ufeff\\u{e0000}-\\u{e007f}]", "gu");

function written(sign) {
  const code = sign.codePointAt(0);
  if (sign === "\r") return "\\r";
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

// Text with what could turn its order around or hide in it written out, as in \u202e.
export function visible(text) {
  return String(text).replace(UNSAFE, written);
}

function parts(children) {
  return children.filter((child) => child !== null && child !== undefined)
    .map((child) => (child instanceof Node ? child : visible(child)));
}

export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") node.className = value;
    else if (name === "onclick") node.addEventListener("click", value);
    else if (value !== null && value !== undefined) node.setAttribute(name, visible(value));
  }
  node.append(...parts(children));
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren(...parts(children));
}

// The label that is printed on a page, with the page's number where that is another.
export function page(number, label) {
  return label && label !== String(number) ? `${label} (${number})` : String(number);
}

export function place(one) {
  if (one.page !== null && one.page !== undefined) {
    const first = page(one.page, one.page_label);
    return one.page_end && one.page_end !== one.page
      ? `pages ${first} to ${page(one.page_end, one.page_end_label)}` : `page ${first}`;
  }
  return one.line ? `line ${one.line}` : "";
}

export class Failure extends Error {
  constructor(error) {
    super(error.message || "the server failed");
    this.code = error.code || "internal";
    this.hint = error.hint || "";
  }
}

function headers(more) {
  const token = sessionStorage.getItem("token");
  return { ...more, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
}

async function checked(response) {
  if (response.ok) return response;
  let error = {};
  try {
    error = (await response.json()).error || {};
  } catch {
    // What is no JSON has nothing to tell.
  }
  throw new Failure(error);
}

export async function get(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const search = new URLSearchParams(given).toString();
  const response = await fetch(search ? `${path}?${search}` : path, { headers: headers({}) });
  return (await checked(response)).json();
}

export async function post(path, body) {
  const sent = { method: "POST", headers: headers({ "Content-Type": "application/json" }), body: JSON.stringify(body) };
  return (await checked(await fetch(path, sent))).json();
}

// Calls `told(event, data)` for each server-sent event.
export async function stream(path, body, signal, told) {
  const response = await checked(await fetch(path, {
    method: "POST",
    headers: headers({ "Content-Type": "application/json", Accept: "text/event-stream" }),
    body: JSON.stringify(body),
    signal,
  }));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    const blocks = held.split("\n\n");
    held = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n");
      const name = lines.find((line) => line.startsWith("event: "));
      const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
      if (data) told(name ? name.slice(7) : "message", JSON.parse(data));
    }
  }
}
