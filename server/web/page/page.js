import { el, Failure, fill, get, place, post, stream } from "./parts.js";

const at = (id) => document.getElementById(id);
const state = { session: null, running: null };
let opener = null;

// Views

function show(name) {
  for (const view of ["chat", "documents", "sessions"]) {
    at(view).hidden = view !== name;
    at(`show-${view}`).setAttribute("aria-pressed", String(view === name));
  }
}

function unknown(error) {
  return error instanceof Failure && error.code === "unauthorized";
}

function complain(error) {
  if (unknown(error)) {
    fill(at("login-problem"), sessionStorage.getItem("token") ? "The token is no longer valid." : "");
    sessionStorage.removeItem("token");
    if (!at("login").open) at("login").showModal();
    return "A token is needed.";
  }
  if (error.name === "AbortError") return "Stopped.";
  return error.hint ? `${error.message} (${error.hint})` : error.message;
}

async function careful(work) {
  try {
    fill(at("status"));
    await work();
  } catch (error) {
    fill(at("status"), complain(error));
  }
}

// The reader beside the answer

function openReader(title, where, text, mark, links) {
  fill(at("reader-title"), title);
  fill(at("reader-place"), where);
  if (mark) {
    // The server counts characters, a string in here has two units for some of them.
    const signs = Array.from(text);
    const cut = (start, end) => signs.slice(start, end).join("");
    fill(at("reader-text"), cut(0, mark[0]), el("mark", {}, cut(mark[0], mark[1])), cut(mark[1]));
  } else {
    fill(at("reader-text"), text);
  }
  fill(at("reader-more"), ...links);
  if (at("reader").hidden) opener = document.activeElement;
  at("reader").hidden = false;
  at("columns").classList.add("reading");
  at("reader-title").focus({ preventScroll: true });
  const marked = at("reader-text").querySelector("mark");
  if (marked) marked.scrollIntoView({ block: "center" });
  else at("reader").scrollTop = 0;
}

function closeReader() {
  at("reader").hidden = true;
  at("columns").classList.remove("reading");
  if (opener && opener.isConnected) opener.focus();
  opener = null;
}

async function openCitation(citation) {
  const { document: name, section, version, span, quote, page } = citation;
  const found = await post("api/open", { document: name, section, version, span, quote, page });
  const notes = [place({ ...citation, page: found.page, page_label: found.page_label }), found.document];
  if (found.changed) notes.push("the document was replaced since this was cited");
  if (!found.mark) notes.push("the quoted words no longer stand here");
  const whole = el("button", { type: "button", onclick: () => careful(() => readSection(name, section)) },
    "This section with all below it");
  openReader(`${found.document_title} › ${found.heading_path}`, notes.filter(Boolean).join(" · "), found.text,
    found.mark, [whole]);
}

async function readSection(name, section, start = null, before = "") {
  const found = await get("api/read", { document: name, section, start });
  if (found.error) throw new Failure(found.error);
  const text = before ? `${before}\n\n${found.text}` : found.text || "(a heading without text of its own)";
  const links = [];
  const link = (label, target) => {
    if (!target) return;
    const what = [target.number, target.title].filter(Boolean).join(" ");
    links.push(el("button", { type: "button", onclick: () => careful(() => readSection(name, target.section)) },
      `${label}: ${what}`));
  };
  if (found.more) {
    links.push(el("button", { type: "button", onclick: () => careful(() => readSection(name, section, found.more, text)) },
      "More of this section"));
  }
  link("Previous", found.previous);
  link("Next", found.next);
  for (const child of found.children) link("Below", child);
  const title = `${found.document_title} › ${found.heading_path}`;
  openReader(title, [place(found), found.document].filter(Boolean).join(" · "), text, null, links);
}

// Answers

function statements(list, numbers) {
  return list.map((statement) => {
    const marks = statement.citations.map((citation) => {
      const key = JSON.stringify([citation.handle, citation.span, citation.quote]);
      if (!numbers.has(key)) numbers.set(key, { number: numbers.size + 1, citation });
      const { number } = numbers.get(key);
      const label = `Source ${number}: ${citation.document_title}, ${citation.heading_path} ${place(citation)}`;
      return el("button", { type: "button", class: "cite", "aria-label": label,
        onclick: () => careful(() => openCitation(citation)) }, `[${number}]`);
    });
    return el("p", {}, `${statement.text} `, ...marks);
  });
}

function list(title, rows) {
  if (!rows.length) return null;
  return el("div", {}, el("p", { class: "soft" }, title), el("ul", {}, ...rows.map((row) => el("li", {}, row))));
}

function how(answer) {
  const rows = answer.retrieval.map((one) => {
    const legs = one.attempts.map((leg) => `${leg.leg} ${leg.outcome} ${Math.round(leg.ms)} ms ${leg.reason}`.trim());
    return `${one.tool} “${one.query}”: ${one.used || "nothing"}${legs.length ? ` [${legs.join(", ")}]` : ""}`;
  });
  const usage = answer.usage;
  rows.push(`${answer.status}, ended by ${answer.stop_reason}; model ${answer.model}, ${usage.searches} searches, `
    + `${usage.seconds.toFixed(1)} s, ${usage.input_tokens} + ${usage.output_tokens} tokens`);
  return el("details", {}, el("summary", {}, "How it was found"), el("ul", {}, ...rows.map((row) => el("li", {}, row))));
}

