"use strict";
(async () => {
  const token = location.hash.slice(1);
  const element = (id) => document.getElementById(id);
  const note = element("note");
  let state = { items: [] };
  let at = 0;
  let busy = false;

  // What is not on the server's disk yet stays in the browser's: notes as they are typed, a decision until it is said.
  const nameOf = (item) => `${state.run}\n${state.reviewer}\n${item.task}\n${item.sample}`;
  const kept = {
    get: (name) => localStorage.getItem(name),
    set: (name, value) => (value ? localStorage.setItem(name, value) : localStorage.removeItem(name)),
  };
  const unsaid = () => `${state.run}\n${state.reviewer}\nunsaid`;

  const ask = async (path, body) => {
    const headers = { Authorization: `Bearer ${token}` };
    if (body) headers["Content-Type"] = "application/json";
    const response = await fetch(path, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  };
  const trouble = (text) => {
    element("trouble").hidden = !text;
    element("trouble").textContent = text;
  };

  const make = (tag, className, text) => {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  };
  const showQueue = () => {
    const done = state.items.filter((item) => item.decision).length;
    element("run").textContent = state.run;
    element("reviewer").textContent = state.reviewer;
    element("progress").textContent = `${done} of ${state.items.length} decided`;
    const rows = state.items.map((item, number) => {
      const row = document.createElement("li");
      const button = row.appendChild(document.createElement("button"));
      button.append(item.title, make("small", "", item.why === "divergent" ? item.outcome : `${item.outcome}, ${item.why}`));
      button.append(make("span", `verdict ${item.decision || ""}`, item.decision || ""));
      if (number === at) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => show(number));
      return row;
    });
    element("queue").replaceChildren(...rows);
    rows[at]?.scrollIntoView({ block: "nearest" });
    element("undo").disabled = !state.canUndo;
    for (const button of document.querySelectorAll("[data-decision]")) {
      button.setAttribute("aria-pressed", String(state.items[at]?.decision === button.dataset.decision));
    }
  };
  const show = async (number) => {
    if (number < 0 || number >= state.items.length) return;
    at = number;
    const item = state.items[at];
    note.value = kept.get(nameOf(item)) ?? item.note;
    showQueue();
    try {
      const { html } = await ask(`api/items/${number}`);
      if (at !== number) return;
      element("item").innerHTML = html; // our own template's, with everything in it escaped
      element("item").dataset.number = number;
      element("item-title").focus({ preventScroll: true });
      scrollTo(0, 0);
    } catch (error) {
      trouble(`This attempt cannot be shown: ${error.message}`);
    }
  };
  const undecided = (from) => {
    const order = [...state.items.keys()].map((index) => (from + index) % state.items.length);
    return order.find((index) => !state.items[index].decision) ?? -1;
  };

  const say = async (said) => {
    busy = true;
    kept.set(unsaid(), JSON.stringify(said));
    try {
      state = await ask("api/decisions", said);
      kept.set(unsaid(), "");
      kept.set(nameOf(said), "");
      trouble("");
      return true;
    } catch (error) {
      trouble(`Not saved: ${error.message}. It is kept in this browser, and is said again when the page is reloaded.`);
      return false;
    } finally {
      busy = false;
    }
  };
  const decide = async (decision, stay) => {
    const item = state.items[at];
    if (busy || !item || !decision) return;
    const saved = await say({ task: item.task, sample: item.sample, decision, note: note.value.trim() });
    if (!saved) return;
    const next = stay ? at : undecided(at + 1);
    if (next < 0 || next === at) showQueue();
    else await show(next);
  };
  const undo = async () => {
    if (busy) return;
    try {
      state = await ask("api/undo", {});
      const [task, sample] = state.undone || [];
      const number = state.items.findIndex((item) => item.task === task && item.sample === sample);
      await show(number < 0 ? at : number);
    } catch (error) {
      trouble(`Not undone: ${error.message}`);
    }
  };

  const keys = {
    a: () => decide("accept"),
    r: () => decide("reject"),
    u: () => decide("unsure"),
    n: () => note.focus(),
    z: undo,
    j: () => show(at + 1),
    k: () => show(at - 1),
    d: () => show(undecided(at + 1)),
  };
  addEventListener("keydown", (event) => {
    if (event.target === note) {
      if (event.key === "Escape") note.blur();
      if (event.key === "Enter" && event.ctrlKey) decide(state.items[at].decision, true);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  note.addEventListener("input", () => kept.set(nameOf(state.items[at]), note.value));
  element("undo").addEventListener("click", undo);
  element("decide").addEventListener("submit", (event) => event.preventDefault());
  for (const button of document.querySelectorAll("[data-decision]")) {
    button.addEventListener("click", () => decide(button.dataset.decision));
  }

  try {
    state = await ask("api/queue");
    const left = JSON.parse(kept.get(unsaid()) || "null");
    if (left) await say(left);
    element("decide").hidden = state.items.length === 0;
    if (state.items.length) await show(Math.max(0, undecided(0)));
    else element("item").textContent = "Nothing waits for a person: no attempt is divergent or risky, and none was sampled.";
    showQueue();
  } catch (error) {
    trouble(`${error.message}. Open the link that mendlab review printed.`);
  }
  document.documentElement.dataset.ready = "yes";
})();