function answered(answer) {
  const numbers = new Map();
  const parts = statements(answer.statements, numbers);
  if (answer.status === "conversation") parts.unshift(el("p", { class: "label" }, "Not from your documents"));
  if (!answer.statements.length || answer.text.includes("(withdrawn:")) {
    const failed = ["incomplete", "unverified"].includes(answer.status);
    parts.push(el("p", { class: failed ? "bad" : "" }, answer.text));
  }
  const sources = [...numbers.values()].map(({ number, citation }) => {
    const where = [citation.document_title, citation.heading_path, place(citation)].filter(Boolean).join(" › ");
    return el("li", { value: number },
      el("button", { type: "button", class: "link", onclick: () => careful(() => openCitation(citation)) }, where),
      el("blockquote", {}, citation.quote));
  });
  if (sources.length) parts.push(el("ol", { class: "sources", "aria-label": "Sources" }, ...sources));
  parts.push(list("Not answered:", answer.unanswered));
  parts.push(list("Withheld, because the check did not pass:", answer.withheld.map((one) => `${one.code}: ${one.detail}`)));
  parts.push(list("Nearest places:", answer.statements.length ? [] : answer.nearest.map((near) =>
    el("button", { type: "button", class: "link", onclick: () => careful(() => readSection(near.document, near.section)) },
      [near.document_title, near.heading_path, place(near)].filter(Boolean).join(" › ")))));
  parts.push(how(answer));
  return parts;
}

function turn(question) {
  const body = el("div", {});
  at("log").append(el("article", {}, el("h3", {}, question), body));
  return body;
}

async function ask(question) {
  const body = turn(question);
  const passed = [];
  const numbers = new Map();
  state.running = new AbortController();
  at("stop").hidden = false;
  at("send").disabled = true;
  fill(at("status"), "Asking");
  let answer = null;
  try {
    await stream("api/ask", { question, session: state.session }, state.running.signal, (event, data) => {
      if (event === "progress") fill(at("status"), data.text);
      if (event === "statement") passed.push(data);
      if (event === "retracted") {
        const gone = passed.findIndex((one) => JSON.stringify(one) === JSON.stringify(data));
        if (gone >= 0) passed.splice(gone, 1);
      }
      if (event === "statement" || event === "retracted") {
        numbers.clear();
        fill(body, ...statements(passed, numbers));
      }
      if (event === "error") throw new Failure(data.error);
      if (event === "answer") answer = data;
    });
    if (!answer) throw new Failure({ message: "the connection ended before the answer" });
    fill(body, ...answered(answer));
    state.session = answer.session || state.session;
    at("show-steps").hidden = !state.session;
    fill(at("status"));
  } catch (error) {
    const said = complain(error);
    fill(at("status"), unknown(error) ? said : "");
    if (unknown(error)) {
      // Nobody was asked: the question waits where it was written.
      body.parentElement.remove();
      if (!at("question").value) at("question").value = question;
    } else {
      fill(body, el("p", { class: "bad" }, said));
    }
  } finally {
    state.running = null;
    at("stop").hidden = true;
    at("send").disabled = false;
    body.scrollIntoView({ block: "nearest" });
  }
}

// Documents

// A button that shows and hides what is below it, which is fetched the first time.
function opens(label, name, load) {
  const holder = el("ul", { hidden: "" });
  const button = el("button", { type: "button", class: "link", "aria-expanded": "false", "aria-label": name,
    onclick: () => careful(async () => {
      if (!holder.childElementCount) await load(holder);
      holder.hidden = !holder.hidden;
      button.setAttribute("aria-expanded", String(!holder.hidden));
    }) }, label);
  return [button, holder];
}

function sectionNode(name, entry) {
  const label = [entry.number, entry.title].filter(Boolean).join(" ") || "(without a heading)";
  const open = el("button", { type: "button", class: "link", onclick: () => careful(() => readSection(name, entry.section)) },
    entry.page ? `${label} (${place({ page: entry.page, page_label: entry.page_label })})` : label);
  if (entry.children.length) {
    return el("li", {}, open, el("ul", {}, ...entry.children.map((child) => sectionNode(name, child))));
  }
  if (!entry.sections_below) return el("li", {}, open);
  // As deep as fits: what is further down comes when it is asked for.
  const [below, holder] = opens(`${entry.sections_below} below`, `Sections below ${label}`,
    (into) => expand(name, into, entry.section));
  return el("li", {}, open, " ", below, holder);
}

async function expand(name, holder, section = null, start = null) {
  const found = await get("api/contents", { document: name, section, start });
  if (found.error) throw new Failure(found.error);
  const whole = found.sections[0];
  // With a section its own row comes first, and what is below it is what was asked for.
  const rows = section !== null && whole && whole.section === section
    ? [...whole.children, ...found.sections.slice(1)] : found.sections;
  holder.append(...rows.map((entry) => sectionNode(name, entry)));
  if (found.next) holder.append(more(() => expand(name, holder, section, found.next)));
}

function more(action) {
  const row = el("li", {}, el("button", { type: "button", onclick: () => careful(async () => {
    await action();
    row.remove();
  }) }, "More"));
  return row;
}

async function listDocuments(holder, query = {}) {
  const found = await get("api/contents", query);
  if (found.error && !["index_empty", "no_match"].includes(found.error.code)) throw new Failure(found.error);
  for (const one of found.folders) {
    const [open, below] = opens(one.folder, `Folder ${one.folder}, ${one.documents} documents`,
      (into) => listDocuments(into, { folder: one.folder }));
    holder.append(el("li", {}, open, el("span", { class: "soft" }, ` ${one.documents} documents`), below));
  }
  for (const entry of found.documents) {
    const [open, below] = opens(entry.title, null, (into) => expand(entry.document, into));
    const about = [entry.document, entry.standing].filter(Boolean).join(" · ");
    holder.append(el("li", {}, open, el("span", { class: "soft" }, ` ${about}`), below));
  }
  if (found.next) holder.append(more(() => listDocuments(holder, { ...query, start: found.next })));
  if (!holder.childElementCount) holder.append(el("li", {}, found.error ? found.error.message : "No more."));
}

async function findDocuments() {
  const find = at("find").value.trim();
  fill(at("document-list"));
  await listDocuments(at("document-list"), find ? { find } : {});
}

// Sessions

async function listSessions() {
  const { sessions } = await get("api/sessions");
  fill(at("session-list"), ...sessions.map((one) => el("li", {},
    el("button", { type: "button", class: "link", onclick: () => careful(() => openSession(one.session)) }, one.first),
    el("div", {}, el("span", { class: "soft" }, `${new Date(one.started).toLocaleString()} · ${one.model} `),
      el("button", { type: "button", class: "link", "aria-label": `Steps of ${one.first}`,
        onclick: () => careful(() => showSteps(one.session)) }, "steps")))));
  if (!sessions.length) fill(at("session-list"), el("li", {}, "There are no sessions yet."));
}

async function openSession(session) {
  const { turns } = await get(`api/sessions/${encodeURIComponent(session)}`);
  fill(at("log"));
  for (const one of turns) {
    fill(turn(one.question), ...(one.answer ? answered(one.answer) : [el("p", {}, "Not answered.")]));
  }
  state.session = session;
  at("show-steps").hidden = false;
  show("chat");
  at("question").focus();
}

async function showSteps(session) {
  const { steps } = await get(`api/sessions/${encodeURIComponent(session)}/transcript`);
  openReader(`Steps of session ${session}`, `${steps.length} steps`, "", null, []);
  const rows = steps.map((step) => el("li", {},
    el("span", { class: "soft" }, `${step.at.toFixed(2)} s `), el("strong", {}, step.title),
    step.ms === null ? null : el("span", { class: "soft" }, ` ${Math.round(step.ms)} ms`),
    step.lines.length ? el("ul", {}, ...step.lines.map((line) => el("li", {}, line))) : null));
  fill(at("reader-text"), el("ol", {}, ...rows));
}

// What people do

at("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const question = at("question").value.trim();
  if (!question || state.running) return;
  at("question").value = "";
  ask(question);
});
at("question").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    at("ask").requestSubmit();
  }
});
at("stop").addEventListener("click", () => state.running && state.running.abort());
at("new-session").addEventListener("click", () => {
  state.session = null;
  fill(at("log"));
  at("show-steps").hidden = true;
  at("question").focus();
});
at("show-steps").addEventListener("click", () => careful(() => showSteps(state.session)));
at("close-reader").addEventListener("click", closeReader);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !at("reader").hidden && !at("login").open) closeReader();
});
at("show-chat").addEventListener("click", () => show("chat"));
at("show-documents").addEventListener("click", () => careful(async () => {
  show("documents");
  await findDocuments();
}));
at("find-form").addEventListener("submit", (event) => {
  event.preventDefault();
  careful(findDocuments);
});
at("show-sessions").addEventListener("click", () => careful(async () => {
  show("sessions");
  await listSessions();
}));
async function logIn() {
  const token = at("token").value.trim();
  fill(at("login-problem"), "Checking");
  let problem = null;
  try {
    // A header takes no other signs, and no token has them.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Failure({ code: "unauthorized" });
    sessionStorage.setItem("token", token);
    await get("api/contents");
  } catch (error) {
    if (unknown(error)) {
      sessionStorage.removeItem("token");
      fill(at("login-problem"), "This token is not valid.");
      at("token").select();
      return;
    }
    problem = complain(error);
  }
  at("token").value = "";
  fill(at("login-problem"));
  at("login").close();
  fill(at("status"), problem);
}

at("login-form").addEventListener("submit", (event) => {
  event.preventDefault();
  logIn();
});
careful(() => get("api/contents"));
